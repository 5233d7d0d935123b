-- migrate:up

-- Receipts of accounting entries that the ERP has taken, so that none is sent to it twice (wire-facts §9.7), or that it
-- could not be given. A file is known by its place, type and announced size: its address changes with every fetch, and
-- what replaces it counts as another one.
CREATE TABLE receipt (
  installation_id uuid NOT NULL CONSTRAINT receipt_installation_id_fk REFERENCES installation (id),
  erp_company_id text NOT NULL,
  accounting_entry_id uuid NOT NULL,
  -- From 1, in the order of the item's files.
  position integer NOT NULL CONSTRAINT receipt_position_ck CHECK (position >= 1),
  -- As announced; empty and -1 where the platform did not say.
  media_type text NOT NULL,
  announced_bytes bigint NOT NULL,
  -- Id in the ERP.
  document_id text,
  -- What a bookkeeper was told, of a file without which the entry was posted.
  problem text,
  stored_at timestamptz NOT NULL,
  CONSTRAINT receipt_accounting_entry_id_pk
    PRIMARY KEY (installation_id, erp_company_id, accounting_entry_id, position, media_type, announced_bytes),
  CONSTRAINT receipt_outcome_ck CHECK ((document_id IS NULL) <> (problem IS NULL))
);
ALTER TABLE receipt ENABLE ROW LEVEL SECURITY;
ALTER TABLE receipt FORCE ROW LEVEL SECURITY;
CREATE POLICY receipt_tenant ON receipt TO connector_app USING (installation_id = current_installation())
  WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON receipt TO connector_app;

-- migrate:down
DROP TABLE receipt;
