-- Statements that H2 and PostgreSQL both understand. JSON is text: nothing looks into it.

-- One row for each project that has sites: whoever changes what it uses locks it.
CREATE TABLE service.project (
    name text PRIMARY KEY
);

CREATE TABLE service.site (
    -- Random: an id that is known gives nothing away about others.
    id          text PRIMARY KEY,
    -- At the back-end and in the records of the site.
    name        text NOT NULL UNIQUE,
    title       text NOT NULL,
    project     text NOT NULL REFERENCES service.project,
    owner       text NOT NULL,
    owner_name  text NOT NULL,
    -- Of the catalogue; none if its user wrote the site.yaml.
    template    text,
    -- Name of the owner's account on its machines; none if it has no such account.
    account     text,
    parameters  text NOT NULL,
    yaml        text NOT NULL,
    status      text NOT NULL,
    -- Of the row, for If-Match.
    version     bigint NOT NULL,
    -- The number of the last event.
    last_event  bigint NOT NULL,
    -- What it counts for while it holds its place in the quota.
    holds_quota boolean NOT NULL,
    machines    integer NOT NULL,
    cpus        integer NOT NULL,
    memory      bigint NOT NULL,
    gpus        integer NOT NULL,
    created_at  timestamp with time zone NOT NULL,
    -- When it may be built: later than now where its user asked for that.
    starts_at   timestamp with time zone NOT NULL,
    held_since  timestamp with time zone,
    held_until  timestamp with time zone,
    ends_at     timestamp with time zone
);
CREATE INDEX site_project ON service.site (project, status);

CREATE TABLE service.run (
    id           text PRIMARY KEY,
    -- In the order in which they were asked for.
    seq          bigint GENERATED ALWAYS AS IDENTITY,
    site         text NOT NULL REFERENCES service.site,
    verb         text NOT NULL,
    status       text NOT NULL,
    -- Raised by each process that works on it: only the last one may say how it ended.
    attempt      bigint NOT NULL,
    asked_by     text NOT NULL,
    asked_at     timestamp with time zone NOT NULL,
    begun_at     timestamp with time zone,
    ended_at     timestamp with time zone,
    cancels      integer NOT NULL,
    steps        integer NOT NULL,
    steps_done   integer NOT NULL,
    -- Of a plan: its steps. Of an apply: hosts and proof.
    result       text,
    -- Diagnostics.
    faults       text
);
CREATE INDEX run_site ON service.run (site, seq);

CREATE TABLE service.event (
    site  text NOT NULL REFERENCES service.site,
    seq   bigint NOT NULL,
    run   text,
    at    timestamp with time zone NOT NULL,
    event text NOT NULL,
    PRIMARY KEY (site, seq)
);

-- Never changed, never deleted.
CREATE TABLE service.audit (
    seq     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      timestamp with time zone NOT NULL,
    who     text NOT NULL,
    from_ip text NOT NULL,
    action  text NOT NULL,
    project text,
    site    text,
    detail  text NOT NULL
);
CREATE INDEX audit_site ON service.audit (site, seq);

CREATE TABLE service.idempotency (
    person  text NOT NULL,
    id      text NOT NULL,
    request text NOT NULL,
    site    text NOT NULL,
    at      timestamp with time zone NOT NULL,
    PRIMARY KEY (person, id)
);

-- Of db-scheduler 16.
CREATE TABLE service.scheduled_tasks (
    task_name            text NOT NULL,
    task_instance        text NOT NULL,
    task_data            bytea,
    execution_time       timestamp with time zone NOT NULL,
    picked               boolean NOT NULL,
    picked_by            text,
    last_success         timestamp with time zone,
    last_failure         timestamp with time zone,
    consecutive_failures integer,
    last_heartbeat       timestamp with time zone,
    version              bigint NOT NULL,
    priority             smallint,
    PRIMARY KEY (task_name, task_instance)
);
CREATE INDEX scheduled_tasks_time ON service.scheduled_tasks (execution_time);
