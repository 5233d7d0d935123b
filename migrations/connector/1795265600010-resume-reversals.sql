-- migrate:up

-- Who wanted the reversal that is under way: it is gone on with for them when whoever began it was interrupted.
ALTER TABLE difference
  ADD COLUMN reversal_asked_by text,
  ADD CONSTRAINT difference_reversal_ck CHECK (reversal_asked_by IS NULL OR reversal_sent_at IS NOT NULL);
CREATE INDEX difference_reversal_ix ON difference (installation_id, company_id)
  WHERE reversal_asked_by IS NOT NULL AND state = 'open';

-- migrate:down
DROP INDEX difference_reversal_ix;
ALTER TABLE difference DROP CONSTRAINT difference_reversal_ck, DROP COLUMN reversal_asked_by;
