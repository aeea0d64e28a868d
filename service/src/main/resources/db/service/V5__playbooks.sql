-- Parts of runs that any process may work on: a process of Ansible each, with all that it needs. They are gone when it ended.

CREATE TABLE service.playbook (
    id          text PRIMARY KEY,
    run         text NOT NULL REFERENCES service.run,
    -- Of the run: another one does it anew.
    attempt     bigint NOT NULL,
    -- Of the site, by its id. Nobody works on without it.
    site_lock   text NOT NULL,
    offered_by  text NOT NULL,
    -- Of the engine's run, and of the playbook in it.
    folder      text NOT NULL,
    name        text NOT NULL,
    hosts       integer NOT NULL,
    grace       bigint NOT NULL,
    bundle      bytea NOT NULL,
    -- 1: nothing more is to begin, 2: what runs is to end, too.
    stop        integer NOT NULL,
    taken_by    text,
    seen_at     timestamp with time zone,
    exit_code   integer,
    log         text,
    connections text
);
CREATE INDEX playbook_run ON service.playbook (run);

-- What the callback of Ansible writes.
CREATE TABLE service.playbook_line (
    playbook text NOT NULL REFERENCES service.playbook ON DELETE CASCADE,
    seq      bigint NOT NULL,
    line     text NOT NULL,
    PRIMARY KEY (playbook, seq)
);
