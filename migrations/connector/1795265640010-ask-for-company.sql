-- migrate:up

-- While this lies ahead, whoever works on the company lets go of it: it is needed for its last words to the platform.
ALTER TABLE company_lease ADD COLUMN asked_for_until timestamptz NOT NULL DEFAULT '-infinity';

-- migrate:down
ALTER TABLE company_lease DROP COLUMN asked_for_until;
