-- migrate:up

-- Who works on a company now. The fence grows with every change of hands; each write of a worker names its own (I15).
CREATE TABLE company_lease (
  installation_id uuid NOT NULL CONSTRAINT company_lease_installation_id_fk REFERENCES installation (id),
  company_id uuid NOT NULL,
  fence bigint NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT company_lease_company_id_pk PRIMARY KEY (installation_id, company_id)
);

CREATE TABLE export_job (
  installation_id uuid NOT NULL CONSTRAINT export_job_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  state text NOT NULL CONSTRAINT export_job_state_ck CHECK (state IN
    ('detected', 'running', 'verdict_decided', 'completed', 'completed_with_errors', 'failed', 'expired', 'closed_by_platform')),
  version integer NOT NULL DEFAULT 1,
  number_of_items integer NOT NULL CONSTRAINT export_job_number_of_items_ck CHECK (number_of_items >= 0),
  vendor_based_bookkeeping boolean NOT NULL,
  mapping_version integer,
  erp_company_id text,
  created_on_platform_at timestamptz NOT NULL,
  -- By the platform's clock: no verdict is accepted after it.
  expires_at timestamptz NOT NULL,
  detected_at timestamptz NOT NULL,
  -- When a worker may look at it next; moved into the future after a failed attempt.
  next_run_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  started_at timestamptz,
  finished_at timestamptz,
  failure_type text,
  failure_reason text,
  CONSTRAINT export_job_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT export_job_mapping_version_fk FOREIGN KEY (installation_id, mapping_version)
    REFERENCES mapping_version (installation_id, version)
);
CREATE INDEX export_job_open_ix ON export_job (installation_id, company_id, created_on_platform_at)
  WHERE state IN ('detected', 'running', 'verdict_decided');
CREATE INDEX export_job_detected_at_ix ON export_job (installation_id, detected_at DESC, id);

-- The allowed edges of the job's state machine (I9). A final state is never left.
CREATE FUNCTION check_export_job_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'export job %: version % cannot follow %', OLD.id, NEW.version, OLD.version
      USING ERRCODE = 'check_violation', CONSTRAINT = 'export_job_version_ck';
  END IF;
  IF NEW.state <> OLD.state AND NOT (OLD.state, NEW.state) IN (
    ('detected', 'running'), ('detected', 'verdict_decided'), ('detected', 'expired'), ('detected', 'closed_by_platform'),
    ('running', 'verdict_decided'), ('running', 'expired'), ('running', 'closed_by_platform'),
    ('verdict_decided', 'completed'), ('verdict_decided', 'completed_with_errors'), ('verdict_decided', 'failed'),
    ('verdict_decided', 'expired'), ('verdict_decided', 'closed_by_platform')
  ) THEN
    RAISE EXCEPTION 'export job %: % cannot become %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'export_job_transition_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER export_job_transition BEFORE UPDATE ON export_job
  FOR EACH ROW EXECUTE FUNCTION check_export_job_transition();

CREATE TABLE export_item (
  installation_id uuid NOT NULL,
  export_job_id uuid NOT NULL,
  accounting_entry_id uuid NOT NULL,
  position integer NOT NULL,
  state text NOT NULL CONSTRAINT export_item_state_ck CHECK (state IN ('pending', 'successful', 'failed')),
  failure_type text,
  failure_reason text,
  warnings jsonb NOT NULL DEFAULT '[]',
  external_id text,
  external_url text,
  exported_at timestamptz,
  -- Set when the platform has accepted the result, or has told why it never will (report_problem).
  reported_at timestamptz,
  report_problem text,
  CONSTRAINT export_item_accounting_entry_id_pk PRIMARY KEY (installation_id, export_job_id, accounting_entry_id),
  CONSTRAINT export_item_export_job_id_fk FOREIGN KEY (installation_id, export_job_id) REFERENCES export_job (installation_id, id),
  CONSTRAINT export_item_failure_ck CHECK ((state = 'failed') = (failure_type IS NOT NULL AND failure_reason IS NOT NULL)),
  CONSTRAINT export_item_success_ck CHECK ((state = 'successful') = (external_id IS NOT NULL))
);
CREATE INDEX export_item_unreported_ix ON export_item (installation_id, export_job_id, position) WHERE reported_at IS NULL;

-- "We may have posted this": written before the ERP is called (I17). The key is the accounting entry, never the job (I1).
CREATE TABLE posting_intent (
  installation_id uuid NOT NULL,
  erp_company_id text NOT NULL,
  accounting_entry_id uuid NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  export_job_id uuid NOT NULL,
  mapping_version integer NOT NULL,
  content_digest text NOT NULL,
  -- The planned entries, so that a look-up or an audit needs no second plan.
  plan jsonb NOT NULL,
  fence bigint NOT NULL,
  state text NOT NULL CONSTRAINT posting_intent_state_ck CHECK (state IN ('sent', 'uncertain', 'posted', 'rejected')),
  external_id text,
  external_url text,
  posted_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT posting_intent_accounting_entry_id_pk PRIMARY KEY (installation_id, erp_company_id, accounting_entry_id, revision),
  CONSTRAINT posting_intent_export_job_id_fk FOREIGN KEY (installation_id, export_job_id) REFERENCES export_job (installation_id, id),
  CONSTRAINT posting_intent_mapping_version_fk FOREIGN KEY (installation_id, mapping_version)
    REFERENCES mapping_version (installation_id, version),
  CONSTRAINT posting_intent_posted_ck CHECK ((state = 'posted') = (external_id IS NOT NULL))
);
CREATE INDEX posting_intent_unresolved_ix ON posting_intent (installation_id, created_at) WHERE state IN ('sent', 'uncertain');
CREATE INDEX posting_intent_export_job_id_ix ON posting_intent (installation_id, export_job_id);

-- What was posted stays posted (I13): only an unposted intent may be planned anew.
CREATE FUNCTION keep_posted_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'posted' THEN
    RAISE EXCEPTION 'accounting entry % is posted, its intent cannot change', OLD.accounting_entry_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_posted_is_final_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER posting_intent_keep_posted BEFORE UPDATE ON posting_intent
  FOR EACH ROW EXECUTE FUNCTION keep_posted_intent();

-- Everything to be told to the platform, in order per job (I22); at most one verdict (I10).
CREATE TABLE outbox (
  installation_id uuid NOT NULL,
  export_job_id uuid NOT NULL,
  seq integer NOT NULL,
  kind text NOT NULL CONSTRAINT outbox_kind_ck CHECK (kind IN ('started', 'items', 'verdict')),
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  delivered_at timestamptz,
  CONSTRAINT outbox_seq_pk PRIMARY KEY (installation_id, export_job_id, seq),
  CONSTRAINT outbox_export_job_id_fk FOREIGN KEY (installation_id, export_job_id) REFERENCES export_job (installation_id, id)
);
CREATE UNIQUE INDEX outbox_verdict_uq ON outbox (installation_id, export_job_id) WHERE kind = 'verdict';
CREATE UNIQUE INDEX outbox_started_uq ON outbox (installation_id, export_job_id) WHERE kind = 'started';

DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['company_lease', 'export_job', 'export_item', 'posting_intent', 'outbox'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY %I ON %I TO connector_app USING (installation_id = current_installation())
      WITH CHECK (installation_id = current_installation())', tenant_table || '_tenant', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO connector_app', tenant_table);
  END LOOP;
END
$$;

-- The sweeper sees which companies have open work and nobody on it, and nothing else.
CREATE POLICY export_job_scheduler ON export_job TO connector_scheduler USING (true);
CREATE POLICY company_lease_scheduler ON company_lease TO connector_scheduler USING (true);
GRANT SELECT (installation_id, id, company_id, state, created_on_platform_at, next_run_at) ON export_job
  TO connector_scheduler;
GRANT SELECT (installation_id, company_id, expires_at) ON company_lease TO connector_scheduler;

-- migrate:down
DROP TABLE outbox, posting_intent, export_item, export_job, company_lease;
DROP FUNCTION check_export_job_transition();
DROP FUNCTION keep_posted_intent();
