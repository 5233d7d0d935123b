-- migrate:up

-- Documents behind entries, kept under the digest of their bytes: the same receipt twice is one row, and a changed byte
-- would be another one.
CREATE TABLE attachment (
  company_id uuid NOT NULL CONSTRAINT attachment_company_id_fk REFERENCES company (id),
  -- SHA-256 in hex.
  digest text NOT NULL,
  media_type text NOT NULL CONSTRAINT attachment_media_type_ck CHECK (media_type ~ '^[a-z]+/[a-z0-9.+-]+$'),
  content bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT attachment_company_id_digest_pk PRIMARY KEY (company_id, digest),
  CONSTRAINT attachment_digest_ck CHECK (digest = encode(sha256(content), 'hex')),
  CONSTRAINT attachment_size_ck CHECK (length(content) BETWEEN 1 AND 10485760)
);
-- Compressed formats gain nothing from a second compression.
ALTER TABLE attachment ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE entry_attachment (
  company_id uuid NOT NULL,
  entry_id uuid NOT NULL CONSTRAINT entry_attachment_entry_id_fk REFERENCES journal_entry (id),
  digest text NOT NULL,
  file_name text NOT NULL,
  attached_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT entry_attachment_entry_id_digest_pk PRIMARY KEY (entry_id, digest),
  CONSTRAINT entry_attachment_digest_fk FOREIGN KEY (company_id, digest) REFERENCES attachment (company_id, digest)
);

CREATE TRIGGER attachment_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON attachment EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entry_attachment_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry_attachment
  EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON attachment, entry_attachment TO ledger_app;

-- migrate:down
DROP TABLE entry_attachment, attachment;
