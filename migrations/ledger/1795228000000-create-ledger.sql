-- migrate:up

-- ===== Role and helpers ===============================================================================================

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
-- The program's user takes this role on, so it has to be a member of it.
DO $$
BEGIN
  -- Before PostgreSQL 16 every member may take a role on; since then membership says so separately.
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

-- ===== Companies and reference data ===================================================================================

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
  -- How long a search may miss what is already there: a weak ERP, to try out.
  search_lag_seconds integer NOT NULL DEFAULT 0,
  last_vendor_number bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT company_idempotency_seconds_ck
    CHECK (CASE idempotency WHEN 'short' THEN idempotency_seconds > 0 ELSE idempotency_seconds IS NULL END IS TRUE),
  CONSTRAINT company_search_lag_seconds_ck CHECK (search_lag_seconds = 0 OR
    (search_lag_seconds BETWEEN 1 AND 3600 AND idempotency = 'reference-only'))
);

-- A key that opens one company. The text itself is shown once and not stored.
CREATE TABLE api_key (
  id uuid CONSTRAINT api_key_id_pk PRIMARY KEY DEFAULT time_ordered_id(),
  company_id uuid NOT NULL CONSTRAINT api_key_company_id_fk REFERENCES company (id),
  -- SHA-256.
  digest bytea NOT NULL CONSTRAINT api_key_digest_ck CHECK (octet_length(digest) = 32),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT api_key_digest_uq UNIQUE (digest)
);
CREATE INDEX api_key_company_id_ix ON api_key (company_id);

-- What a person has let the registered client do, by signing in with a key of a company: deleting the key ends it.
CREATE TABLE oauth_grant (
  id uuid CONSTRAINT oauth_grant_id_pk PRIMARY KEY DEFAULT time_ordered_id(),
  api_key_id uuid NOT NULL CONSTRAINT oauth_grant_api_key_id_fk REFERENCES api_key (id) ON DELETE CASCADE,
  -- SHA-256 of the client's verifier (RFC 7636).
  code_challenge text NOT NULL CONSTRAINT oauth_grant_code_challenge_ck CHECK (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX oauth_grant_api_key_id_ix ON oauth_grant (api_key_id);

-- Codes and refresh tokens are good once; used ones are kept to their end, so that a second use is noticed.
CREATE TABLE oauth_token (
  -- SHA-256.
  digest bytea CONSTRAINT oauth_token_digest_pk PRIMARY KEY CONSTRAINT oauth_token_digest_ck CHECK (octet_length(digest) = 32),
  grant_id uuid NOT NULL CONSTRAINT oauth_token_grant_id_fk REFERENCES oauth_grant (id) ON DELETE CASCADE,
  kind text NOT NULL CONSTRAINT oauth_token_kind_ck CHECK (kind IN ('code', 'access', 'refresh')),
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX oauth_token_grant_id_ix ON oauth_token (grant_id);
CREATE INDEX oauth_token_expires_at_ix ON oauth_token (expires_at);

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

-- How often each list of master data has changed, for programs that keep a copy: they read again what has changed. A reader asks
-- for the number before it reads the list, and what it reads may be newer than the number, never older.
CREATE TABLE list_revision (
  company_id uuid NOT NULL CONSTRAINT list_revision_company_id_fk REFERENCES company (id),
  list text NOT NULL CONSTRAINT list_revision_list_ck
    CHECK (list IN ('accounts', 'taxCodes', 'dimensions', 'vendors', 'periods')),
  revision bigint NOT NULL,
  CONSTRAINT list_revision_company_id_list_pk PRIMARY KEY (company_id, list)
);

CREATE FUNCTION count_added_rows() RETURNS trigger LANGUAGE plpgsql SET search_path = ledger, pg_temp AS $$
BEGIN
  INSERT INTO list_revision (company_id, list, revision)
  SELECT DISTINCT company_id, TG_ARGV[0], 1 FROM new_rows ORDER BY company_id
  ON CONFLICT (company_id, list) DO UPDATE SET revision = list_revision.revision + 1;
  RETURN NULL;
END
$$;
-- A row that is written again as it was is no change.
CREATE FUNCTION count_changed_rows() RETURNS trigger LANGUAGE plpgsql SET search_path = ledger, pg_temp AS $$
BEGIN
  INSERT INTO list_revision (company_id, list, revision)
  SELECT DISTINCT company_id, TG_ARGV[0], 1 FROM (TABLE new_rows EXCEPT TABLE old_rows) changed ORDER BY company_id
  ON CONFLICT (company_id, list) DO UPDATE SET revision = list_revision.revision + 1;
  RETURN NULL;
END
$$;
DO $$
DECLARE
  counted record;
BEGIN
  FOR counted IN VALUES ('account', 'accounts'), ('tax_code', 'taxCodes'), ('dimension', 'dimensions'),
    ('dimension_value', 'dimensions'), ('vendor', 'vendors'), ('fiscal_period', 'periods')
  LOOP
    EXECUTE format('CREATE TRIGGER %I AFTER INSERT ON %I REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION count_added_rows(%L)', counted.column1 || '_added', counted.column1, counted.column2);
    EXECUTE format('CREATE TRIGGER %I AFTER UPDATE ON %I REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION count_changed_rows(%L)', counted.column1 || '_changed', counted.column1, counted.column2);
  END LOOP;
END
$$;

GRANT SELECT, INSERT, UPDATE ON list_revision, company, fiscal_year, fiscal_period, account, tax_code, dimension, dimension_value, vendor,
  exchange_rate TO ledger_app;
GRANT SELECT, INSERT, DELETE ON api_key, oauth_grant, oauth_token TO ledger_app;
GRANT UPDATE (used_at) ON oauth_token TO ledger_app;

-- ===== Journal ========================================================================================================

-- Functions that name tables put pg_temp last in their search_path: where it is not named it comes first, and a trigger
-- would check or write a temporary table of the application instead of ours.
-- Many of their statements are dynamic and look up the few rows that a statement touches one by one: a plan kept from when
-- the tables were empty, or made for their average size, would go through all of them.

-- What was posted under one key: all entries of one accounting entry, whole or not at all.
CREATE TABLE posting_group (
  id uuid CONSTRAINT posting_group_id_pk PRIMARY KEY,
  company_id uuid NOT NULL CONSTRAINT posting_group_company_id_fk REFERENCES company (id),
  key text NOT NULL,
  -- 1 unless the key was used again: after it expired, or once everything under it was canceled.
  revision integer NOT NULL CONSTRAINT posting_group_revision_ck CHECK (revision >= 1),
  content_digest text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT posting_group_company_id_key_revision_uq UNIQUE (company_id, key, revision),
  CONSTRAINT posting_group_company_id_id_uq UNIQUE (company_id, id)
);

-- What a bookkeeper should look at though it was posted; said again to whoever asks by the same key.
CREATE TABLE posting_warning (
  company_id uuid NOT NULL,
  posting_group_id uuid NOT NULL,
  warning_no integer NOT NULL,
  code text NOT NULL,
  message text NOT NULL,
  CONSTRAINT posting_warning_posting_group_id_warning_no_pk PRIMARY KEY (posting_group_id, warning_no),
  CONSTRAINT posting_warning_posting_group_id_fk FOREIGN KEY (company_id, posting_group_id)
    REFERENCES posting_group (company_id, id)
);

-- All lines of an entry come in one statement, right after the entry: one look at that statement (check_lines) then sees
-- whether an entry is complete and balanced and its accounts are there, and no line can come later. A look per line or per
-- entry costs more than the writing, so there is no foreign key to the entry or to the account: entries never go away, and
-- the account of a line has a row in account_turnover, which does refer to it.
CREATE TABLE journal_line (
  company_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  line_no integer NOT NULL,
  account_code text NOT NULL,
  -- Signed minor units, debit positive: in the entry's currency and in the company's.
  amount_minor bigint NOT NULL,
  base_minor bigint NOT NULL,
  vendor_number text,
  employee text,
  tax_code text,
  -- What a tax return needs, with the sign of the line: on the line of the tax itself, or on the expense where nothing of the
  -- tax is deducted. The taxable amount and the tax are the full ones, whatever the share that is deducted.
  tax_place text CONSTRAINT journal_line_tax_place_ck CHECK (tax_place IN ('input', 'output', 'expense')),
  tax_reverse_charge boolean,
  -- A share of 1: 0.25 is 25 %.
  tax_rate numeric CONSTRAINT journal_line_tax_rate_ck CHECK (tax_rate >= 0),
  tax_deductible numeric CONSTRAINT journal_line_tax_deductible_ck CHECK (tax_deductible BETWEEN 0 AND 1),
  taxable_minor bigint,
  taxable_base_minor bigint,
  tax_minor bigint,
  tax_base_minor bigint,
  dimensions jsonb NOT NULL,
  CONSTRAINT journal_line_entry_id_line_no_pk PRIMARY KEY (entry_id, line_no),
  CONSTRAINT journal_line_vendor_number_fk FOREIGN KEY (company_id, vendor_number) REFERENCES vendor (company_id, number),
  CONSTRAINT journal_line_tax_code_fk FOREIGN KEY (company_id, tax_code) REFERENCES tax_code (company_id, code),
  CONSTRAINT journal_line_line_no_ck CHECK (line_no >= 1),
  CONSTRAINT journal_line_zero_ck CHECK (amount_minor <> 0 OR base_minor <> 0),
  CONSTRAINT journal_line_one_side_ck
    CHECK (NOT (amount_minor > 0 AND base_minor < 0) AND NOT (amount_minor < 0 AND base_minor > 0)),
  CONSTRAINT journal_line_tax_whole_ck CHECK (num_nonnulls(tax_reverse_charge, tax_deductible, taxable_minor,
    taxable_base_minor, tax_minor, tax_base_minor) = CASE WHEN tax_place IS NULL THEN 0 ELSE 6 END
    AND (tax_rate IS NULL OR tax_place IS NOT NULL)),
  -- Output tax is posted in full, input tax at most.
  CONSTRAINT journal_line_tax_amount_ck CHECK (CASE tax_place
    WHEN 'output' THEN (amount_minor, base_minor) = (tax_minor, tax_base_minor)
    WHEN 'input' THEN amount_minor BETWEEN least(tax_minor, 0) AND greatest(tax_minor, 0) ELSE true END)
);
CREATE INDEX journal_line_account_code_ix ON journal_line (company_id, account_code, entry_id);
-- Lines in base only: rounding, realized differences, corrections of a rate.
CREATE INDEX journal_line_base_only_ix ON journal_line (company_id, entry_id) WHERE amount_minor = 0;
-- The list of entries of one vendor.
CREATE INDEX journal_line_vendor_number_ix ON journal_line (company_id, vendor_number, entry_id) WHERE vendor_number IS NOT NULL;

-- The VAT report.
CREATE INDEX journal_line_tax_place_ix ON journal_line (company_id, entry_id) WHERE tax_place IS NOT NULL;

-- The tax of a line as responses show it; amounts as text, because JSON numbers are floats.
CREATE FUNCTION tax_of_line(line journal_line) RETURNS jsonb LANGUAGE sql IMMUTABLE
RETURN CASE WHEN line.tax_place IS NOT NULL THEN jsonb_build_object('place', line.tax_place,
  'reverseCharge', line.tax_reverse_charge, 'rate', line.tax_rate::text, 'deductible', line.tax_deductible::text,
  'taxableMinor', line.taxable_minor::text, 'taxableBaseMinor', line.taxable_base_minor::text,
  'taxMinor', line.tax_minor::text, 'taxBaseMinor', line.tax_base_minor::text) END;

-- An entry is canceled by its reversal, a draft by discarding it. The books themselves write reversals, realized exchange
-- differences and transfers between payable accounts, any number of them in a group. The fiscal year has no foreign key: check_entry_periods() compares
-- it with the period's, which has one.
CREATE TABLE journal_entry (
  id uuid CONSTRAINT journal_entry_id_pk PRIMARY KEY,
  company_id uuid NOT NULL,
  posting_group_id uuid NOT NULL,
  -- Entries of one role are the parts of one that a caller has divided.
  part integer NOT NULL DEFAULT 1 CONSTRAINT journal_entry_part_ck CHECK (part >= 1),
  role text NOT NULL CONSTRAINT journal_entry_role_ck
    CHECK (role IN ('entry', 'invoice', 'payment', 'credit-note', 'receipt', 'reversal', 'realized-fx', 'transfer')),
  state text NOT NULL CONSTRAINT journal_entry_state_ck CHECK (state IN ('draft', 'posted', 'discarded')),
  fiscal_year integer NOT NULL,
  -- Given when the entry is posted; drafts have none, so that a series has no gaps.
  number bigint,
  posted_at timestamptz,
  posting_date date NOT NULL,
  document_date date,
  due_date date,
  document_number text,
  currency text NOT NULL CONSTRAINT journal_entry_currency_ck CHECK (currency ~ '^[A-Z]{3}$'),
  description text NOT NULL,
  reference text,
  -- What the entry is meant to settle; carried out once both sides are posted.
  settlement jsonb,
  metadata jsonb NOT NULL,
  reverses_id uuid,
  line_count integer NOT NULL CONSTRAINT journal_entry_line_count_ck CHECK (line_count >= 2),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT journal_entry_posting_group_id_fk FOREIGN KEY (company_id, posting_group_id)
    REFERENCES posting_group (company_id, id),
  CONSTRAINT journal_entry_company_id_fiscal_year_number_uq UNIQUE (company_id, fiscal_year, number),
  CONSTRAINT journal_entry_number_ck CHECK ((state = 'posted') = (number IS NOT NULL)),
  CONSTRAINT journal_entry_posted_at_ck CHECK ((state = 'posted') = (posted_at IS NOT NULL)),
  CONSTRAINT journal_entry_own_roles_ck CHECK (state = 'posted' OR role NOT IN ('reversal', 'realized-fx', 'transfer')),
  CONSTRAINT journal_entry_reverses_id_ck CHECK ((role = 'reversal') = (reverses_id IS NOT NULL)),
  CONSTRAINT journal_entry_reverses_id_fk FOREIGN KEY (reverses_id) REFERENCES journal_entry (id),
  CONSTRAINT journal_entry_lines_fk FOREIGN KEY (id, line_count) REFERENCES journal_line (entry_id, line_no)
    DEFERRABLE INITIALLY DEFERRED
);
-- There is no second reversal of an entry.
CREATE UNIQUE INDEX journal_entry_reverses_id_uq ON journal_entry (reverses_id) WHERE reverses_id IS NOT NULL;
-- One entry of a role and part in a group, except of those that the books write themselves.
CREATE UNIQUE INDEX journal_entry_posting_group_id_role_part_uq ON journal_entry
  (posting_group_id, role, part, (CASE WHEN role IN ('reversal', 'realized-fx', 'transfer') THEN id ELSE posting_group_id END));
CREATE INDEX journal_entry_posting_date_ix ON journal_entry (company_id, posting_date);
-- Entries by the number of their document: a bookkeeper's search, duplicates, payments that name a document.
CREATE INDEX journal_entry_document_number_ix ON journal_entry (company_id, document_number)
  WHERE document_number IS NOT NULL;
-- The list of entries of one company, in the order of their making.
CREATE INDEX journal_entry_company_id_id_ix ON journal_entry (company_id, id);

GRANT SELECT, INSERT ON posting_group, posting_warning, journal_entry, journal_line TO ledger_app;
GRANT UPDATE (state, number, posted_at) ON journal_entry TO ledger_app;

-- A line belongs to an entry of its company, and the lines to the number of lines that their entry announced.
CREATE FUNCTION check_lines() RETURNS trigger LANGUAGE plpgsql SET search_path = ledger, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  wrong record;
BEGIN
  EXECUTE 'SELECT lines.*, entry.id, entry.line_count, entry.currency
    FROM (SELECT entry_id, company_id, count(*) AS count, max(line_no) AS last, sum(amount_minor) AS amount, sum(base_minor) AS base
          FROM added_line GROUP BY entry_id, company_id) lines
    LEFT JOIN journal_entry entry ON entry.id = lines.entry_id AND entry.company_id = lines.company_id
    WHERE (lines.count, lines.last, lines.amount, lines.base) IS DISTINCT FROM (entry.line_count, entry.line_count, 0, 0)
    LIMIT 1' INTO wrong;
  IF wrong.entry_id IS NOT NULL THEN
    IF wrong.id IS NULL THEN
      RAISE EXCEPTION 'company % has no entry % to put lines into', wrong.company_id, wrong.entry_id
        USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'journal_line_entry_fk', TABLE = 'journal_line';
    END IF;
    IF (wrong.count, wrong.last) IS DISTINCT FROM (wrong.line_count, wrong.line_count) THEN
      RAISE EXCEPTION 'entry % announces % lines and gets %', wrong.id, wrong.line_count, wrong.count
        USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_entry_lines_ck', TABLE = 'journal_line';
    END IF;
    RAISE EXCEPTION 'entry % does not balance: % % and % in base are left', wrong.id, wrong.amount, wrong.currency, wrong.base
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_entry_balance_ck', TABLE = 'journal_line';
  END IF;
  PERFORM FROM account
    WHERE (company_id, code) IN (SELECT DISTINCT line.company_id, line.account_code FROM added_line line) FOR SHARE;
  SELECT used.company_id, used.account_code, account.active INTO wrong
    FROM (SELECT DISTINCT company_id, account_code FROM added_line) used
    LEFT JOIN account ON account.company_id = used.company_id AND account.code = used.account_code
    WHERE account.active IS NOT TRUE LIMIT 1;
  IF FOUND THEN
    IF wrong.active IS NULL THEN
      RAISE EXCEPTION 'company % has no account %', wrong.company_id, wrong.account_code
        USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'journal_line_account_code_fk', TABLE = 'journal_line';
    END IF;
    RAISE EXCEPTION 'account % of company % is not active', wrong.account_code, wrong.company_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_line_account_active_ck', TABLE = 'journal_line';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER journal_line_check AFTER INSERT ON journal_line
  REFERENCING NEW TABLE AS added_line FOR EACH STATEMENT EXECUTE FUNCTION check_lines();

-- A reversal is the posted original with its sides swapped, nothing else.
CREATE FUNCTION check_reversals() RETURNS trigger LANGUAGE plpgsql SET search_path = ledger, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  wrong record;
BEGIN
  EXECUTE 'SELECT reversal.id
    FROM (SELECT DISTINCT entry_id FROM added_line) added
    JOIN journal_entry reversal ON reversal.id = added.entry_id AND reversal.reverses_id IS NOT NULL
    JOIN journal_entry original ON original.id = reversal.reverses_id
    WHERE (original.state, original.company_id, original.currency, original.line_count)
        IS DISTINCT FROM (''posted'', reversal.company_id, reversal.currency, reversal.line_count)
      OR original.role = ''reversal''
      OR EXISTS (SELECT FROM journal_line line JOIN journal_line mirror
                   ON mirror.entry_id = reversal.id AND mirror.line_no = line.line_no
                 WHERE line.entry_id = original.id AND (line.account_code, line.amount_minor, line.base_minor,
                     line.vendor_number, line.employee, line.tax_code, line.dimensions,
                     line.tax_place, line.tax_reverse_charge, line.tax_rate, line.tax_deductible,
                     line.taxable_minor, line.taxable_base_minor, line.tax_minor, line.tax_base_minor)
                   IS DISTINCT FROM (mirror.account_code, -mirror.amount_minor, -mirror.base_minor,
                     mirror.vendor_number, mirror.employee, mirror.tax_code, mirror.dimensions,
                     mirror.tax_place, mirror.tax_reverse_charge, mirror.tax_rate, mirror.tax_deductible,
                     -mirror.taxable_minor, -mirror.taxable_base_minor, -mirror.tax_minor, -mirror.tax_base_minor))
    LIMIT 1' INTO wrong;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'entry % does not mirror the posted entry it reverses', wrong.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_entry_mirror_ck', TABLE = 'journal_line';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER journal_line_check_reversals AFTER INSERT ON journal_line
  REFERENCING NEW TABLE AS added_line FOR EACH STATEMENT EXECUTE FUNCTION check_reversals();

-- One look for a whole statement. The lock makes a period that is being closed wait for us, or us for it. A draft is posted
-- in an open period, and discarded in any.
CREATE FUNCTION check_entry_periods() RETURNS trigger LANGUAGE plpgsql SET search_path = ledger, pg_temp AS $$
DECLARE
  wrong record;
BEGIN
  PERFORM FROM fiscal_period period
    WHERE EXISTS (SELECT FROM touched_entry entry WHERE entry.company_id = period.company_id
                    AND entry.posting_date BETWEEN period.starts_on AND period.ends_on)
    FOR SHARE;
  SELECT entry.id, entry.posting_date INTO wrong FROM touched_entry entry
    WHERE entry.state <> 'discarded'
      AND NOT EXISTS (SELECT FROM fiscal_period period WHERE period.company_id = entry.company_id
                        AND entry.posting_date BETWEEN period.starts_on AND period.ends_on
                        AND period.fiscal_year = entry.fiscal_year AND period.state = 'open')
    LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entry %: no open period has % in its fiscal year', wrong.id, wrong.posting_date
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_entry_open_period_ck', TABLE = 'journal_entry';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER journal_entry_period_on_insert AFTER INSERT ON journal_entry
  REFERENCING NEW TABLE AS touched_entry FOR EACH STATEMENT EXECUTE FUNCTION check_entry_periods();
CREATE TRIGGER journal_entry_period_on_update AFTER UPDATE ON journal_entry
  REFERENCING NEW TABLE AS touched_entry FOR EACH STATEMENT EXECUTE FUNCTION check_entry_periods();

-- Entries stay in the period and the fiscal year they were numbered in.
CREATE FUNCTION keep_used_period() RETURNS trigger LANGUAGE plpgsql SET search_path = ledger, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM journal_entry WHERE company_id = OLD.company_id
               AND posting_date BETWEEN OLD.starts_on AND OLD.ends_on
               AND (NEW.fiscal_year <> OLD.fiscal_year OR posting_date NOT BETWEEN NEW.starts_on AND NEW.ends_on)) THEN
    RAISE EXCEPTION 'entries are dated in the period from % to %', OLD.starts_on, OLD.ends_on
      USING ERRCODE = 'check_violation', CONSTRAINT = 'fiscal_period_used_ck', TABLE = 'fiscal_period';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER fiscal_period_used BEFORE UPDATE ON fiscal_period FOR EACH ROW
  WHEN ((NEW.starts_on, NEW.ends_on, NEW.fiscal_year) IS DISTINCT FROM (OLD.starts_on, OLD.ends_on, OLD.fiscal_year))
  EXECUTE FUNCTION keep_used_period();

-- A key that names one effect for ever may be used again once everything under it is canceled. Companies that were set up
-- to try out weaker promises have no such keys.
CREATE FUNCTION check_group_revision() RETURNS trigger LANGUAGE plpgsql SET search_path = ledger, pg_temp AS $$
BEGIN
  IF EXISTS (SELECT FROM company WHERE id = NEW.company_id AND idempotency IN ('forever', 'reference-only'))
    AND EXISTS (
      SELECT FROM posting_group earlier JOIN journal_entry entry ON entry.posting_group_id = earlier.id
      WHERE earlier.company_id = NEW.company_id AND earlier.key = NEW.key
        AND entry.role NOT IN ('reversal', 'realized-fx', 'transfer') AND entry.state <> 'discarded'
        AND NOT EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = entry.id)) THEN
    RAISE EXCEPTION 'key % of company % is taken and not reversed', NEW.key, NEW.company_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'posting_group_key_forever_uq', TABLE = 'posting_group';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER posting_group_revision BEFORE INSERT ON posting_group
  FOR EACH ROW WHEN (NEW.revision > 1) EXECUTE FUNCTION check_group_revision();

-- The books are written once: an error is corrected by a new entry, never by changing an old one. Only a draft may become
-- posted or discarded.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed: the books are append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_TABLE_NAME || '_append_only_ck', TABLE = TG_TABLE_NAME;
END
$$;
CREATE FUNCTION allow_only_posting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing constant text[] := ARRAY['state', 'number', 'posted_at'];
BEGIN
  IF OLD.state = 'draft' AND NEW.state IN ('posted', 'discarded')
    AND to_jsonb(NEW) - changing = to_jsonb(OLD) - changing THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'entry %: a draft may be posted or discarded, nothing else may change', OLD.id
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = 'journal_entry_append_only_ck', TABLE = 'journal_entry';
END
$$;
CREATE TRIGGER journal_entry_posting BEFORE UPDATE ON journal_entry FOR EACH ROW EXECUTE FUNCTION allow_only_posting();
CREATE TRIGGER journal_entry_append_only BEFORE DELETE OR TRUNCATE ON journal_entry EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_line_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_line EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_group_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting_group EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_warning_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting_warning
  EXECUTE FUNCTION refuse_change();

-- ===== Attachments ====================================================================================================

-- Documents behind entries, kept under the digest of their bytes: the same receipt twice is one row, and a changed byte
-- would be another one. They are stored before the entries they belong to are posted: up to 30 MB each, and for a while
-- behind no entry.
CREATE TABLE attachment (
  company_id uuid NOT NULL CONSTRAINT attachment_company_id_fk REFERENCES company (id),
  -- SHA-256 in hex.
  digest text NOT NULL,
  media_type text NOT NULL CONSTRAINT attachment_media_type_ck CHECK (media_type ~ '^[a-z]+/[a-z0-9.+-]+$'),
  content bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When somebody sent these bytes last: what no entry has is kept for a while after that.
  last_stored_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT attachment_company_id_digest_pk PRIMARY KEY (company_id, digest),
  CONSTRAINT attachment_digest_ck CHECK (digest = encode(sha256(content), 'hex')),
  CONSTRAINT attachment_size_ck CHECK (length(content) BETWEEN 1 AND 31457280)
);
-- Compressed formats gain nothing from a second compression. (CREATE TABLE takes this only since PostgreSQL 16.)
ALTER TABLE attachment ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX attachment_last_stored_at_ix ON attachment (company_id, last_stored_at);
GRANT SELECT, INSERT, DELETE, UPDATE (last_stored_at) ON attachment TO ledger_app;

CREATE TABLE entry_attachment (
  company_id uuid NOT NULL,
  entry_id uuid NOT NULL CONSTRAINT entry_attachment_entry_id_fk REFERENCES journal_entry (id),
  digest text NOT NULL,
  file_name text NOT NULL,
  attached_at timestamptz NOT NULL DEFAULT now(),
  -- The order in which an entry's documents were given; those of one posting come in the same moment.
  sequence bigint GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT entry_attachment_entry_id_digest_pk PRIMARY KEY (entry_id, digest),
  CONSTRAINT entry_attachment_digest_fk FOREIGN KEY (company_id, digest) REFERENCES attachment (company_id, digest)
);
CREATE INDEX entry_attachment_digest_ix ON entry_attachment (company_id, digest);
GRANT SELECT, INSERT ON entry_attachment TO ledger_app;

-- What an entry has stays for ever; what none has may go after 30 days.
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
CREATE TRIGGER attachment_append_only
  BEFORE UPDATE OF company_id, digest, media_type, content, created_at OR TRUNCATE ON attachment
  EXECUTE FUNCTION refuse_change();
CREATE TRIGGER entry_attachment_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON entry_attachment
  EXECUTE FUNCTION refuse_change();

-- ===== Open items and settlements =====================================================================================

-- A vendor's line of a posted entry, until others settle it. Amounts keep the line's sign: credit (what is owed) is
-- negative. The application has no right to write open items: they follow from entries and settlements.
CREATE TABLE open_item (
  company_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  line_no integer NOT NULL,
  vendor_number text NOT NULL,
  currency text NOT NULL,
  document_number text,
  -- Numbers of the documents that a payment, or the return of one, is meant for.
  meant_for text[],
  posted_on date NOT NULL,
  due_on date NOT NULL,
  amount_minor bigint NOT NULL,
  base_minor bigint NOT NULL,
  open_minor bigint NOT NULL,
  open_base_minor bigint NOT NULL,
  CONSTRAINT open_item_entry_id_line_no_pk PRIMARY KEY (entry_id, line_no),
  CONSTRAINT open_item_entry_id_fk FOREIGN KEY (entry_id) REFERENCES journal_entry (id),
  CONSTRAINT open_item_line_fk FOREIGN KEY (entry_id, line_no) REFERENCES journal_line (entry_id, line_no),
  CONSTRAINT open_item_vendor_number_fk FOREIGN KEY (company_id, vendor_number) REFERENCES vendor (company_id, number),
  CONSTRAINT open_item_open_ck CHECK (open_minor BETWEEN least(amount_minor, 0) AND greatest(amount_minor, 0)),
  CONSTRAINT open_item_open_base_ck CHECK (open_base_minor BETWEEN least(base_minor, 0) AND greatest(base_minor, 0)),
  CONSTRAINT open_item_closed_ck CHECK (open_minor <> 0 OR open_base_minor = 0)
);
CREATE INDEX open_item_document_number_ix ON open_item (company_id, vendor_number, document_number);
CREATE INDEX open_item_open_ix ON open_item (company_id, vendor_number, due_on, entry_id, line_no) WHERE open_minor <> 0;
CREATE INDEX open_item_waiting_ix ON open_item (company_id, vendor_number) WHERE open_minor <> 0 AND meant_for IS NOT NULL;
GRANT SELECT ON open_item TO ledger_app;
CREATE TRIGGER open_item_append_only BEFORE DELETE OR TRUNCATE ON open_item EXECUTE FUNCTION refuse_change();

CREATE FUNCTION open_items_of_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  -- Only a draft changes, so whatever is posted after an update has just become so.
  EXECUTE format('INSERT INTO open_item (company_id, entry_id, line_no, vendor_number, currency, document_number, meant_for,
      posted_on, due_on, amount_minor, base_minor, open_minor, open_base_minor)
    SELECT entry.company_id, entry.id, line.line_no, line.vendor_number, entry.currency, trim(entry.document_number),
      CASE WHEN entry.settlement ->> ''kind'' IN (''settles'', ''reopens'') THEN
        ARRAY(SELECT trim(meant.number) FROM jsonb_array_elements_text(entry.settlement -> ''numbers'') AS meant (number)) END,
      entry.posting_date, coalesce(entry.due_date, entry.document_date, entry.posting_date),
      line.amount_minor, line.base_minor, line.amount_minor, line.base_minor
    FROM %s
    WHERE entry.state = ''posted'' AND line.vendor_number IS NOT NULL AND line.amount_minor <> 0 AND entry.role <> ''transfer''
      AND NOT EXISTS (SELECT FROM journal_entry reversed WHERE reversed.id = entry.reverses_id AND reversed.role = ''transfer'')',
    CASE TG_TABLE_NAME WHEN 'journal_line' THEN 'added_line line JOIN journal_entry entry ON entry.id = line.entry_id'
      ELSE 'changed_entry entry JOIN journal_line line ON line.entry_id = entry.id' END);
  RETURN NULL;
END
$$;
CREATE TRIGGER journal_line_open_items AFTER INSERT ON journal_line
  REFERENCING NEW TABLE AS added_line FOR EACH STATEMENT EXECUTE FUNCTION open_items_of_entries();
CREATE TRIGGER journal_entry_open_items AFTER UPDATE ON journal_entry
  REFERENCING NEW TABLE AS changed_entry FOR EACH STATEMENT EXECUTE FUNCTION open_items_of_entries();

-- A debit item and a credit item of one vendor that pay each other. Undone by a row of its own with the amounts negated.
CREATE TABLE settlement (
  id uuid CONSTRAINT settlement_id_pk PRIMARY KEY,
  company_id uuid NOT NULL CONSTRAINT settlement_company_id_fk REFERENCES company (id),
  debit_entry_id uuid NOT NULL,
  debit_line_no integer NOT NULL,
  credit_entry_id uuid NOT NULL,
  credit_line_no integer NOT NULL,
  -- Minor units of the items' currency, and of the functional currency on each side.
  amount_minor bigint NOT NULL,
  debit_base_minor bigint NOT NULL,
  credit_base_minor bigint NOT NULL,
  settled_on date NOT NULL,
  -- The entry that books what the two sides differ by in base.
  fx_entry_id uuid CONSTRAINT settlement_fx_entry_id_fk REFERENCES journal_entry (id),
  -- The entry that moves the amount from the account of the paying item to that of the document, where they differ.
  transfer_entry_id uuid CONSTRAINT settlement_transfer_entry_id_fk REFERENCES journal_entry (id),
  undoes_id uuid CONSTRAINT settlement_undoes_id_uq UNIQUE CONSTRAINT settlement_undoes_id_fk REFERENCES settlement (id),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT settlement_debit_fk FOREIGN KEY (debit_entry_id, debit_line_no) REFERENCES open_item (entry_id, line_no),
  CONSTRAINT settlement_credit_fk FOREIGN KEY (credit_entry_id, credit_line_no) REFERENCES open_item (entry_id, line_no),
  CONSTRAINT settlement_amount_ck CHECK (CASE WHEN undoes_id IS NULL THEN amount_minor > 0 ELSE amount_minor < 0 END),
  CONSTRAINT settlement_fx_entry_id_ck CHECK ((debit_base_minor = credit_base_minor) = (fx_entry_id IS NULL))
);
CREATE INDEX settlement_debit_ix ON settlement (debit_entry_id, debit_line_no);
CREATE INDEX settlement_credit_ix ON settlement (credit_entry_id, credit_line_no);
CREATE INDEX settlement_company_id_ix ON settlement (company_id, id);
CREATE INDEX settlement_settled_on_ix ON settlement (company_id, settled_on);
CREATE INDEX settlement_fx_entry_id_ix ON settlement (fx_entry_id) WHERE fx_entry_id IS NOT NULL;
GRANT SELECT, INSERT ON settlement TO ledger_app;
CREATE TRIGGER settlement_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement EXECUTE FUNCTION refuse_change();

CREATE FUNCTION apply_settlements() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  wrong record;
BEGIN
  EXECUTE 'SELECT added.id FROM added_settlement added
    JOIN open_item debit ON (debit.entry_id, debit.line_no) = (added.debit_entry_id, added.debit_line_no)
    JOIN open_item credit ON (credit.entry_id, credit.line_no) = (added.credit_entry_id, added.credit_line_no)
    JOIN journal_line debit_line ON (debit_line.entry_id, debit_line.line_no) = (debit.entry_id, debit.line_no)
    JOIN journal_line credit_line ON (credit_line.entry_id, credit_line.line_no) = (credit.entry_id, credit.line_no)
    LEFT JOIN settlement undone ON undone.id = added.undoes_id
    WHERE (debit.company_id, debit.vendor_number, debit.currency)
        IS DISTINCT FROM (credit.company_id, credit.vendor_number, credit.currency)
      OR (debit_line.account_code = credit_line.account_code) <> (added.transfer_entry_id IS NULL)
      OR debit.company_id <> added.company_id OR debit.amount_minor < 0 OR credit.amount_minor > 0
      OR (added.undoes_id IS NOT NULL AND (added.debit_entry_id, added.debit_line_no, added.credit_entry_id, added.credit_line_no,
            -added.amount_minor, -added.debit_base_minor, -added.credit_base_minor, NULL)
          IS DISTINCT FROM (undone.debit_entry_id, undone.debit_line_no, undone.credit_entry_id, undone.credit_line_no,
            undone.amount_minor, undone.debit_base_minor, undone.credit_base_minor, undone.undoes_id))
    LIMIT 1' INTO wrong;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'settlement %: the items do not fit each other, or what it undoes does not fit it', wrong.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'settlement_items_ck', TABLE = 'settlement';
  END IF;
  EXECUTE 'UPDATE open_item item SET open_minor = open_minor - taken.amount, open_base_minor = open_base_minor - taken.base
    FROM (SELECT entry_id, line_no, sum(amount) AS amount, sum(base) AS base
          FROM (SELECT debit_entry_id AS entry_id, debit_line_no AS line_no, amount_minor AS amount, debit_base_minor AS base
                FROM added_settlement
                UNION ALL
                SELECT credit_entry_id, credit_line_no, -amount_minor, -credit_base_minor FROM added_settlement) part
          GROUP BY entry_id, line_no) taken
    WHERE (item.entry_id, item.line_no) = (taken.entry_id, taken.line_no)';
  RETURN NULL;
END
$$;
CREATE TRIGGER settlement_apply AFTER INSERT ON settlement
  REFERENCING NEW TABLE AS added_settlement FOR EACH STATEMENT EXECUTE FUNCTION apply_settlements();

-- Settlements as each of their two items sees them, amounts with the sign of the item.
CREATE VIEW item_settlement AS
  SELECT company_id, id, debit_entry_id AS entry_id, debit_line_no AS line_no, credit_entry_id AS other_entry_id,
    credit_line_no AS other_line_no, amount_minor, debit_base_minor AS base_minor, settled_on, fx_entry_id,
    transfer_entry_id, undoes_id
  FROM settlement
  UNION ALL
  SELECT company_id, id, credit_entry_id, credit_line_no, debit_entry_id, debit_line_no, -amount_minor, -credit_base_minor,
    settled_on, fx_entry_id, transfer_entry_id, undoes_id
  FROM settlement;
GRANT SELECT ON item_settlement TO ledger_app;

-- Items that were open at the end of a day, and by how much. Only what is open today or was settled later can have been.
CREATE FUNCTION open_items_on(company uuid, day date)
  RETURNS TABLE (entry_id uuid, line_no integer, open_minor bigint, open_base_minor bigint) LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT item.entry_id, item.line_no, (item.amount_minor - coalesce(settled.amount, 0))::bigint,
    (item.base_minor - coalesce(settled.base, 0))::bigint
  FROM (SELECT item.entry_id, item.line_no FROM open_item item WHERE item.company_id = company AND item.open_minor <> 0
        UNION
        SELECT part.entry_id, part.line_no FROM item_settlement part
        WHERE part.company_id = company AND part.settled_on > day) candidate
  JOIN open_item item ON item.entry_id = candidate.entry_id AND item.line_no = candidate.line_no
  LEFT JOIN LATERAL (
    SELECT sum(part.amount_minor) AS amount, sum(part.base_minor) AS base FROM item_settlement part
    WHERE part.entry_id = item.entry_id AND part.line_no = item.line_no AND part.settled_on <= day) settled ON true
  WHERE item.posted_on <= day
    AND (item.amount_minor <> coalesce(settled.amount, 0) OR item.base_minor <> coalesce(settled.base, 0));
END;

-- ===== Turnover =======================================================================================================

-- Sums of the lines per account, currency and state, by month and by day, so that a balance needs the months before its
-- date and the days of its month, never the lines. The application has no right to write them.
CREATE TABLE account_turnover (
  company_id uuid NOT NULL,
  state text NOT NULL,
  grain text NOT NULL CONSTRAINT account_turnover_grain_ck CHECK (grain IN ('month', 'day')),
  starts_on date NOT NULL,
  account_code text NOT NULL,
  currency text NOT NULL,
  debit_minor numeric NOT NULL,
  credit_minor numeric NOT NULL,
  base_debit_minor numeric NOT NULL,
  base_credit_minor numeric NOT NULL,
  CONSTRAINT account_turnover_pk PRIMARY KEY (company_id, state, grain, starts_on, account_code, currency),
  CONSTRAINT account_turnover_account_code_fk FOREIGN KEY (company_id, account_code) REFERENCES account (company_id, code)
) WITH (fillfactor = 70);
CREATE TABLE entry_count (
  company_id uuid NOT NULL CONSTRAINT entry_count_company_id_fk REFERENCES company (id),
  state text NOT NULL,
  grain text NOT NULL CONSTRAINT entry_count_grain_ck CHECK (grain IN ('month', 'day')),
  starts_on date NOT NULL,
  entries bigint NOT NULL,
  CONSTRAINT entry_count_pk PRIMARY KEY (company_id, state, grain, starts_on)
);
GRANT SELECT ON account_turnover, entry_count TO ledger_app;

-- An entry that leaves a state takes its amounts out of that state's sums.
CREATE FUNCTION add_turnover() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  moved text := 'SELECT entry.company_id, state, posting_date, currency, account_code, amount_minor, base_minor, 1 AS sign
    FROM added_line line JOIN journal_entry entry ON entry.id = line.entry_id';
BEGIN
  IF TG_TABLE_NAME = 'journal_entry' THEN
    moved := 'SELECT entry.company_id, state, posting_date, currency, account_code, amount_minor, base_minor, sign
      FROM (SELECT *, 1 AS sign FROM changed_entry WHERE state <> ''discarded'' UNION ALL SELECT *, -1 FROM entry_before) entry
      JOIN journal_line line ON line.entry_id = entry.id';
  END IF;
  EXECUTE format('INSERT INTO account_turnover AS turnover
    SELECT company_id, state, grain, date_trunc(grain, posting_date::timestamp)::date AS starts_on, account_code, currency,
      sum(debit), sum(credit), sum(base_debit), sum(base_credit)
    FROM (SELECT company_id, state, posting_date, account_code, currency,
            sum(sign * greatest(amount_minor, 0)) AS debit, sum(sign * greatest(-amount_minor, 0)) AS credit,
            sum(sign * greatest(base_minor, 0)) AS base_debit, sum(sign * greatest(-base_minor, 0)) AS base_credit
          FROM (%s) posting GROUP BY 1, 2, 3, 4, 5) day
      CROSS JOIN (VALUES (''month''), (''day'')) AS grains (grain)
    GROUP BY 1, 2, 3, 4, 5, 6
    ORDER BY 1, 2, 3, 4, 5, 6
    ON CONFLICT ON CONSTRAINT account_turnover_pk DO UPDATE SET
      debit_minor = turnover.debit_minor + EXCLUDED.debit_minor, credit_minor = turnover.credit_minor + EXCLUDED.credit_minor,
      base_debit_minor = turnover.base_debit_minor + EXCLUDED.base_debit_minor,
      base_credit_minor = turnover.base_credit_minor + EXCLUDED.base_credit_minor', moved);
  RETURN NULL;
END
$$;
CREATE TRIGGER journal_line_turnover AFTER INSERT ON journal_line
  REFERENCING NEW TABLE AS added_line FOR EACH STATEMENT EXECUTE FUNCTION add_turnover();
CREATE TRIGGER journal_entry_turnover AFTER UPDATE ON journal_entry
  REFERENCING OLD TABLE AS entry_before NEW TABLE AS changed_entry FOR EACH STATEMENT EXECUTE FUNCTION add_turnover();

CREATE FUNCTION count_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp AS $$
DECLARE
  moved text := 'SELECT company_id, state, posting_date, 1 AS sign FROM changed_entry WHERE state <> ''discarded''';
BEGIN
  IF TG_OP = 'UPDATE' THEN
    moved := moved || ' UNION ALL SELECT company_id, state, posting_date, -1 FROM entry_before';
  END IF;
  EXECUTE format('INSERT INTO entry_count AS counted
    SELECT company_id, state, grain, date_trunc(grain, posting_date::timestamp)::date, sum(sign)
    FROM (%s) entry CROSS JOIN (VALUES (''month''), (''day'')) AS grains (grain)
    GROUP BY 1, 2, 3, 4
    ORDER BY 1, 2, 3, 4
    ON CONFLICT ON CONSTRAINT entry_count_pk DO UPDATE SET entries = counted.entries + EXCLUDED.entries', moved);
  RETURN NULL;
END
$$;
CREATE TRIGGER journal_entry_count_on_insert AFTER INSERT ON journal_entry
  REFERENCING NEW TABLE AS changed_entry FOR EACH STATEMENT EXECUTE FUNCTION count_entries();
CREATE TRIGGER journal_entry_count_on_update AFTER UPDATE ON journal_entry
  REFERENCING OLD TABLE AS entry_before NEW TABLE AS changed_entry FOR EACH STATEMENT EXECUTE FUNCTION count_entries();

-- Rows of the turnover that add up to everything dated on the day or before: whole months, then the days of its month.
CREATE FUNCTION turnover_through(company uuid, last_day date) RETURNS SETOF account_turnover LANGUAGE sql STABLE
BEGIN ATOMIC
  SELECT turnover.* FROM account_turnover turnover
  WHERE turnover.company_id = company AND turnover.grain = 'month' AND turnover.starts_on < date_trunc('month', last_day::timestamp)::date
  UNION ALL
  SELECT turnover.* FROM account_turnover turnover
  WHERE turnover.company_id = company AND turnover.grain = 'day'
    AND turnover.starts_on BETWEEN date_trunc('month', last_day::timestamp)::date AND last_day;
END;

-- What each line adds to the VAT report, in the functional currency. Base and tax are those of purchases, also of the input
-- side of a reverse charge; output tax is positive where it is owed.
CREATE VIEW vat_line AS
  SELECT line.company_id, line.entry_id, line.line_no, entry.state, entry.posting_date, entry.document_date,
    entry.document_number, entry.role, entry.fiscal_year, entry.number, entry.currency, line.account_code, line.tax_code,
    line.tax_place AS place, line.tax_reverse_charge AS reverse_charge, line.tax_rate AS rate, line.tax_deductible AS deductible_share,
    line.taxable_minor, line.tax_minor, amounts.*, amounts.tax - amounts.deductible AS non_deductible
  FROM journal_line line JOIN journal_entry entry ON entry.id = line.entry_id
  CROSS JOIN LATERAL (SELECT
    CASE line.tax_place WHEN 'output' THEN 0 ELSE line.taxable_base_minor END AS base,
    CASE line.tax_place WHEN 'output' THEN 0 ELSE line.tax_base_minor END AS tax,
    CASE line.tax_place WHEN 'input' THEN line.base_minor ELSE 0 END AS deductible,
    CASE WHEN line.tax_place <> 'output' AND line.tax_reverse_charge THEN line.taxable_base_minor ELSE 0 END AS reverse_charge_base,
    CASE WHEN line.tax_place <> 'output' AND line.tax_reverse_charge THEN line.tax_base_minor ELSE 0 END AS reverse_charge_input,
    CASE line.tax_place WHEN 'output' THEN -line.taxable_base_minor ELSE 0 END AS output_base,
    CASE line.tax_place WHEN 'output' THEN -line.tax_base_minor ELSE 0 END AS output) amounts
  WHERE line.tax_place IS NOT NULL AND entry.state <> 'discarded';
GRANT SELECT ON vat_line TO ledger_app;

-- ===== Audit chain ====================================================================================================

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
      posting_group.content_digest, entry.role, entry.part, entry.fiscal_year, entry.number, entry.posting_date, entry.document_date,
      entry.due_date, entry.document_number, entry.currency, entry.description, entry.reference, entry.settlement,
      entry.metadata, entry.reverses_id, (extract(epoch FROM entry.created_at) * 1000000)::bigint,
      (extract(epoch FROM entry.posted_at) * 1000000)::bigint, entry.line_count)::text
    || (SELECT json_agg(json_build_array(line_no, line.company_id, account_code, amount_minor, base_minor, vendor_number,
          employee, tax_code, dimensions, tax_of_line(line)) ORDER BY line_no) FROM journal_line line WHERE line.entry_id = entry.id)::text AS content
  FROM journal_entry entry JOIN posting_group ON posting_group.id = entry.posting_group_id
  WHERE entry.state = 'posted';
GRANT SELECT ON audit_link, entry_content TO ledger_app;

-- The company's row is locked, so that its chain has one end.
CREATE FUNCTION chain_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = ledger, pg_temp
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

-- migrate:down

-- The role stays, because other databases of the server may use it.
DROP VIEW entry_content;
DROP TABLE audit_link;
DROP VIEW vat_line;
DROP FUNCTION turnover_through(uuid, date);
DROP TABLE entry_count, account_turnover;
DROP FUNCTION open_items_on(uuid, date);
DROP VIEW item_settlement;
DROP TABLE settlement, open_item;
DROP TABLE entry_attachment, attachment;
DROP FUNCTION tax_of_line(journal_line);
DROP TABLE journal_entry, journal_line, posting_warning, posting_group;
DROP TABLE list_revision, exchange_rate, vendor, dimension_value, dimension, tax_code, account, fiscal_period, fiscal_year, oauth_token,
  oauth_grant, api_key, company;
DROP FUNCTION count_added_rows(), count_changed_rows(), chain_entries(), count_entries(), add_turnover(), apply_settlements(), open_items_of_entries(),
  keep_attachment(), allow_only_posting(), refuse_change(), check_group_revision(), keep_used_period(),
  check_entry_periods(), check_reversals(), check_lines();
DROP EXTENSION btree_gist;
DROP FUNCTION time_ordered_id();
REVOKE USAGE ON SCHEMA ledger FROM ledger_app;
