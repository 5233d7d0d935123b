-- migrate:up

-- Receipts behind export items. What is served may be another thing than what the item announces.
CREATE TABLE item_file (
  id uuid CONSTRAINT item_file_id_pk PRIMARY KEY,
  accounting_entry_id uuid NOT NULL CONSTRAINT item_file_accounting_entry_id_fk REFERENCES export_item (accounting_entry_id),
  -- From 1, in the order of the item's files.
  position integer NOT NULL,
  name text NOT NULL,
  media_type text NOT NULL,
  announced_size bigint NOT NULL,
  size bigint NOT NULL,
  -- Null: made up while it is served.
  content bytea,
  -- Bytes after which the connection breaks.
  break_after bigint,
  -- Signs the addresses of this file.
  address_key text NOT NULL,
  CONSTRAINT item_file_position_uq UNIQUE (accounting_entry_id, position)
);

-- migrate:down
DROP TABLE item_file;
