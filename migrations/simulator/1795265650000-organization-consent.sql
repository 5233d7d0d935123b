-- migrate:up
-- A person may consent for all companies of an organization: the installation's resource says which.
ALTER TABLE consent ALTER COLUMN company_id DROP NOT NULL;

-- migrate:down
DELETE FROM consent WHERE company_id IS NULL;
ALTER TABLE consent ALTER COLUMN company_id SET NOT NULL;
