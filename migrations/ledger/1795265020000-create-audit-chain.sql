-- migrate:up

-- Each posted entry is chained to the one posted before it: hash = SHA-256(hash before, content). A changed byte breaks
-- the chain from there on, whoever changed it.
CREATE TABLE audit_link (
  company_id uuid NOT NULL,
  position bigint NOT NULL CONSTRAINT audit_link_position_ck CHECK (position >= 1),
  -- No foreign key: a link whose entry is gone is evidence.
  entry_id uuid NOT NULL CONSTRAINT audit_link_entry_id_uq UNIQUE,
  hash bytea NOT NULL CONSTRAINT audit_link_hash_ck CHECK (length(hash) = 32),
  CONSTRAINT audit_link_company_id_position_pk PRIMARY KEY (company_id, position)
);

-- Everything that is in the books under a posted entry, as one text that is the same on every server and in every
-- session: dates are ISO 8601 inside JSON, points in time microseconds since 1970.
CREATE VIEW entry_content AS
  SELECT entry.id AS entry_id, entry.company_id, entry.fiscal_year, entry.number,
    json_build_array(entry.id, entry.company_id, posting_group.id, posting_group.key, posting_group.revision,
      posting_group.content_digest, entry.role, entry.fiscal_year, entry.number, entry.posting_date, entry.document_date,
      entry.due_date, entry.document_number, entry.currency, entry.description, entry.reference, entry.settlement,
      entry.metadata, entry.reverses_id, (extract(epoch FROM entry.created_at) * 1000000)::bigint,
      (extract(epoch FROM entry.posted_at) * 1000000)::bigint, entry.line_count)::text
    || (SELECT json_agg(json_build_array(line_no, line.company_id, account_code, amount_minor, base_minor, vendor_number,
          employee, tax_code, dimensions) ORDER BY line_no) FROM journal_line line WHERE line.entry_id = entry.id)::text AS content
  FROM journal_entry entry JOIN posting_group ON posting_group.id = entry.posting_group_id
  WHERE entry.state = 'posted';

-- The company's row is locked, so that its chain has one end.
CREATE FUNCTION chain_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  written constant text := CASE TG_TABLE_NAME WHEN 'journal_line' THEN 'SELECT DISTINCT entry_id FROM added_line'
    ELSE 'SELECT id AS entry_id FROM changed_entry' END;
  chained uuid;
  last_hash bytea;
  next record;
  place bigint;
  ids uuid[] := '{}';
  hashes bytea[] := '{}';
BEGIN
  FOR next IN EXECUTE format('SELECT entry_id, company_id, content FROM (%s) written JOIN entry_content USING (entry_id)
      ORDER BY company_id, fiscal_year, number', written) LOOP
    IF next.company_id IS DISTINCT FROM chained THEN
      INSERT INTO audit_link (company_id, position, entry_id, hash)
        SELECT chained, place + nth, id, hash FROM unnest(ids, hashes) WITH ORDINALITY AS link (id, hash, nth);
      chained := next.company_id;
      PERFORM FROM company WHERE id = chained FOR NO KEY UPDATE;
      SELECT position, hash INTO place, last_hash FROM audit_link WHERE company_id = chained ORDER BY position DESC LIMIT 1;
      place := coalesce(place, 0);
      last_hash := coalesce(last_hash, '');
      ids := '{}';
      hashes := '{}';
    END IF;
    last_hash := sha256(last_hash || convert_to(next.content, 'UTF8'));
    ids := ids || next.entry_id;
    hashes := hashes || last_hash;
  END LOOP;
  INSERT INTO audit_link (company_id, position, entry_id, hash)
    SELECT chained, place + nth, id, hash FROM unnest(ids, hashes) WITH ORDINALITY AS link (id, hash, nth);
  RETURN NULL;
END
$$;
CREATE TRIGGER journal_line_chain AFTER INSERT ON journal_line
  REFERENCING NEW TABLE AS added_line FOR EACH STATEMENT EXECUTE FUNCTION chain_entries();
CREATE TRIGGER journal_entry_chain AFTER UPDATE ON journal_entry
  REFERENCING NEW TABLE AS changed_entry FOR EACH STATEMENT EXECUTE FUNCTION chain_entries();
CREATE TRIGGER audit_link_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_link EXECUTE FUNCTION refuse_change();
GRANT SELECT ON audit_link, entry_content TO ledger_app;

DO $$
DECLARE
  entry record;
  place bigint;
  last_company uuid;
  last_hash bytea;
BEGIN
  FOR entry IN SELECT entry_content.company_id, entry_id, content FROM entry_content JOIN journal_entry ON id = entry_id
      ORDER BY entry_content.company_id, created_at, journal_entry.fiscal_year, journal_entry.number LOOP
    IF entry.company_id IS DISTINCT FROM last_company THEN
      last_company := entry.company_id;
      place := 0;
      last_hash := '';
    END IF;
    place := place + 1;
    last_hash := sha256(last_hash || convert_to(entry.content, 'UTF8'));
    INSERT INTO audit_link VALUES (entry.company_id, place, entry.entry_id, last_hash);
  END LOOP;
END
$$;

-- migrate:down
DROP TRIGGER journal_line_chain ON journal_line;
DROP TRIGGER journal_entry_chain ON journal_entry;
DROP FUNCTION chain_entries();
DROP VIEW entry_content;
DROP TABLE audit_link;
