-- migrate:up

-- What may follow a post whose outcome is unknown depends on the ERP and on how long ago it was sent (reliability §b3).
-- Intents from before count as sent now: longer to wait for than needed, never too short.
ALTER TABLE posting_intent
  -- By the database's clock, which all workers share.
  ADD COLUMN first_sent_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN sent_at timestamptz NOT NULL DEFAULT now(),
  -- When the ERP is asked next, once the job is over and nobody else asks.
  ADD COLUMN look_up_at timestamptz NOT NULL DEFAULT now(),
  -- Found in the books after its item had been reported as failed (I4, I11).
  ADD COLUMN late_effect boolean NOT NULL DEFAULT false,
  ADD CONSTRAINT posting_intent_late_effect_ck CHECK (NOT late_effect OR external_id IS NOT NULL);
CREATE INDEX posting_intent_look_up_at_ix ON posting_intent (look_up_at) WHERE state IN ('sent', 'uncertain');
CREATE INDEX posting_intent_uncertain_ix ON posting_intent (installation_id, created_at, accounting_entry_id)
  WHERE state IN ('sent', 'uncertain');

-- What may be in the books is not sent again before it is known that it is not (I18).
CREATE FUNCTION check_posting_intent_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('sent', 'uncertain') AND NEW.state = 'sent'
    AND (OLD.state = 'uncertain' OR NEW.sent_at > OLD.sent_at) THEN
    RAISE EXCEPTION 'accounting entry % is %, it cannot be sent again', OLD.accounting_entry_id, OLD.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_resend_ck';
  END IF;
  IF OLD.state = 'rejected' AND NEW.state = 'uncertain' THEN
    RAISE EXCEPTION 'accounting entry % is rejected, it cannot become uncertain', OLD.accounting_entry_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_transition_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER posting_intent_transition BEFORE UPDATE ON posting_intent
  FOR EACH ROW EXECUTE FUNCTION check_posting_intent_transition();

-- What a person has found in the ERP of an entry that the connector was unsure of.
CREATE TABLE posting_resolution (
  installation_id uuid NOT NULL,
  erp_company_id text NOT NULL,
  accounting_entry_id uuid NOT NULL,
  revision integer NOT NULL,
  -- The sending it speaks of: after `not-in-the-books` another one may follow and become uncertain too.
  sent_at timestamptz NOT NULL,
  outcome text NOT NULL CONSTRAINT posting_resolution_outcome_ck CHECK (outcome IN ('in-the-books', 'not-in-the-books')),
  external_id text,
  external_url text,
  note text,
  resolved_by text NOT NULL,
  resolved_at timestamptz NOT NULL,
  CONSTRAINT posting_resolution_sent_at_pk
    PRIMARY KEY (installation_id, erp_company_id, accounting_entry_id, revision, sent_at),
  CONSTRAINT posting_resolution_intent_fk FOREIGN KEY (installation_id, erp_company_id, accounting_entry_id, revision)
    REFERENCES posting_intent (installation_id, erp_company_id, accounting_entry_id, revision),
  CONSTRAINT posting_resolution_external_ck CHECK ((outcome = 'in-the-books') = (external_id IS NOT NULL)
    AND (external_url IS NULL OR external_id IS NOT NULL))
);
ALTER TABLE posting_resolution ENABLE ROW LEVEL SECURITY;
ALTER TABLE posting_resolution FORCE ROW LEVEL SECURITY;
CREATE POLICY posting_resolution_tenant ON posting_resolution TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON posting_resolution TO connector_app;

-- The sweeper sees which companies have something to be looked up, and nothing else.
CREATE POLICY posting_intent_scheduler ON posting_intent TO connector_scheduler USING (true);
GRANT SELECT (installation_id, export_job_id, state, look_up_at) ON posting_intent TO connector_scheduler;

-- migrate:down
REVOKE SELECT (installation_id, export_job_id, state, look_up_at) ON posting_intent FROM connector_scheduler;
DROP POLICY posting_intent_scheduler ON posting_intent;
DROP TABLE posting_resolution;
DROP TRIGGER posting_intent_transition ON posting_intent;
DROP FUNCTION check_posting_intent_transition();
DROP INDEX posting_intent_uncertain_ix;
DROP INDEX posting_intent_look_up_at_ix;
ALTER TABLE posting_intent
  DROP CONSTRAINT posting_intent_late_effect_ck,
  DROP COLUMN late_effect,
  DROP COLUMN look_up_at,
  DROP COLUMN sent_at,
  DROP COLUMN first_sent_at;
