-- migrate:up

-- The address of a webhook may be all that its receiver asks for: whoever knows it may write there. It is sealed as its
-- secret is; `address` is what people are shown of it.
ALTER TABLE alert_setting
  ADD COLUMN sealed_address text,
  -- When test messages were asked for, as far back as their limit looks.
  ADD COLUMN tested_at timestamptz[] NOT NULL DEFAULT '{}';
-- Only the program can seal: a webhook that was set before has to be set again.
ALTER TABLE alert_setting NO FORCE ROW LEVEL SECURITY;
UPDATE alert_setting SET version = version + 1, channel = 'off', address = NULL, webhook_secret = NULL
WHERE channel = 'webhook';
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE alert_setting FORCE ROW LEVEL SECURITY;
ALTER TABLE alert_setting ADD CONSTRAINT alert_setting_channel_sealed_address_ck
  CHECK ((channel = 'webhook') = (sealed_address IS NOT NULL));

-- Old alerts are forgotten, over all tenants.
CREATE INDEX alert_old_ix ON alert (raised_at);
CREATE INDEX alert_message_old_ix ON alert_message (created_at);
CREATE POLICY alert_scheduler ON alert TO connector_scheduler USING (true);
GRANT SELECT (raised_at), DELETE ON alert TO connector_scheduler;
GRANT DELETE ON alert_message TO connector_scheduler;

-- migrate:down
REVOKE DELETE ON alert_message FROM connector_scheduler;
REVOKE SELECT (raised_at), DELETE ON alert FROM connector_scheduler;
DROP POLICY alert_scheduler ON alert;
DROP INDEX alert_message_old_ix, alert_old_ix;
-- Without its sealed address a webhook has none.
ALTER TABLE alert_setting NO FORCE ROW LEVEL SECURITY;
UPDATE alert_setting SET version = version + 1, channel = 'off', address = NULL, webhook_secret = NULL, sealed_address = NULL
WHERE channel = 'webhook';
SET CONSTRAINTS ALL IMMEDIATE;
ALTER TABLE alert_setting FORCE ROW LEVEL SECURITY;
ALTER TABLE alert_setting DROP COLUMN sealed_address, DROP COLUMN tested_at;
