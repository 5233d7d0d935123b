-- migrate:up

-- When a company is held against platform and ERP next. No row: not planned yet.
CREATE TABLE reconciliation_turn (
  installation_id uuid CONSTRAINT reconciliation_turn_installation_id_pk PRIMARY KEY
    CONSTRAINT reconciliation_turn_installation_id_fk REFERENCES installation (id),
  -- Of the ERP company, whose night it is; UTC until a run has learnt it.
  time_zone text NOT NULL,
  next_run_at timestamptz NOT NULL,
  -- Days after which an open difference is an alarm.
  alert_after_days integer NOT NULL DEFAULT 7
    CONSTRAINT reconciliation_turn_alert_after_days_ck CHECK (alert_after_days BETWEEN 1 AND 365)
);
CREATE INDEX reconciliation_turn_next_run_at_ix ON reconciliation_turn (next_run_at);

CREATE TABLE reconciliation_run (
  installation_id uuid NOT NULL CONSTRAINT reconciliation_run_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  -- In the order of their requests; ids are random.
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT reconciliation_run_kind_ck CHECK (kind IN ('period', 'job')),
  reason text NOT NULL CONSTRAINT reconciliation_run_reason_ck CHECK (reason IN ('schedule', 'person', 'job')),
  -- The company's day that a scheduled run is of: one each, whatever the number of replicas.
  slot date,
  export_job_id uuid,
  -- Jobs that the platform made from (included) to (excluded); also the posting dates in which orphans are looked for.
  period_from timestamptz NOT NULL,
  period_until timestamptz NOT NULL,
  state text NOT NULL CONSTRAINT reconciliation_run_state_ck
    CHECK (state IN ('requested', 'running', 'completed', 'failed')),
  requested_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- When a worker may look at it next; moved into the future after a failed attempt.
  next_attempt_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Who works on it, as in company_lease.
  fence bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  -- How far it is, so that another worker goes on there.
  progress jsonb NOT NULL DEFAULT '{}',
  jobs integer NOT NULL DEFAULT 0,
  items bigint NOT NULL DEFAULT 0,
  differences integer NOT NULL DEFAULT 0,
  repaired integer NOT NULL DEFAULT 0,
  failure text,
  CONSTRAINT reconciliation_run_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT reconciliation_run_export_job_id_fk FOREIGN KEY (installation_id, export_job_id)
    REFERENCES export_job (installation_id, id),
  CONSTRAINT reconciliation_run_kind_of_job_ck CHECK ((kind = 'job') = (export_job_id IS NOT NULL)),
  CONSTRAINT reconciliation_run_slot_ck CHECK ((reason = 'schedule') = (slot IS NOT NULL)),
  CONSTRAINT reconciliation_run_finished_ck CHECK ((state IN ('requested', 'running')) = (finished_at IS NULL)),
  CONSTRAINT reconciliation_run_failure_ck CHECK ((state = 'failed') = (failure IS NOT NULL))
);
CREATE UNIQUE INDEX reconciliation_run_slot_uq ON reconciliation_run (installation_id, slot);
CREATE UNIQUE INDEX reconciliation_run_job_uq ON reconciliation_run (installation_id, export_job_id) WHERE reason = 'job';
CREATE INDEX reconciliation_run_open_ix ON reconciliation_run (next_attempt_at) WHERE state IN ('requested', 'running');
CREATE INDEX reconciliation_run_position_ix ON reconciliation_run (installation_id, position DESC);

-- What platform, connector and ERP do not agree about, with what each of them says.
CREATE TABLE difference (
  installation_id uuid NOT NULL CONSTRAINT difference_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  class text NOT NULL,
  -- An accounting entry, a job, or a key of the ERP.
  subject text NOT NULL,
  -- Of the evidence: what was accepted stays accepted until one of the sides says something else.
  fingerprint text NOT NULL,
  accounting_entry_id uuid,
  export_job_id uuid,
  erp_company_id text,
  evidence jsonb NOT NULL,
  currency text,
  amount_minor numeric,
  -- Of the job, or of the posting in the ERP.
  occurred_at timestamptz NOT NULL,
  state text NOT NULL CONSTRAINT difference_state_ck CHECK (state IN ('open', 'accepted', 'repaired')),
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  last_seen_run uuid NOT NULL,
  settled_at timestamptz,
  -- A person, or the connector itself; what was done, and why.
  settled_by text,
  settled_as text,
  note text,
  -- "We may have reversed it": written before the ERP is asked.
  reversal_sent_at timestamptz,
  reexport_id uuid,
  CONSTRAINT difference_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT difference_fingerprint_uq UNIQUE (installation_id, company_id, class, subject, fingerprint),
  CONSTRAINT difference_last_seen_run_fk FOREIGN KEY (installation_id, last_seen_run)
    REFERENCES reconciliation_run (installation_id, id),
  CONSTRAINT difference_reexport_id_fk FOREIGN KEY (installation_id, reexport_id) REFERENCES reexport (installation_id, id),
  CONSTRAINT difference_amount_ck CHECK ((currency IS NULL) = (amount_minor IS NULL)),
  CONSTRAINT difference_settled_ck CHECK ((state = 'open') = (settled_at IS NULL)),
  CONSTRAINT difference_accepted_ck CHECK (state <> 'accepted' OR (note IS NOT NULL AND settled_by IS NOT NULL))
);
CREATE INDEX difference_list_ix ON difference (installation_id, state, first_seen_at, id);
CREATE INDEX difference_export_job_id_ix ON difference (installation_id, export_job_id);

CREATE INDEX export_job_created_ix ON export_job (installation_id, company_id, created_on_platform_at, id);
-- Ended jobs that nobody has looked at yet.
CREATE INDEX export_job_finished_at_ix ON export_job (finished_at)
  WHERE state NOT IN ('detected', 'running', 'verdict_decided');
CREATE INDEX export_item_accounting_entry_id_ix ON export_item (installation_id, accounting_entry_id);

DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['reconciliation_turn', 'reconciliation_run', 'difference'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY %I ON %I TO connector_app USING (installation_id = current_installation())
      WITH CHECK (installation_id = current_installation())', tenant_table || '_tenant', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE ON %I TO connector_app', tenant_table);
  END LOOP;
END
$$;

-- The scheduler sees whose turn it is, which jobs nobody has looked at and which runs nobody works on.
CREATE POLICY reconciliation_turn_scheduler ON reconciliation_turn TO connector_scheduler USING (true);
CREATE POLICY reconciliation_run_scheduler ON reconciliation_run TO connector_scheduler USING (true);
GRANT SELECT (installation_id, next_run_at) ON reconciliation_turn TO connector_scheduler;
GRANT SELECT (installation_id, export_job_id, reason, state, next_attempt_at, lease_until) ON reconciliation_run
  TO connector_scheduler;
GRANT SELECT (finished_at) ON export_job TO connector_scheduler;

-- migrate:down
REVOKE SELECT (finished_at) ON export_job FROM connector_scheduler;
DROP INDEX export_item_accounting_entry_id_ix, export_job_finished_at_ix, export_job_created_ix;
DROP TABLE difference, reconciliation_run, reconciliation_turn;
