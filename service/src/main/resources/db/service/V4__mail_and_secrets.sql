-- Where people get mail about their sites, since when, and whether they want it.
CREATE TABLE service.mailbox (
    person  text PRIMARY KEY,
    address text,
    wanted  boolean NOT NULL,
    since   timestamp with time zone NOT NULL
);

-- What somebody is told by mail: one row for each cause, so it is told once. No text: that is made when it is sent.
CREATE TABLE service.mail (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- A run, or an end of a lease with its warning.
    cause    text NOT NULL UNIQUE,
    kind     text NOT NULL,
    site     text NOT NULL REFERENCES service.site,
    person   text NOT NULL,
    status   text NOT NULL,
    attempts integer NOT NULL,
    noted_at timestamp with time zone NOT NULL,
    -- When it may be tried; while a process sends it, the time after which that one counts as dead.
    next_at  timestamp with time zone NOT NULL
);
CREATE INDEX mail_waiting ON service.mail (status, next_at);
CREATE INDEX run_ended ON service.run (ended_at);

-- Which secrets of sites were shown to whom; their values are in the vaults of the sites.
CREATE TABLE service.shown_secret (
    site   text NOT NULL REFERENCES service.site,
    name   text NOT NULL,
    person text NOT NULL,
    at     timestamp with time zone NOT NULL,
    PRIMARY KEY (site, name, person)
);
