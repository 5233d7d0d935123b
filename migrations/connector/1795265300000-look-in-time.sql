-- migrate:up

-- When somebody was last there to take webhooks. A gap says that some may never come again, so the platform is asked.
CREATE TABLE intake_heartbeat (
  -- One row for all processes: the intake is away only when none of them is there.
  singleton boolean CONSTRAINT intake_heartbeat_singleton_pk PRIMARY KEY DEFAULT true
    CONSTRAINT intake_heartbeat_singleton_ck CHECK (singleton),
  beaten_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON intake_heartbeat TO connector_scheduler;

-- `next_poll_at` is what a lost wake-up is found by; a connection that was never finished is such a one too.
DROP INDEX installation_next_poll_ix;
CREATE INDEX installation_next_poll_ix ON installation (next_poll_at) WHERE state IN ('authorized', 'active');

-- The sweep wakes for the nearest deadline first.
GRANT SELECT (expires_at) ON export_job TO connector_scheduler;

-- migrate:down
REVOKE SELECT (expires_at) ON export_job FROM connector_scheduler;
DROP INDEX installation_next_poll_ix;
CREATE INDEX installation_next_poll_ix ON installation (next_poll_at) WHERE state = 'active';
DROP TABLE intake_heartbeat;
