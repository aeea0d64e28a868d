-- Sessions of browsers and logins on their way. Ids are hashes of what the browser has.

CREATE TABLE service.session (
    id        text PRIMARY KEY,
    issuer    text NOT NULL,
    subject   text NOT NULL,
    name      text NOT NULL,
    email     text,
    -- Groups, as JSON.
    member_of text NOT NULL,
    seen_at   timestamp with time zone NOT NULL,
    ends_at   timestamp with time zone NOT NULL
);
CREATE INDEX session_ends ON service.session (ends_at);

CREATE TABLE service.login (
    state     text PRIMARY KEY,
    browser   text NOT NULL,
    nonce     text NOT NULL,
    verifier  text NOT NULL,
    return_to text NOT NULL,
    ends_at   timestamp with time zone NOT NULL
);
CREATE INDEX login_ends ON service.login (ends_at);
