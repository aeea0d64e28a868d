-- One row for each site that was ever locked. The fence only grows: a holder that lost its lock has a lower one than the next.
CREATE TABLE site_lock (
    site       text PRIMARY KEY,
    fence      bigint NOT NULL,
    id         text,
    holder     jsonb,
    expires_at timestamptz
);

CREATE TABLE site_state (
    site       text PRIMARY KEY,
    lineage    text NOT NULL,
    serial     bigint NOT NULL,
    fence      bigint NOT NULL,
    written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    -- Not jsonb: this keeps the text as it was written.
    state      json NOT NULL
);

-- The last state of each holder of the lock, but for the present one.
CREATE TABLE site_history (
    site       text NOT NULL,
    fence      bigint NOT NULL,
    lineage    text NOT NULL,
    serial     bigint NOT NULL,
    written_at timestamptz NOT NULL,
    state      json NOT NULL,
    PRIMARY KEY (site, fence)
);

-- Encrypted by deepsite; the key is not in the database.
CREATE TABLE vault (
    site     text PRIMARY KEY,
    version  bigint NOT NULL,
    content  bytea NOT NULL,
    previous bytea
);

CREATE TABLE run (
    site     text NOT NULL,
    id       text NOT NULL,
    fence    bigint NOT NULL,
    begun_at timestamptz NOT NULL,
    PRIMARY KEY (site, id)
);

CREATE TABLE run_event (
    site  text NOT NULL,
    run   text NOT NULL,
    seq   bigint NOT NULL,
    event json NOT NULL,
    PRIMARY KEY (site, run, seq),
    FOREIGN KEY (site, run) REFERENCES run ON DELETE CASCADE
);

CREATE TABLE run_log (
    site    text NOT NULL,
    run     text NOT NULL,
    name    text NOT NULL,
    content text NOT NULL,
    PRIMARY KEY (site, run, name),
    FOREIGN KEY (site, run) REFERENCES run ON DELETE CASCADE
);

-- Entries of runs that are complete are closed.
CREATE TABLE journal (
    site   text NOT NULL,
    seq    bigint NOT NULL,
    at     timestamptz NOT NULL,
    run    text NOT NULL,
    step   text NOT NULL,
    event  text NOT NULL,
    detail jsonb NOT NULL,
    closed boolean NOT NULL DEFAULT false,
    PRIMARY KEY (site, seq)
);
CREATE INDEX journal_open ON journal (site, seq) WHERE NOT closed;
