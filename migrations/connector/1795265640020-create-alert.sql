-- migrate:up

-- Where an installation's alerts go. No row: nobody is told.
CREATE TABLE alert_setting (
  installation_id uuid CONSTRAINT alert_setting_installation_id_pk PRIMARY KEY
    CONSTRAINT alert_setting_installation_id_fk REFERENCES installation (id),
  version integer NOT NULL CONSTRAINT alert_setting_version_ck CHECK (version >= 1),
  channel text NOT NULL CONSTRAINT alert_setting_channel_ck CHECK (channel IN ('off', 'webhook', 'mail')),
  -- Of the webhook or of the person.
  address text CONSTRAINT alert_setting_address_ck CHECK (length(address) BETWEEN 1 AND 2048),
  -- Signs the webhook's messages; sealed.
  webhook_secret text,
  kinds text[] NOT NULL,
  -- What happened before is not told.
  since timestamptz NOT NULL,
  next_look_at timestamptz NOT NULL,
  CONSTRAINT alert_setting_channel_address_ck CHECK ((channel = 'off') = (address IS NULL)),
  CONSTRAINT alert_setting_channel_secret_ck CHECK ((channel = 'webhook') = (webhook_secret IS NOT NULL))
);
CREATE INDEX alert_setting_next_look_at_ix ON alert_setting (next_look_at) WHERE channel <> 'off';

-- One thing to be sent, with the same id at every attempt; it tells of one alert or sums up several.
CREATE TABLE alert_message (
  installation_id uuid NOT NULL CONSTRAINT alert_message_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  sent_at timestamptz,
  -- After so many attempts nobody tries any more.
  given_up_at timestamptz,
  problem text,
  CONSTRAINT alert_message_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT alert_message_ended_ck CHECK (sent_at IS NULL OR given_up_at IS NULL)
);
CREATE INDEX alert_message_open_ix ON alert_message (installation_id, next_try_at)
  WHERE sent_at IS NULL AND given_up_at IS NULL;
CREATE INDEX alert_message_created_at_ix ON alert_message (installation_id, created_at);

-- What a person should know of, once per fact.
CREATE TABLE alert (
  installation_id uuid NOT NULL CONSTRAINT alert_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT alert_kind_ck CHECK (kind IN ('export-failed', 'export-with-errors', 'deadline-near',
    'authorization-needed', 'subscription-disabled', 'differences-overdue', 'uncertain-posting', 'sync-failed')),
  -- Names the fact among those of its kind.
  fact text NOT NULL,
  raised_at timestamptz NOT NULL,
  title text NOT NULL,
  advice text NOT NULL,
  -- Null: it waits until there may be another message.
  message_id uuid,
  CONSTRAINT alert_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT alert_fact_uq UNIQUE (installation_id, kind, fact),
  CONSTRAINT alert_message_id_fk FOREIGN KEY (installation_id, message_id) REFERENCES alert_message (installation_id, id)
);
CREATE INDEX alert_raised_at_ix ON alert (installation_id, raised_at DESC, id DESC);
CREATE INDEX alert_waiting_ix ON alert (installation_id, raised_at) WHERE message_id IS NULL;
CREATE INDEX alert_message_id_ix ON alert (installation_id, message_id);

DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['alert_setting', 'alert_message', 'alert'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY %I ON %I TO connector_app USING (installation_id = current_installation())
      WITH CHECK (installation_id = current_installation())', tenant_table || '_tenant', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO connector_app', tenant_table);
  END LOOP;
END
$$;

-- The scheduler sees whose turn it is to be looked after.
CREATE POLICY alert_setting_scheduler ON alert_setting TO connector_scheduler USING (true);
CREATE POLICY alert_message_scheduler ON alert_message TO connector_scheduler USING (true);
GRANT SELECT (installation_id, channel, next_look_at), UPDATE (next_look_at) ON alert_setting TO connector_scheduler;
GRANT SELECT (created_at, sent_at, given_up_at) ON alert_message TO connector_scheduler;

-- migrate:down
DROP TABLE alert, alert_message, alert_setting;
