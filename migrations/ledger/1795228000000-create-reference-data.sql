-- migrate:up

-- Roles belong to the whole server, so another database of it may have made this one already.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'ledger_app') THEN
    CREATE ROLE ledger_app NOLOGIN;
  END IF;
EXCEPTION
  -- Two databases of one server may be migrated at the same moment.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
-- The program's user takes this role on; it needs to be a member of it.
DO $$
BEGIN
  -- Before PostgreSQL 16 every member may take a role on; since then membership says so apart.
  IF NOT pg_has_role(current_user, 'ledger_app',
    CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
    EXECUTE format('GRANT ledger_app TO %I', current_user);
  END IF;
END
$$;
GRANT USAGE ON SCHEMA ledger TO ledger_app;

-- An id that sorts by its time: RFC 9562 version 7, milliseconds and their fraction (method 3 of section 6.2) before the
-- random part. PostgreSQL has it built in only since 18; 15 to 17 are welcome too.
CREATE FUNCTION time_ordered_id() RETURNS uuid LANGUAGE sql VOLATILE AS $$
  SELECT encode(
    int8send((micro.now / 1000) << 16 | x'7000'::bigint | (micro.now % 1000) * 4096 / 1000)
      || substring(uuid_send(gen_random_uuid()) FROM 9),
    'hex')::uuid
  FROM (SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint AS now) micro
$$;

-- Two fiscal periods of a company may not overlap; the index that refuses it compares ids as well as dates.
CREATE EXTENSION IF NOT EXISTS btree_gist;

CREATE TABLE company (
  id uuid CONSTRAINT company_id_pk PRIMARY KEY,
  name text NOT NULL,
  registration_number text,
  functional_currency text NOT NULL CONSTRAINT company_functional_currency_ck CHECK (functional_currency ~ '^[A-Z]{3}$'),
  time_zone text NOT NULL,
  country text CONSTRAINT company_country_ck CHECK (country ~ '^[A-Z]{2}$'),
  -- How long a posting key names one effect: what a caller may rely on after an unknown outcome.
  idempotency text NOT NULL DEFAULT 'forever'
    CONSTRAINT company_idempotency_ck CHECK (idempotency IN ('forever', 'short', 'reference-only', 'none')),
  idempotency_seconds integer,
  last_vendor_number bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT company_idempotency_seconds_ck
    CHECK (CASE idempotency WHEN 'short' THEN idempotency_seconds > 0 ELSE idempotency_seconds IS NULL END IS TRUE)
);

-- Entries are numbered 1, 2, 3, … in a fiscal year; the row's lock makes the series gap-free.
CREATE TABLE fiscal_year (
  company_id uuid NOT NULL CONSTRAINT fiscal_year_company_id_fk REFERENCES company (id),
  year integer NOT NULL,
  last_entry_number bigint NOT NULL DEFAULT 0,
  CONSTRAINT fiscal_year_company_id_year_pk PRIMARY KEY (company_id, year)
);

CREATE TABLE fiscal_period (
  company_id uuid NOT NULL,
  starts_on date NOT NULL,
  ends_on date NOT NULL,
  fiscal_year integer NOT NULL,
  state text NOT NULL CONSTRAINT fiscal_period_state_ck CHECK (state IN ('open', 'closed')),
  CONSTRAINT fiscal_period_company_id_starts_on_pk PRIMARY KEY (company_id, starts_on),
  CONSTRAINT fiscal_period_fiscal_year_fk FOREIGN KEY (company_id, fiscal_year) REFERENCES fiscal_year (company_id, year),
  CONSTRAINT fiscal_period_ends_on_ck CHECK (ends_on >= starts_on),
  CONSTRAINT fiscal_period_overlap_ck
    EXCLUDE USING gist (company_id WITH =, daterange(starts_on, ends_on, '[]') WITH &&)
);

CREATE TABLE account (
  company_id uuid NOT NULL CONSTRAINT account_company_id_fk REFERENCES company (id),
  code text NOT NULL,
  external_id text NOT NULL,
  name text NOT NULL,
  type text NOT NULL CONSTRAINT account_type_ck CHECK (type IN ('asset', 'liability', 'equity', 'income', 'expense')),
  active boolean NOT NULL,
  CONSTRAINT account_company_id_code_pk PRIMARY KEY (company_id, code),
  CONSTRAINT account_company_id_external_id_uq UNIQUE (company_id, external_id)
);

CREATE TABLE tax_code (
  company_id uuid NOT NULL CONSTRAINT tax_code_company_id_fk REFERENCES company (id),
  code text NOT NULL,
  external_id text NOT NULL,
  name text NOT NULL,
  -- A share of 1: 0.25 is 25 %.
  rate numeric NOT NULL CONSTRAINT tax_code_rate_ck CHECK (rate >= 0),
  input_account_code text,
  output_account_code text,
  deductible numeric NOT NULL CONSTRAINT tax_code_deductible_ck CHECK (deductible BETWEEN 0 AND 1),
  active boolean NOT NULL,
  CONSTRAINT tax_code_company_id_code_pk PRIMARY KEY (company_id, code),
  CONSTRAINT tax_code_company_id_external_id_uq UNIQUE (company_id, external_id),
  CONSTRAINT tax_code_input_account_code_fk FOREIGN KEY (company_id, input_account_code) REFERENCES account (company_id, code),
  CONSTRAINT tax_code_output_account_code_fk FOREIGN KEY (company_id, output_account_code) REFERENCES account (company_id, code)
);

CREATE TABLE dimension (
  company_id uuid NOT NULL CONSTRAINT dimension_company_id_fk REFERENCES company (id),
  code text NOT NULL,
  name text NOT NULL,
  active boolean NOT NULL,
  CONSTRAINT dimension_company_id_code_pk PRIMARY KEY (company_id, code)
);

CREATE TABLE dimension_value (
  company_id uuid NOT NULL,
  dimension_code text NOT NULL,
  code text NOT NULL,
  name text NOT NULL,
  active boolean NOT NULL,
  CONSTRAINT dimension_value_company_id_dimension_code_code_pk PRIMARY KEY (company_id, dimension_code, code),
  CONSTRAINT dimension_value_dimension_code_fk FOREIGN KEY (company_id, dimension_code) REFERENCES dimension (company_id, code)
);

CREATE TABLE vendor (
  company_id uuid NOT NULL CONSTRAINT vendor_company_id_fk REFERENCES company (id),
  number text NOT NULL,
  id uuid NOT NULL DEFAULT time_ordered_id(),
  -- Name the creator gave to this one creation; the same key again creates nothing.
  creation_key text,
  external_id text,
  name text NOT NULL,
  country text CONSTRAINT vendor_country_ck CHECK (country ~ '^[A-Z]{2}$'),
  registration_number text,
  tax_registration_number text,
  payable_account_code text,
  default_currency text CONSTRAINT vendor_default_currency_ck CHECK (default_currency ~ '^[A-Z]{3}$'),
  is_employee boolean NOT NULL,
  blocked boolean NOT NULL,
  archived boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT vendor_company_id_number_pk PRIMARY KEY (company_id, number),
  CONSTRAINT vendor_id_uq UNIQUE (id),
  CONSTRAINT vendor_company_id_creation_key_uq UNIQUE (company_id, creation_key),
  CONSTRAINT vendor_company_id_external_id_uq UNIQUE (company_id, external_id),
  CONSTRAINT vendor_payable_account_code_fk FOREIGN KEY (company_id, payable_account_code) REFERENCES account (company_id, code)
);

CREATE TABLE exchange_rate (
  company_id uuid NOT NULL CONSTRAINT exchange_rate_company_id_fk REFERENCES company (id),
  from_currency text NOT NULL CONSTRAINT exchange_rate_from_currency_ck CHECK (from_currency ~ '^[A-Z]{3}$'),
  to_currency text NOT NULL CONSTRAINT exchange_rate_to_currency_ck CHECK (to_currency ~ '^[A-Z]{3}$'),
  rated_on date NOT NULL,
  -- Main units of the target per one main unit of the source.
  rate numeric NOT NULL CONSTRAINT exchange_rate_rate_ck CHECK (rate > 0),
  CONSTRAINT exchange_rate_company_id_from_currency_to_currency_rated_on_pk
    PRIMARY KEY (company_id, from_currency, to_currency, rated_on),
  CONSTRAINT exchange_rate_currencies_ck CHECK (from_currency <> to_currency)
);

GRANT SELECT, INSERT, UPDATE ON company, fiscal_year, fiscal_period, account, tax_code, dimension, dimension_value, vendor,
  exchange_rate TO ledger_app;

-- migrate:down
DROP TABLE exchange_rate, vendor, dimension_value, dimension, tax_code, account, fiscal_period, fiscal_year, company;
DROP EXTENSION btree_gist;
DROP FUNCTION time_ordered_id();
