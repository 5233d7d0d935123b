-- migrate:up

-- Correctly signed messages that could not be taken into the inbox, once each however often they are sent. The body is
-- kept for a while, so that a mended connector can be shown it again.
CREATE TABLE quarantined_notification (
  installation_id uuid NOT NULL
    CONSTRAINT quarantined_notification_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  webhook_id text NOT NULL,
  reason text NOT NULL CONSTRAINT quarantined_notification_reason_ck
    CHECK (reason IN ('malformed', 'foreign-company', 'company-not-mapped', 'conflicting-body')),
  detail text NOT NULL,
  body bytea,
  body_digest bytea NOT NULL,
  body_bytes integer NOT NULL,
  body_kept_until timestamptz,
  received_at timestamptz NOT NULL,
  last_received_at timestamptz NOT NULL,
  deliveries integer NOT NULL DEFAULT 1,
  -- When the inbox took it after all.
  taken_at timestamptz,
  CONSTRAINT quarantined_notification_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT quarantined_notification_body_digest_uq UNIQUE (installation_id, webhook_id, body_digest),
  CONSTRAINT quarantined_notification_body_ck CHECK ((body IS NULL) = (body_kept_until IS NULL))
);
CREATE INDEX quarantined_notification_received_at_ix ON quarantined_notification (installation_id, received_at);
CREATE INDEX quarantined_notification_body_kept_until_ix ON quarantined_notification (body_kept_until);
CREATE INDEX notification_received_at_ix ON notification (installation_id, received_at);
ALTER TABLE quarantined_notification ENABLE ROW LEVEL SECURITY;
ALTER TABLE quarantined_notification FORCE ROW LEVEL SECURITY;
CREATE POLICY quarantined_notification_tenant ON quarantined_notification TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE (deliveries, last_received_at, taken_at) ON quarantined_notification TO connector_app;

-- The scheduler forgets old bodies without being able to read one.
CREATE POLICY quarantined_notification_scheduler ON quarantined_notification TO connector_scheduler USING (true);
GRANT SELECT (body_kept_until), UPDATE (body, body_kept_until) ON quarantined_notification TO connector_scheduler;

-- migrate:down
DROP INDEX notification_received_at_ix;
DROP TABLE quarantined_notification;
