-- migrate:up

-- Entries by the number of their document: a bookkeeper's search, duplicates, payments that name a document.
CREATE INDEX journal_entry_document_number_ix ON journal_entry (company_id, document_number)
  WHERE document_number IS NOT NULL;

-- migrate:down
DROP INDEX journal_entry_document_number_ix;
