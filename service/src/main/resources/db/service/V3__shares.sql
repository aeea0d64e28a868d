-- Sites that change after they were built, and that several people use.

-- Whether it has been ready once: it stays usable while it changes.
ALTER TABLE service.site ADD COLUMN built boolean DEFAULT false NOT NULL;
-- What a resize is to bring, as JSON; none if there is none.
ALTER TABLE service.site ADD COLUMN resize text;
-- Of the plan that was confirmed, as JSON: what it destroys or interrupts.
ALTER TABLE service.site ADD COLUMN consents text DEFAULT '[]' NOT NULL;
-- Whether its site.yaml has other users than its machines.
ALTER TABLE service.site ADD COLUMN users_changed boolean DEFAULT false NOT NULL;
UPDATE service.site SET built = true WHERE status = 'ready';

-- GPUs that a site held before it was resized: they count for the hours of the month.
CREATE TABLE service.held (
    site  text NOT NULL REFERENCES service.site,
    gpus  integer NOT NULL,
    since timestamp with time zone NOT NULL,
    until timestamp with time zone NOT NULL
);
CREATE INDEX held_site ON service.held (site);

-- Who was here, with the groups of the last time: a site is shared with somebody who is known.
CREATE TABLE service.member (
    id        text PRIMARY KEY,
    issuer    text NOT NULL,
    subject   text NOT NULL,
    name      text NOT NULL,
    -- Groups, as JSON.
    member_of text NOT NULL,
    seen_at   timestamp with time zone NOT NULL
);
CREATE INDEX member_name ON service.member (name);

-- Never deleted: the number of an account is not given to somebody else.
CREATE TABLE service.share (
    id          text PRIMARY KEY,
    site        text NOT NULL REFERENCES service.site,
    person      text NOT NULL,
    person_name text NOT NULL,
    -- On its machines; none if the site gives no accounts.
    account     text,
    uid         integer,
    shared_by   text NOT NULL,
    shared_at   timestamp with time zone NOT NULL,
    ended_at    timestamp with time zone
);
CREATE INDEX share_site ON service.share (site);
CREATE INDEX share_person ON service.share (person);
