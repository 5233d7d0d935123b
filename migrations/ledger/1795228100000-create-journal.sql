-- migrate:up

-- What was posted under one key: all entries of one accounting entry, whole or not at all.
CREATE TABLE posting_group (
  id uuid CONSTRAINT posting_group_id_pk PRIMARY KEY,
  company_id uuid NOT NULL CONSTRAINT posting_group_company_id_fk REFERENCES company (id),
  key text NOT NULL,
  -- 1 unless the company's keys are of limited life; then a key that has expired starts its next revision.
  revision integer NOT NULL CONSTRAINT posting_group_revision_ck CHECK (revision >= 1),
  content_digest text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT posting_group_company_id_key_revision_uq UNIQUE (company_id, key, revision),
  CONSTRAINT posting_group_company_id_id_uq UNIQUE (company_id, id)
);

CREATE TABLE journal_entry (
  id uuid CONSTRAINT journal_entry_id_pk PRIMARY KEY,
  company_id uuid NOT NULL,
  posting_group_id uuid NOT NULL,
  role text NOT NULL CONSTRAINT journal_entry_role_ck
    CHECK (role IN ('entry', 'invoice', 'payment', 'credit-note', 'receipt')),
  state text NOT NULL CONSTRAINT journal_entry_state_ck CHECK (state IN ('draft', 'posted')),
  fiscal_year integer NOT NULL,
  -- Given when the entry is posted; drafts have none, so that a series has no gaps.
  number bigint,
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
  line_count integer NOT NULL CONSTRAINT journal_entry_line_count_ck CHECK (line_count >= 2),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT journal_entry_posting_group_id_role_uq UNIQUE (posting_group_id, role),
  CONSTRAINT journal_entry_posting_group_id_fk FOREIGN KEY (company_id, posting_group_id)
    REFERENCES posting_group (company_id, id),
  CONSTRAINT journal_entry_fiscal_year_fk FOREIGN KEY (company_id, fiscal_year) REFERENCES fiscal_year (company_id, year),
  CONSTRAINT journal_entry_company_id_fiscal_year_number_uq UNIQUE (company_id, fiscal_year, number),
  CONSTRAINT journal_entry_number_ck CHECK ((state = 'posted') = (number IS NOT NULL))
);
CREATE INDEX journal_entry_posting_date_ix ON journal_entry (company_id, posting_date);

CREATE TABLE journal_line (
  company_id uuid NOT NULL,
  entry_id uuid NOT NULL,
  line_no integer NOT NULL,
  -- The entry's own count. All numbers up to it are taken when the entry is committed, so no line can be added later.
  line_count integer NOT NULL,
  account_code text NOT NULL,
  -- Signed minor units, debit positive: in the entry's currency and in the company's.
  amount_minor bigint NOT NULL,
  base_minor bigint NOT NULL,
  vendor_number text,
  employee text,
  tax_code text,
  dimensions jsonb NOT NULL,
  CONSTRAINT journal_line_entry_id_line_no_pk PRIMARY KEY (entry_id, line_no),
  CONSTRAINT journal_line_entry_id_fk FOREIGN KEY (entry_id) REFERENCES journal_entry (id),
  CONSTRAINT journal_line_account_code_fk FOREIGN KEY (company_id, account_code) REFERENCES account (company_id, code),
  CONSTRAINT journal_line_vendor_number_fk FOREIGN KEY (company_id, vendor_number) REFERENCES vendor (company_id, number),
  CONSTRAINT journal_line_tax_code_fk FOREIGN KEY (company_id, tax_code) REFERENCES tax_code (company_id, code),
  CONSTRAINT journal_line_line_no_ck CHECK (line_no BETWEEN 1 AND line_count),
  CONSTRAINT journal_line_zero_ck CHECK (amount_minor <> 0 OR base_minor <> 0)
);
CREATE INDEX journal_line_account_code_ix ON journal_line (company_id, account_code, entry_id);

-- Runs when the transaction commits: by then all lines are there, in whatever order they came.
CREATE FUNCTION check_entry_balance() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  lines integer;
  amount numeric;
  base numeric;
BEGIN
  SELECT count(*), coalesce(sum(amount_minor), 0), coalesce(sum(base_minor), 0) INTO lines, amount, base
    FROM journal_line WHERE entry_id = NEW.id;
  IF lines <> NEW.line_count THEN
    RAISE EXCEPTION 'entry % announces % lines and has %', NEW.id, NEW.line_count, lines
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_entry_lines_ck', TABLE = 'journal_entry';
  END IF;
  IF amount <> 0 OR base <> 0 THEN
    RAISE EXCEPTION 'entry % does not balance: % % and % in base are left', NEW.id, amount, NEW.currency, base
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_entry_balance_ck', TABLE = 'journal_entry';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER journal_entry_balance AFTER INSERT ON journal_entry DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION check_entry_balance();

-- One look for a whole statement. The lock makes a period that is being closed wait for us, or us for it.
CREATE FUNCTION check_entry_periods() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  wrong record;
BEGIN
  PERFORM FROM fiscal_period period
    WHERE EXISTS (SELECT FROM touched_entry entry WHERE entry.company_id = period.company_id
                    AND entry.posting_date BETWEEN period.starts_on AND period.ends_on)
    FOR SHARE;
  SELECT entry.id, entry.posting_date INTO wrong FROM touched_entry entry
    WHERE NOT EXISTS (SELECT FROM fiscal_period period WHERE period.company_id = entry.company_id
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
CREATE FUNCTION keep_used_period() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

-- A line belongs to its entry's company and to the number of lines its entry announced, so that none can be added later.
-- Dynamic, and no part of the foreign key, on purpose: a plan kept from when the table was empty would go through all
-- entries of the company for each line.
CREATE FUNCTION check_lines() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
DECLARE
  wrong record;
BEGIN
  EXECUTE 'SELECT line.entry_id, line.line_no FROM added_line line JOIN journal_entry entry ON entry.id = line.entry_id
    WHERE (entry.company_id, entry.line_count) IS DISTINCT FROM (line.company_id, line.line_count) LIMIT 1' INTO wrong;
  IF wrong IS NOT NULL THEN
    RAISE EXCEPTION 'entry %: line % is not of its company or not of its number of lines', wrong.entry_id, wrong.line_no
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'journal_line_entry_fk', TABLE = 'journal_line';
  END IF;
  PERFORM FROM account
    WHERE EXISTS (SELECT FROM added_line line
                    WHERE line.company_id = account.company_id AND line.account_code = account.code)
    FOR SHARE;
  SELECT line.entry_id, line.account_code INTO wrong FROM added_line line
    JOIN account ON account.company_id = line.company_id AND account.code = line.account_code
    WHERE NOT account.active LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entry %: account % is not active', wrong.entry_id, wrong.account_code
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_line_account_active_ck', TABLE = 'journal_line';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER journal_line_check AFTER INSERT ON journal_line
  REFERENCING NEW TABLE AS added_line FOR EACH STATEMENT EXECUTE FUNCTION check_lines();

-- A key names one effect for ever, unless the company was set up to try out weaker promises.
CREATE FUNCTION check_group_revision() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM company WHERE id = NEW.company_id AND idempotency IN ('forever', 'reference-only')) THEN
    RAISE EXCEPTION 'key % of company % is taken for ever', NEW.key, NEW.company_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'posting_group_key_forever_uq', TABLE = 'posting_group';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER posting_group_revision BEFORE INSERT ON posting_group
  FOR EACH ROW WHEN (NEW.revision > 1) EXECUTE FUNCTION check_group_revision();

-- The books are written once: an error is mended by a new entry, never by changing an old one. Only a draft may become
-- posted.
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% of % is not allowed: the books are append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = TG_TABLE_NAME || '_append_only_ck', TABLE = TG_TABLE_NAME;
END
$$;
CREATE FUNCTION allow_only_posting() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing constant text[] := ARRAY['state', 'number'];
BEGIN
  IF OLD.state = 'draft' AND NEW.state = 'posted' AND to_jsonb(NEW) - changing = to_jsonb(OLD) - changing THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'entry %: a draft may be posted, nothing else may change', OLD.id
    USING ERRCODE = 'insufficient_privilege', CONSTRAINT = 'journal_entry_append_only_ck', TABLE = 'journal_entry';
END
$$;
CREATE TRIGGER journal_entry_posting BEFORE UPDATE ON journal_entry FOR EACH ROW EXECUTE FUNCTION allow_only_posting();
CREATE TRIGGER journal_entry_append_only BEFORE DELETE OR TRUNCATE ON journal_entry EXECUTE FUNCTION refuse_change();
CREATE TRIGGER journal_line_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON journal_line EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_group_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting_group EXECUTE FUNCTION refuse_change();

GRANT SELECT, INSERT ON posting_group, journal_entry, journal_line TO ledger_app;
GRANT UPDATE (state, number) ON journal_entry TO ledger_app;

-- migrate:down
DROP TRIGGER fiscal_period_used ON fiscal_period;
DROP TABLE journal_line, journal_entry, posting_group;
DROP FUNCTION check_entry_balance(), check_entry_periods(), keep_used_period(), check_lines(), check_group_revision(), refuse_change(),
  allow_only_posting();
