-- migrate:up

-- An entry whose content changed is reversed in the ERP and posted anew, as the next revision of its intent (bookkeeping §7).
ALTER TABLE posting_intent
  -- "We may have reversed this": written before the ERP is called (I17), taken back when the ERP surely did not.
  ADD COLUMN reversal_sent_at timestamptz,
  DROP CONSTRAINT posting_intent_state_ck,
  ADD CONSTRAINT posting_intent_state_ck CHECK (state IN ('sent', 'uncertain', 'posted', 'rejected', 'reversed')),
  DROP CONSTRAINT posting_intent_posted_ck,
  ADD CONSTRAINT posting_intent_posted_ck CHECK ((state IN ('posted', 'reversed')) = (external_id IS NOT NULL)),
  ADD CONSTRAINT posting_intent_reversal_ck CHECK (reversal_sent_at IS NULL OR state IN ('posted', 'reversed'));

-- What was posted stays posted until it is reversed, and stays as it was then too (I13).
CREATE OR REPLACE FUNCTION keep_posted_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'posted' AND NEW.state IN ('posted', 'reversed')
    AND to_jsonb(NEW) - 'state' - 'reversal_sent_at' = to_jsonb(OLD) - 'state' - 'reversal_sent_at' THEN
    RETURN NEW;
  END IF;
  IF OLD.state IN ('posted', 'reversed') THEN
    RAISE EXCEPTION 'accounting entry % is %, its intent cannot change', OLD.accounting_entry_id, OLD.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_posted_is_final_ck';
  END IF;
  IF NEW.state = 'reversed' THEN
    RAISE EXCEPTION 'accounting entry % is %, only what is posted can be reversed', OLD.accounting_entry_id, OLD.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_reversed_from_posted_ck';
  END IF;
  RETURN NEW;
END
$$;

-- A second effect for one entry needs the first one to be out of the books (I1).
CREATE FUNCTION check_posting_intent_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.revision <> 1 AND NOT EXISTS (
    SELECT FROM posting_intent earlier
    WHERE earlier.installation_id = NEW.installation_id AND earlier.erp_company_id = NEW.erp_company_id
      AND earlier.accounting_entry_id = NEW.accounting_entry_id AND earlier.revision = NEW.revision - 1
      AND earlier.state = 'reversed'
  ) THEN
    RAISE EXCEPTION 'accounting entry %: revision % needs the one before to be reversed', NEW.accounting_entry_id, NEW.revision
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_revision_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER posting_intent_check_revision
  BEFORE INSERT OR UPDATE OF installation_id, erp_company_id, accounting_entry_id, revision ON posting_intent
  FOR EACH ROW EXECUTE FUNCTION check_posting_intent_revision();

-- migrate:down

-- Fails while an entry is recorded as reversed: without that record it would be taken for one that is in the books.
DROP TRIGGER posting_intent_check_revision ON posting_intent;
DROP FUNCTION check_posting_intent_revision();
ALTER TABLE posting_intent
  DROP CONSTRAINT posting_intent_reversal_ck,
  DROP CONSTRAINT posting_intent_posted_ck,
  ADD CONSTRAINT posting_intent_posted_ck CHECK ((state = 'posted') = (external_id IS NOT NULL)),
  DROP CONSTRAINT posting_intent_state_ck,
  ADD CONSTRAINT posting_intent_state_ck CHECK (state IN ('sent', 'uncertain', 'posted', 'rejected')),
  DROP COLUMN reversal_sent_at;
CREATE OR REPLACE FUNCTION keep_posted_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state = 'posted' THEN
    RAISE EXCEPTION 'accounting entry % is posted, its intent cannot change', OLD.accounting_entry_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_posted_is_final_ck';
  END IF;
  RETURN NEW;
END
$$;
