-- Sites of which machines come and go with their jobs.

-- Whether it has such machines; not known of one that was not looked at yet.
ALTER TABLE service.site ADD COLUMN elastic boolean;
-- Names of those that are there, as JSON.
ALTER TABLE service.site ADD COLUMN elastic_machines text DEFAULT '[]' NOT NULL;

-- Of db-scheduler, like scheduled_tasks: which process follows which site. These tasks do not end, so they take no place of runs.
CREATE TABLE service.elastic_tasks (
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
CREATE INDEX elastic_tasks_time ON service.elastic_tasks (execution_time);
