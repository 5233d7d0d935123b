-- migrate:up

-- What the ERP has lost counts as reversed once a person has noted it, and the next revision may be posted.
ALTER TABLE posting_intent
  -- When it was first seen to be missing. Null: the ERP shows it, standing or reversed.
  ADD COLUMN lost_at timestamptz,
  ADD CONSTRAINT posting_intent_lost_ck CHECK (lost_at IS NULL OR state = 'reversed');

-- What was posted stays as it was (I13); what the ERP had lost may come back, as when its backup is restored.
CREATE OR REPLACE FUNCTION keep_posted_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state = 'posted' AND NEW.state IN ('posted', 'reversed')
      OR OLD.state = 'reversed' AND NEW.state IN ('posted', 'reversed') AND NEW.lost_at IS DISTINCT FROM OLD.lost_at)
    AND to_jsonb(NEW) - 'state' - 'reversal_sent_at' - 'lost_at' = to_jsonb(OLD) - 'state' - 'reversal_sent_at' - 'lost_at' THEN
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

-- migrate:down

-- What was lost stays recorded as reversed: nothing of it is in the books.
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
ALTER TABLE posting_intent
  DROP CONSTRAINT posting_intent_lost_ck,
  DROP COLUMN lost_at;
