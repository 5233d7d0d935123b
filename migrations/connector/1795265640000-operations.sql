-- migrate:up

-- When a worker last did what the schedule told it: one row for all processes, as of the intake.
CREATE TABLE worker_heartbeat (
  singleton boolean CONSTRAINT worker_heartbeat_singleton_pk PRIMARY KEY DEFAULT true
    CONSTRAINT worker_heartbeat_singleton_ck CHECK (singleton),
  beaten_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON worker_heartbeat TO connector_scheduler;

-- A process says that it is not ready while the schema is older than its code.
GRANT SELECT ON migration TO connector_app;

-- Counts and ages over all tenants for the metrics; never content.
CREATE INDEX outbox_waiting_ix ON outbox (created_at) WHERE delivered_at IS NULL;
CREATE INDEX difference_open_ix ON difference (class) WHERE state = 'open';
CREATE POLICY outbox_scheduler ON outbox TO connector_scheduler USING (true);
CREATE POLICY difference_scheduler ON difference TO connector_scheduler USING (true);
GRANT SELECT (created_at, delivered_at) ON outbox TO connector_scheduler;
GRANT SELECT (class, state) ON difference TO connector_scheduler;
GRANT SELECT (detected_at) ON export_job TO connector_scheduler;

-- migrate:down
REVOKE SELECT (detected_at) ON export_job FROM connector_scheduler;
REVOKE SELECT (class, state) ON difference FROM connector_scheduler;
REVOKE SELECT (created_at, delivered_at) ON outbox FROM connector_scheduler;
DROP POLICY difference_scheduler ON difference;
DROP POLICY outbox_scheduler ON outbox;
DROP INDEX difference_open_ix, outbox_waiting_ix;
REVOKE SELECT ON migration FROM connector_app;
DROP TABLE worker_heartbeat;
