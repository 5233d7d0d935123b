-- migrate:up

-- What a request with an Idempotency-Key was answered, for a day: sent again it gets the same answer and has no effect.
CREATE TABLE idempotency_key (
  installation_id uuid NOT NULL CONSTRAINT idempotency_key_installation_id_fk REFERENCES installation (id),
  key_hash bytea NOT NULL,
  -- Over what was asked for, and who asked.
  fingerprint bytea NOT NULL,
  -- Counts those who began it: what a process left behind that was killed may be begun again.
  attempt integer NOT NULL,
  begun_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Sealed with the installation's data key, because it may hold a secret that is shown once. Null: under way.
  answer text,
  CONSTRAINT idempotency_key_pk PRIMARY KEY (installation_id, key_hash)
);
CREATE INDEX idempotency_key_expires_at_ix ON idempotency_key (installation_id, expires_at);

ALTER TABLE idempotency_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_key FORCE ROW LEVEL SECURITY;
CREATE POLICY idempotency_key_tenant ON idempotency_key TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_key TO connector_app;

-- migrate:down
DROP TABLE idempotency_key;
