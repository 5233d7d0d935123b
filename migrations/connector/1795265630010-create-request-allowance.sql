-- migrate:up

-- How many requests of a minute's allowance are spoken for, over all processes, by caller, company or address; each only as
-- a hash. Unlogged: after a crash of the server everybody begins a new minute.
CREATE UNLOGGED TABLE request_allowance (
  key_hash bytea CONSTRAINT request_allowance_key_hash_pk PRIMARY KEY,
  used integer NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX request_allowance_ends_at_ix ON request_allowance (ends_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON request_allowance TO connector_app;

-- migrate:down
DROP TABLE request_allowance;
