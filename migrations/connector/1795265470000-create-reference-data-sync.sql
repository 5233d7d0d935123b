-- migrate:up

-- Whose reference data is brought in step next. No row: never yet, which is the same as now.
CREATE TABLE sync_turn (
  installation_id uuid CONSTRAINT sync_turn_installation_id_pk PRIMARY KEY
    CONSTRAINT sync_turn_installation_id_fk REFERENCES installation (id),
  next_run_at timestamptz NOT NULL
);
CREATE INDEX sync_turn_next_run_at_ix ON sync_turn (next_run_at);

-- The dimensions that are tag groups on the platform. No row: nobody has chosen, and no tag group is touched.
CREATE TABLE dimension_choice (
  installation_id uuid CONSTRAINT dimension_choice_installation_id_pk PRIMARY KEY
    CONSTRAINT dimension_choice_installation_id_fk REFERENCES installation (id),
  version integer NOT NULL CONSTRAINT dimension_choice_version_ck CHECK (version > 0),
  codes text[] NOT NULL CONSTRAINT dimension_choice_codes_ck CHECK (cardinality(codes) <= 5),
  chosen_by text NOT NULL,
  chosen_at timestamptz NOT NULL
);

CREATE TABLE sync_run (
  installation_id uuid NOT NULL CONSTRAINT sync_run_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  -- In the order of their requests; ids are random.
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT sync_run_kind_ck
    CHECK (kind IN ('tax-codes', 'accounts', 'tags', 'vendors', 'vendor-drafts')),
  -- Planned only: nothing is changed anywhere.
  is_preview boolean NOT NULL,
  reason text NOT NULL CONSTRAINT sync_run_reason_ck
    CHECK (reason IN ('connected', 'schedule', 'person', 'vendor-created', 'export')),
  state text NOT NULL CONSTRAINT sync_run_state_ck
    CHECK (state IN ('requested', 'running', 'completed', 'completed_with_problems', 'failed')),
  requested_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- When a worker may look at it next; moved into the future after a failed attempt.
  next_attempt_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Who works on it, as in company_lease.
  fence bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  archived integer NOT NULL DEFAULT 0,
  unarchived integer NOT NULL DEFAULT 0,
  activated integer NOT NULL DEFAULT 0,
  created_in_erp integer NOT NULL DEFAULT 0,
  problems integer NOT NULL DEFAULT 0,
  failure text,
  -- Asked for once more while it was running: what it has read may be old by then, so another one follows.
  again text CONSTRAINT sync_run_again_ck
    CHECK (again IN ('connected', 'schedule', 'person', 'vendor-created', 'export')),
  CONSTRAINT sync_run_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT sync_run_finished_ck CHECK ((state IN ('requested', 'running')) = (finished_at IS NULL)),
  CONSTRAINT sync_run_failure_ck CHECK ((state = 'failed') = (failure IS NOT NULL))
);
-- One run of a kind and company at a time (issue 6); a preview changes nothing and stands beside it.
CREATE UNIQUE INDEX sync_run_open_uq ON sync_run (installation_id, company_id, kind, is_preview)
  WHERE state IN ('requested', 'running');
CREATE INDEX sync_run_next_attempt_at_ix ON sync_run (next_attempt_at) WHERE state IN ('requested', 'running');
CREATE INDEX sync_run_position_ix ON sync_run (installation_id, position DESC);

-- Each record that a run changed. Written before the change is sent (`sent`), so that no kill loses one from the history.
CREATE TABLE sync_record (
  installation_id uuid NOT NULL,
  run_id uuid NOT NULL,
  seq integer NOT NULL,
  subject text NOT NULL CONSTRAINT sync_record_subject_ck
    CHECK (subject IN ('tax-code', 'account', 'tag-group', 'tag', 'vendor')),
  -- Null: nothing was changed, there is a problem.
  action text CONSTRAINT sync_record_action_ck
    CHECK (action IN ('create', 'update', 'archive', 'unarchive', 'activate', 'create-in-erp')),
  key text NOT NULL,
  -- The platform's id of what is changed; null where it is to be made.
  target_id text,
  name text NOT NULL,
  outcome text NOT NULL CONSTRAINT sync_record_outcome_ck CHECK (outcome IN ('planned', 'sent', 'done', 'problem')),
  detail text,
  CONSTRAINT sync_record_seq_pk PRIMARY KEY (installation_id, run_id, seq),
  CONSTRAINT sync_record_run_id_fk FOREIGN KEY (installation_id, run_id)
    REFERENCES sync_run (installation_id, id) ON DELETE CASCADE,
  CONSTRAINT sync_record_problem_ck CHECK ((outcome = 'problem') = (detail IS NOT NULL)),
  CONSTRAINT sync_record_action_of_problem_ck CHECK (action IS NOT NULL OR outcome = 'problem')
);
CREATE INDEX sync_record_unsettled_ix ON sync_record (installation_id, run_id) WHERE outcome = 'sent';

-- Vendors of the platform that wait for a person, and what was decided about them.
CREATE TABLE vendor_match (
  installation_id uuid NOT NULL CONSTRAINT vendor_match_installation_id_fk REFERENCES installation (id),
  company_id uuid NOT NULL,
  platform_vendor_id uuid NOT NULL,
  name text NOT NULL,
  state text NOT NULL CONSTRAINT vendor_match_state_ck CHECK (state IN ('waiting', 'decided')),
  reason text CONSTRAINT vendor_match_reason_ck
    CHECK (reason IN ('ambiguous', 'already-linked', 'blocked', 'unknown', 'refused')),
  detail text,
  -- What a person is shown of the ERP's vendors it could be.
  candidates jsonb NOT NULL DEFAULT '[]',
  decision text CONSTRAINT vendor_match_decision_ck CHECK (decision IN ('link', 'create', 'archive')),
  erp_vendor_number text,
  decided_by text,
  changed_at timestamptz NOT NULL,
  CONSTRAINT vendor_match_platform_vendor_id_pk PRIMARY KEY (installation_id, company_id, platform_vendor_id),
  CONSTRAINT vendor_match_waiting_ck CHECK ((state = 'waiting') = (reason IS NOT NULL)),
  CONSTRAINT vendor_match_decided_ck CHECK ((state = 'decided') = (decision IS NOT NULL AND decided_by IS NOT NULL)),
  CONSTRAINT vendor_match_number_ck CHECK ((decision IS NOT DISTINCT FROM 'link') = (erp_vendor_number IS NOT NULL))
);

DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY
    ARRAY['sync_turn', 'dimension_choice', 'sync_run', 'sync_record', 'vendor_match'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY %I ON %I TO connector_app USING (installation_id = current_installation())
      WITH CHECK (installation_id = current_installation())', tenant_table || '_tenant', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO connector_app', tenant_table);
  END LOOP;
END
$$;
-- Old runs go with their records; a vendor that is settled is no longer listed.
GRANT DELETE ON sync_run, sync_record, vendor_match TO connector_app;

-- The scheduler sees whose turn it is and which runs nobody works on.
CREATE POLICY sync_turn_scheduler ON sync_turn TO connector_scheduler USING (true);
CREATE POLICY sync_run_scheduler ON sync_run TO connector_scheduler USING (true);
GRANT SELECT ON sync_turn TO connector_scheduler;
GRANT SELECT (installation_id, state, next_attempt_at, lease_until) ON sync_run TO connector_scheduler;

-- migrate:down
DROP TABLE vendor_match, sync_record, sync_run, dimension_choice, sync_turn;
