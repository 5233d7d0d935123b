-- migrate:up

-- Suggestions read why items failed; most items do not.
CREATE INDEX export_item_failed_ix ON export_item (installation_id, export_job_id) WHERE state = 'failed';

-- migrate:down
DROP INDEX export_item_failed_ix;
