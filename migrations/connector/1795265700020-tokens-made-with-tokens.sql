-- migrate:up

-- The token another one was made with: it goes with that, however it goes.
ALTER TABLE api_token
  ADD COLUMN made_with uuid,
  ADD CONSTRAINT api_token_made_with_fk FOREIGN KEY (installation_id, made_with)
    REFERENCES api_token (installation_id, id) ON DELETE CASCADE;
CREATE INDEX api_token_made_with_ix ON api_token (installation_id, made_with);

-- migrate:down
DROP INDEX api_token_made_with_ix;
ALTER TABLE api_token
  DROP CONSTRAINT api_token_made_with_fk,
  DROP COLUMN made_with;
