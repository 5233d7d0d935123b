-- migrate:up

-- As idempotency_key, for what the operator asks before there is an installation.
CREATE TABLE operator_idempotency_key (
  key_hash bytea CONSTRAINT operator_idempotency_key_pk PRIMARY KEY,
  fingerprint bytea NOT NULL,
  attempt integer NOT NULL,
  begun_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Sealed with the key ring. Null: under way.
  answer text
);
CREATE INDEX operator_idempotency_key_expires_at_ix ON operator_idempotency_key (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON operator_idempotency_key TO connector_app;

-- migrate:down
DROP TABLE operator_idempotency_key;
