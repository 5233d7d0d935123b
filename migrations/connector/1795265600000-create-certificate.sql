-- migrate:up

-- What a job has left in the books, proved once it had ended and was held against platform and ERP. Each one names the one
-- before it, so that none can be changed, added or taken away later without its being seen.
CREATE TABLE certificate (
  installation_id uuid NOT NULL CONSTRAINT certificate_installation_id_fk REFERENCES installation (id),
  -- From 1, without gaps.
  sequence bigint NOT NULL CONSTRAINT certificate_sequence_ck CHECK (sequence >= 1),
  export_job_id uuid NOT NULL,
  company_id uuid NOT NULL,
  erp_company_id text,
  job_state text NOT NULL,
  mapping_version integer,
  -- How many were announced, and how they ended.
  items jsonb NOT NULL,
  -- Of what was planned, and of what the ERP held of it: entries, totals per currency, digest.
  planned jsonb NOT NULL,
  -- Null: the ERP cannot be searched.
  erp jsonb,
  -- Open ones of the job.
  differences integer NOT NULL CONSTRAINT certificate_differences_ck CHECK (differences >= 0),
  made_at timestamptz NOT NULL,
  -- Null for the first one.
  previous_hash text CONSTRAINT certificate_previous_hash_ck CHECK (previous_hash ~ '^[0-9a-f]{64}$'),
  hash text NOT NULL CONSTRAINT certificate_hash_ck CHECK (hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT certificate_sequence_pk PRIMARY KEY (installation_id, sequence),
  CONSTRAINT certificate_export_job_id_uq UNIQUE (installation_id, export_job_id),
  CONSTRAINT certificate_export_job_id_fk FOREIGN KEY (installation_id, export_job_id)
    REFERENCES export_job (installation_id, id)
);

CREATE FUNCTION check_certificate_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last_sequence bigint;
  last_hash text;
BEGIN
  SELECT sequence, hash INTO last_sequence, last_hash FROM certificate
  WHERE installation_id = NEW.installation_id ORDER BY sequence DESC LIMIT 1;
  IF NEW.sequence <> coalesce(last_sequence, 0) + 1 OR NEW.previous_hash IS DISTINCT FROM last_hash THEN
    RAISE EXCEPTION 'certificate % does not follow the last one', NEW.sequence
      USING ERRCODE = 'check_violation', CONSTRAINT = 'certificate_chain_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER certificate_check_chain BEFORE INSERT ON certificate
  FOR EACH ROW EXECUTE FUNCTION check_certificate_chain();

CREATE FUNCTION keep_certificate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a certificate never changes'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'certificate_is_kept_ck';
END
$$;
CREATE TRIGGER certificate_keep BEFORE UPDATE OR DELETE ON certificate
  FOR EACH ROW EXECUTE FUNCTION keep_certificate();
CREATE TRIGGER certificate_keep_all BEFORE TRUNCATE ON certificate EXECUTE FUNCTION keep_certificate();

ALTER TABLE certificate ENABLE ROW LEVEL SECURITY;
ALTER TABLE certificate FORCE ROW LEVEL SECURITY;
CREATE POLICY certificate_tenant ON certificate TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON certificate TO connector_app;

-- What a job has posted is read in the order of its keys.
CREATE INDEX posting_intent_of_job_ix ON posting_intent (installation_id, export_job_id, accounting_entry_id, revision);
DROP INDEX posting_intent_export_job_id_ix;

-- migrate:down
CREATE INDEX posting_intent_export_job_id_ix ON posting_intent (installation_id, export_job_id);
DROP INDEX posting_intent_of_job_ix;
DROP TABLE certificate;
DROP FUNCTION keep_certificate();
DROP FUNCTION check_certificate_chain();
