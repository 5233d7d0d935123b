-- migrate:up

-- The activation that the last first runs were asked for. One that differs from the installation's own: it was connected
-- since, so what changed on both sides meanwhile is compared at once. Null: nobody has kept it so far, which costs one
-- more comparison.
ALTER TABLE sync_turn ADD COLUMN connected_at timestamptz;

-- The scheduler sees who was connected again, and who left so long ago that the process which saw to it must be gone.
GRANT SELECT (activated_at, uninstalled_at) ON installation TO connector_scheduler;

-- migrate:down
REVOKE SELECT (activated_at, uninstalled_at) ON installation FROM connector_scheduler;
ALTER TABLE sync_turn DROP COLUMN connected_at;
