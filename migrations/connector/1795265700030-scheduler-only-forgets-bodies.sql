-- migrate:up

-- The scheduler forgets bodies; it puts none in their place.
ALTER POLICY quarantined_notification_scheduler ON quarantined_notification
  WITH CHECK (body IS NULL AND body_kept_until IS NULL);

-- migrate:down
ALTER POLICY quarantined_notification_scheduler ON quarantined_notification WITH CHECK (true);
