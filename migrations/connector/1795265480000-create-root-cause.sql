-- migrate:up

-- The item as it was planned, without persons, notes and receipts, so that it can be planned again after its job.
ALTER TABLE export_item ADD COLUMN item jsonb;

-- What has to be mended; named by the planner when an item fails, never read out of a sentence.
CREATE TABLE root_cause (
  installation_id uuid NOT NULL CONSTRAINT root_cause_installation_id_fk REFERENCES installation (id),
  cause_key text NOT NULL CONSTRAINT root_cause_cause_key_ck CHECK (length(cause_key) BETWEEN 3 AND 300),
  kind text NOT NULL,
  thing text NOT NULL,
  thing_group text,
  name text,
  -- Of the last item that failed for it.
  failure_type text NOT NULL,
  reason text NOT NULL,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  CONSTRAINT root_cause_cause_key_pk PRIMARY KEY (installation_id, cause_key)
);

-- An entry that fails for a cause: open until a later result of the same entry no longer names it.
CREATE TABLE blocked_entry (
  installation_id uuid NOT NULL,
  cause_key text NOT NULL,
  accounting_entry_id uuid NOT NULL,
  -- The last job in which it failed so.
  export_job_id uuid NOT NULL,
  item_type text,
  currency text,
  -- Null where the amount could not be read.
  amount_minor numeric,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  cleared_at timestamptz,
  cleared_by_job_id uuid,
  CONSTRAINT blocked_entry_accounting_entry_id_pk PRIMARY KEY (installation_id, cause_key, accounting_entry_id),
  CONSTRAINT blocked_entry_cause_key_fk FOREIGN KEY (installation_id, cause_key)
    REFERENCES root_cause (installation_id, cause_key),
  CONSTRAINT blocked_entry_export_job_id_fk FOREIGN KEY (installation_id, export_job_id)
    REFERENCES export_job (installation_id, id),
  CONSTRAINT blocked_entry_cleared_by_job_id_fk FOREIGN KEY (installation_id, cleared_by_job_id)
    REFERENCES export_job (installation_id, id),
  CONSTRAINT blocked_entry_cleared_ck CHECK ((cleared_at IS NULL) = (cleared_by_job_id IS NULL))
);
CREATE INDEX blocked_entry_open_ix ON blocked_entry (installation_id, accounting_entry_id) WHERE cleared_at IS NULL;

-- An export that was asked for here: of what a cause had blocked, or of what was previewed.
CREATE TABLE reexport (
  installation_id uuid NOT NULL CONSTRAINT reexport_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  cause_key text,
  preview_id uuid,
  -- Set: the job is mapped with this version, and posts only what has these digests.
  mapping_version integer,
  expected jsonb,
  entry_ids uuid[] NOT NULL CONSTRAINT reexport_entry_ids_ck CHECK (cardinality(entry_ids) BETWEEN 1 AND 10000),
  vendor_based_bookkeeping boolean NOT NULL,
  -- 'asked': the platform may have made a job, whose number we do not know.
  state text NOT NULL CONSTRAINT reexport_state_ck CHECK (state IN ('waiting', 'asked', 'created', 'refused')),
  export_job_id uuid,
  problem text,
  asked_by text NOT NULL,
  created_at timestamptz NOT NULL,
  -- By the platform's clock.
  asked_at timestamptz,
  next_try_at timestamptz NOT NULL,
  CONSTRAINT reexport_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT reexport_cause_key_fk FOREIGN KEY (installation_id, cause_key)
    REFERENCES root_cause (installation_id, cause_key),
  CONSTRAINT reexport_export_job_id_fk FOREIGN KEY (installation_id, export_job_id)
    REFERENCES export_job (installation_id, id),
  CONSTRAINT reexport_mapping_version_fk FOREIGN KEY (installation_id, mapping_version)
    REFERENCES mapping_version (installation_id, version),
  CONSTRAINT reexport_created_ck CHECK ((state = 'created') = (export_job_id IS NOT NULL)),
  CONSTRAINT reexport_expected_ck CHECK (expected IS NULL OR mapping_version IS NOT NULL)
);
CREATE INDEX reexport_due_ix ON reexport (next_try_at) WHERE state IN ('waiting', 'asked');
CREATE INDEX reexport_cause_key_ix ON reexport (installation_id, cause_key, created_at DESC);
CREATE INDEX reexport_export_job_id_ix ON reexport (installation_id, export_job_id);

DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['root_cause', 'blocked_entry', 'reexport'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY %I ON %I TO connector_app USING (installation_id = current_installation())
      WITH CHECK (installation_id = current_installation())', tenant_table || '_tenant', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO connector_app', tenant_table);
  END LOOP;
END
$$;

-- The scheduler sees whom to wake, and nothing else.
CREATE POLICY reexport_scheduler ON reexport TO connector_scheduler USING (true);
GRANT SELECT (installation_id, id, state, next_try_at) ON reexport TO connector_scheduler;

-- migrate:down
DROP TABLE reexport, blocked_entry, root_cause;
ALTER TABLE export_item DROP COLUMN item;
