-- migrate:up

CREATE TABLE export_item (
  accounting_entry_id uuid CONSTRAINT export_item_accounting_entry_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT export_item_company_id_fk REFERENCES company (id),
  -- Currency of the wallet when the type shows a contra account, else null.
  contra_currency text,
  -- The item carries no contra account of its own: the company's is added when it is read.
  takes_company_contra boolean NOT NULL,
  -- JSON text exactly as it goes over the wire; numbers keep every digit.
  body text NOT NULL,
  exported boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE INDEX export_item_company_id_ix ON export_item (company_id) WHERE NOT exported;

CREATE TABLE export_job (
  id uuid CONSTRAINT export_job_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT export_job_company_id_fk REFERENCES company (id),
  status text NOT NULL CONSTRAINT export_job_status_ck
    CHECK (status IN ('pending', 'in_progress', 'failed', 'completed', 'completed_with_errors')),
  is_interactive boolean NOT NULL,
  vendor_based_bookkeeping boolean NOT NULL,
  number_of_items integer NOT NULL,
  -- Distinct contra_currency of its items: a job's items never change.
  contra_currencies text[] NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  started_at timestamptz,
  completed_at timestamptz,
  expired_at timestamptz,
  last_updated_at timestamptz NOT NULL,
  expires_in integer NOT NULL,
  failure_reason text,
  failure_reason_type text
);
-- One running job per company.
CREATE UNIQUE INDEX export_job_company_id_uq ON export_job (company_id) WHERE status IN ('pending', 'in_progress');
CREATE INDEX export_job_company_id_ix ON export_job (company_id, position);

CREATE TABLE export_job_item (
  export_job_id uuid NOT NULL CONSTRAINT export_job_item_export_job_id_fk REFERENCES export_job (id),
  accounting_entry_id uuid NOT NULL
    CONSTRAINT export_job_item_accounting_entry_id_fk REFERENCES export_item (accounting_entry_id),
  position integer NOT NULL,
  status text NOT NULL CONSTRAINT export_job_item_status_ck
    CHECK (status IN ('pending', 'in_progress', 'failed', 'successful', 'abandoned')),
  exported_at timestamptz,
  external_id text,
  external_url text,
  failure_reason text,
  failure_reason_type text,
  CONSTRAINT export_job_item_export_job_id_accounting_entry_id_pk PRIMARY KEY (export_job_id, accounting_entry_id)
);
CREATE UNIQUE INDEX export_job_item_export_job_id_position_uq ON export_job_item (export_job_id, position);
CREATE INDEX export_job_item_accounting_entry_id_ix ON export_job_item (accounting_entry_id);

-- Everything that moved a job, in the order in which it was accepted.
CREATE TABLE export_job_event (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT export_job_event_id_pk PRIMARY KEY,
  export_job_id uuid NOT NULL CONSTRAINT export_job_event_export_job_id_fk REFERENCES export_job (id),
  event text NOT NULL,
  failure_reason text,
  failure_reason_type text,
  accepted_at timestamptz NOT NULL
);
CREATE INDEX export_job_event_export_job_id_ix ON export_job_event (export_job_id);

-- migrate:down
DROP TABLE export_job_event;
DROP TABLE export_job_item;
DROP TABLE export_job;
DROP TABLE export_item;
