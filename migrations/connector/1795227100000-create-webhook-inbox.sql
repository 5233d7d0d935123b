-- migrate:up

-- Every accepted webhook message, once (invariants I6, I7). The body is kept as it came, for replay and as evidence.
CREATE TABLE notification (
  installation_id uuid NOT NULL CONSTRAINT notification_installation_id_fk REFERENCES installation (id),
  webhook_id text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  body bytea NOT NULL,
  body_digest bytea NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT notification_webhook_id_pk PRIMARY KEY (installation_id, webhook_id),
  CONSTRAINT notification_event_id_uq UNIQUE (installation_id, event_id)
);
ALTER TABLE notification ENABLE ROW LEVEL SECURITY;
ALTER TABLE notification FORCE ROW LEVEL SECURITY;
CREATE POLICY notification_tenant ON notification TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON notification TO connector_app;

-- migrate:down
DROP TABLE notification;
