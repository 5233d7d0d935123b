-- migrate:up

-- Documents are stored before the entries they belong to are posted: up to 30 MB each, and for a while behind no entry.
ALTER TABLE attachment
  DROP CONSTRAINT attachment_size_ck,
  ADD CONSTRAINT attachment_size_ck CHECK (length(content) BETWEEN 1 AND 31457280),
  -- When somebody sent these bytes last: what no entry has is kept for a while after that.
  ADD COLUMN last_stored_at timestamptz NOT NULL DEFAULT now();

-- The order in which an entry's documents were given; those of one posting come in the same moment.
ALTER TABLE entry_attachment
  ADD COLUMN sequence bigint GENERATED ALWAYS AS IDENTITY;
CREATE INDEX entry_attachment_digest_ix ON entry_attachment (company_id, digest);
CREATE INDEX attachment_last_stored_at_ix ON attachment (company_id, last_stored_at);

-- What an entry has stays for ever; what none has may go after 30 days.
DROP TRIGGER attachment_append_only ON attachment;
CREATE TRIGGER attachment_append_only
  BEFORE UPDATE OF company_id, digest, media_type, content, created_at OR TRUNCATE ON attachment
  EXECUTE FUNCTION refuse_change();

CREATE FUNCTION keep_attachment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.last_stored_at > now() - interval '30 days'
    OR EXISTS (SELECT FROM entry_attachment WHERE company_id = OLD.company_id AND digest = OLD.digest) THEN
    RAISE EXCEPTION 'attachment % is in use', OLD.digest
      USING ERRCODE = 'insufficient_privilege', CONSTRAINT = 'attachment_kept_ck', TABLE = TG_TABLE_NAME;
  END IF;
  RETURN OLD;
END
$$;
CREATE TRIGGER attachment_keep BEFORE DELETE ON attachment FOR EACH ROW EXECUTE FUNCTION keep_attachment();
GRANT DELETE, UPDATE (last_stored_at) ON attachment TO ledger_app;

-- migrate:down

-- Fails while there is a document of more than 10 MB.
REVOKE DELETE, UPDATE (last_stored_at) ON attachment FROM ledger_app;
DROP TRIGGER attachment_keep ON attachment;
DROP FUNCTION keep_attachment();
DROP TRIGGER attachment_append_only ON attachment;
CREATE TRIGGER attachment_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON attachment EXECUTE FUNCTION refuse_change();
DROP INDEX attachment_last_stored_at_ix, entry_attachment_digest_ix;
ALTER TABLE entry_attachment DROP COLUMN sequence;
ALTER TABLE attachment
  DROP COLUMN last_stored_at,
  DROP CONSTRAINT attachment_size_ck,
  ADD CONSTRAINT attachment_size_ck CHECK (length(content) BETWEEN 1 AND 10485760);
