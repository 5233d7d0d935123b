-- migrate:up

-- The allowed edges of an item's state machine (I9): a result is set once, and the platform's answer to it is noted once.
CREATE FUNCTION check_export_item_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'pending' AND (
    ROW (NEW.state, NEW.failure_type, NEW.failure_reason, NEW.warnings, NEW.external_id, NEW.external_url, NEW.exported_at)
    IS DISTINCT FROM
    ROW (OLD.state, OLD.failure_type, OLD.failure_reason, OLD.warnings, OLD.external_id, OLD.external_url, OLD.exported_at)
  ) THEN
    RAISE EXCEPTION 'accounting entry % is % in export job %, its result cannot change',
      OLD.accounting_entry_id, OLD.state, OLD.export_job_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'export_item_result_is_final_ck';
  END IF;
  IF OLD.reported_at IS NOT NULL
    AND ROW (NEW.reported_at, NEW.report_problem) IS DISTINCT FROM ROW (OLD.reported_at, OLD.report_problem) THEN
    RAISE EXCEPTION 'accounting entry % is reported in export job %', OLD.accounting_entry_id, OLD.export_job_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'export_item_reported_once_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER export_item_transition BEFORE UPDATE ON export_item
  FOR EACH ROW EXECUTE FUNCTION check_export_item_transition();

-- Only a result can have been reported.
ALTER TABLE export_item
  ADD CONSTRAINT export_item_reported_ck CHECK (state <> 'pending' OR (reported_at IS NULL AND report_problem IS NULL));

-- migrate:down
ALTER TABLE export_item DROP CONSTRAINT export_item_reported_ck;
DROP TRIGGER export_item_transition ON export_item;
DROP FUNCTION check_export_item_transition();
