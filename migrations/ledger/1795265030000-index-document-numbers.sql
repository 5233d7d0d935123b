-- migrate:up

-- Documents by their number: duplicates, and payments that name a document of another kind.
CREATE INDEX journal_entry_document_number_ix ON journal_entry (company_id, document_number)
  WHERE document_number IS NOT NULL AND role IN ('entry', 'invoice', 'credit-note');

-- migrate:down
DROP INDEX journal_entry_document_number_ix;
