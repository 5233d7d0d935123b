-- migrate:up

-- An entry is cancelled by its reversal, a draft by discarding it; the books themselves write reversals and realized
-- exchange differences, any number of them in a group.
ALTER TABLE journal_entry
  ADD COLUMN reverses_id uuid,
  ADD COLUMN posted_at timestamptz,
  DROP CONSTRAINT journal_entry_posting_group_id_role_uq,
  DROP CONSTRAINT journal_entry_role_ck,
  DROP CONSTRAINT journal_entry_state_ck;
ALTER TABLE journal_entry DISABLE TRIGGER USER;
UPDATE journal_entry SET posted_at = created_at WHERE state = 'posted';
ALTER TABLE journal_entry ENABLE TRIGGER USER;
ALTER TABLE journal_entry
  ADD CONSTRAINT journal_entry_role_ck
    CHECK (role IN ('entry', 'invoice', 'payment', 'credit-note', 'receipt', 'reversal', 'realized-fx')),
  ADD CONSTRAINT journal_entry_state_ck CHECK (state IN ('draft', 'posted', 'discarded')),
  ADD CONSTRAINT journal_entry_posted_at_ck CHECK ((state = 'posted') = (posted_at IS NOT NULL)),
  ADD CONSTRAINT journal_entry_own_roles_ck CHECK (state = 'posted' OR role NOT IN ('reversal', 'realized-fx')),
  ADD CONSTRAINT journal_entry_reverses_id_ck CHECK ((role = 'reversal') = (reverses_id IS NOT NULL)),
  ADD CONSTRAINT journal_entry_reverses_id_fk FOREIGN KEY (reverses_id) REFERENCES journal_entry (id);
-- There is no second reversal of an entry.
CREATE UNIQUE INDEX journal_entry_reverses_id_uq ON journal_entry (reverses_id) WHERE reverses_id IS NOT NULL;
CREATE UNIQUE INDEX journal_entry_posting_group_id_role_uq ON journal_entry
  (posting_group_id, role, (CASE WHEN role IN ('reversal', 'realized-fx') THEN id ELSE posting_group_id END));
GRANT UPDATE (posted_at) ON journal_entry TO ledger_app;

-- All lines of an entry come in one statement, right after the entry: one look at that statement then sees whether an
-- entry is complete and balanced and its accounts are there, and no line can come later. A look per line or per entry
-- cost more than the writing. Entries never go away, and the account of a line has a row in account_turnover, which does
-- refer to it.
ALTER TABLE journal_line
  DROP CONSTRAINT journal_line_line_no_ck,
  DROP CONSTRAINT journal_line_entry_id_fk,
  DROP CONSTRAINT journal_line_account_code_fk,
  DROP COLUMN line_count,
  ADD CONSTRAINT journal_line_line_no_ck CHECK (line_no >= 1),
  ADD CONSTRAINT journal_line_one_side_ck
    CHECK (NOT (amount_minor > 0 AND base_minor < 0) AND NOT (amount_minor < 0 AND base_minor > 0));
ALTER TABLE journal_entry
  -- check_entry_periods() compares with the period, which has its fiscal year.
  DROP CONSTRAINT journal_entry_fiscal_year_fk,
  ADD CONSTRAINT journal_entry_lines_fk FOREIGN KEY (id, line_count) REFERENCES journal_line (entry_id, line_no)
    DEFERRABLE INITIALLY DEFERRED;
DROP TRIGGER journal_entry_balance ON journal_entry;
DROP FUNCTION check_entry_balance();

-- Here and below: dynamic, and looking up the few rows that a statement touches one by one. A plan kept from when the
-- tables were empty, or made for their average size, would go through all of them.
CREATE OR REPLACE FUNCTION check_lines() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT
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

-- A reversal is the posted original with its sides swapped, nothing else.
CREATE FUNCTION check_reversals() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT
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
                     line.vendor_number, line.employee, line.tax_code, line.dimensions)
                   IS DISTINCT FROM (mirror.account_code, -mirror.amount_minor, -mirror.base_minor,
                     mirror.vendor_number, mirror.employee, mirror.tax_code, mirror.dimensions))
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

-- A draft may be posted, in an open period, or discarded, in any.
CREATE OR REPLACE FUNCTION allow_only_posting() RETURNS trigger LANGUAGE plpgsql AS $$
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
CREATE OR REPLACE FUNCTION check_entry_periods() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

-- A key that names one effect for ever may be used again once everything under it is cancelled.
CREATE OR REPLACE FUNCTION check_group_revision() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM company WHERE id = NEW.company_id AND idempotency IN ('forever', 'reference-only'))
    AND EXISTS (
      SELECT FROM posting_group earlier JOIN journal_entry entry ON entry.posting_group_id = earlier.id
      WHERE earlier.company_id = NEW.company_id AND earlier.key = NEW.key
        AND entry.role NOT IN ('reversal', 'realized-fx') AND entry.state <> 'discarded'
        AND NOT EXISTS (SELECT FROM journal_entry reversal WHERE reversal.reverses_id = entry.id)) THEN
    RAISE EXCEPTION 'key % of company % is taken and not reversed', NEW.key, NEW.company_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'posting_group_key_forever_uq', TABLE = 'posting_group';
  END IF;
  RETURN NEW;
END
$$;

-- How long a search may miss what is already there: a weak ERP, to try out.
ALTER TABLE company
  ADD COLUMN search_lag_seconds integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT company_search_lag_seconds_ck CHECK (search_lag_seconds = 0 OR
    (search_lag_seconds BETWEEN 1 AND 3600 AND idempotency = 'reference-only'));

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

-- A vendor's line of a posted entry, until others settle it. Amounts keep the line's sign: credit (what is owed) is
-- negative.
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

-- The application has no right to write open items: they follow from entries and settlements.
CREATE FUNCTION open_items_of_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
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
    WHERE entry.state = ''posted'' AND line.vendor_number IS NOT NULL AND line.amount_minor <> 0',
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

CREATE FUNCTION apply_settlements() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
  SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  wrong record;
BEGIN
  EXECUTE 'SELECT added.id FROM added_settlement added
    JOIN open_item debit ON (debit.entry_id, debit.line_no) = (added.debit_entry_id, added.debit_line_no)
    JOIN open_item credit ON (credit.entry_id, credit.line_no) = (added.credit_entry_id, added.credit_line_no)
    LEFT JOIN settlement undone ON undone.id = added.undoes_id
    WHERE (debit.company_id, debit.vendor_number, debit.currency)
        IS DISTINCT FROM (credit.company_id, credit.vendor_number, credit.currency)
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

CREATE TRIGGER settlement_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON settlement EXECUTE FUNCTION refuse_change();
CREATE TRIGGER open_item_append_only BEFORE DELETE OR TRUNCATE ON open_item EXECUTE FUNCTION refuse_change();
CREATE TRIGGER posting_warning_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON posting_warning
  EXECUTE FUNCTION refuse_change();
GRANT SELECT, INSERT ON settlement, posting_warning TO ledger_app;
GRANT SELECT ON open_item TO ledger_app;

INSERT INTO open_item (company_id, entry_id, line_no, vendor_number, currency, document_number, meant_for, posted_on, due_on,
    amount_minor, base_minor, open_minor, open_base_minor)
  SELECT entry.company_id, entry.id, line.line_no, line.vendor_number, entry.currency, trim(entry.document_number),
    CASE WHEN entry.settlement ->> 'kind' IN ('settles', 'reopens') THEN
      ARRAY(SELECT trim(meant.number) FROM jsonb_array_elements_text(entry.settlement -> 'numbers') AS meant (number)) END,
    entry.posting_date, coalesce(entry.due_date, entry.document_date, entry.posting_date),
    line.amount_minor, line.base_minor, line.amount_minor, line.base_minor
  FROM journal_entry entry JOIN journal_line line ON line.entry_id = entry.id
  WHERE entry.state = 'posted' AND line.vendor_number IS NOT NULL AND line.amount_minor <> 0;

-- migrate:down
DROP TABLE settlement, open_item, posting_warning;
DROP FUNCTION apply_settlements();
DROP TRIGGER journal_line_open_items ON journal_line;
DROP TRIGGER journal_entry_open_items ON journal_entry;
DROP TRIGGER journal_line_check_reversals ON journal_line;
DROP FUNCTION open_items_of_entries(), check_reversals();
ALTER TABLE company DROP COLUMN search_lag_seconds;

-- What the older schema has no words for does not survive the way back: cancelled entries go together with what cancels
-- them, exchange differences of settlements with the settlements.
ALTER TABLE journal_entry DROP CONSTRAINT journal_entry_lines_fk;
ALTER TABLE journal_entry DISABLE TRIGGER USER;
ALTER TABLE journal_line DISABLE TRIGGER USER;
CREATE TEMPORARY TABLE leaving ON COMMIT DROP AS
  SELECT id FROM journal_entry WHERE role IN ('reversal', 'realized-fx') OR state = 'discarded'
  UNION SELECT reverses_id FROM journal_entry WHERE reverses_id IS NOT NULL;
DELETE FROM journal_line WHERE entry_id IN (SELECT id FROM leaving);
DELETE FROM journal_entry WHERE id IN (SELECT id FROM leaving);
ALTER TABLE journal_entry ENABLE TRIGGER USER;
ALTER TABLE journal_line ENABLE TRIGGER USER;

DROP INDEX journal_entry_posting_group_id_role_uq;
ALTER TABLE journal_entry
  ADD CONSTRAINT journal_entry_fiscal_year_fk FOREIGN KEY (company_id, fiscal_year) REFERENCES fiscal_year (company_id, year),
  DROP CONSTRAINT journal_entry_role_ck,
  DROP CONSTRAINT journal_entry_state_ck,
  DROP COLUMN reverses_id,
  DROP COLUMN posted_at,
  ADD CONSTRAINT journal_entry_role_ck CHECK (role IN ('entry', 'invoice', 'payment', 'credit-note', 'receipt')),
  ADD CONSTRAINT journal_entry_state_ck CHECK (state IN ('draft', 'posted')),
  ADD CONSTRAINT journal_entry_posting_group_id_role_uq UNIQUE (posting_group_id, role);
ALTER TABLE journal_line ADD COLUMN line_count integer;
ALTER TABLE journal_line DISABLE TRIGGER USER;
UPDATE journal_line SET line_count = entry.line_count FROM journal_entry entry WHERE entry.id = entry_id;
ALTER TABLE journal_line ENABLE TRIGGER USER;
ALTER TABLE journal_line
  DROP CONSTRAINT journal_line_one_side_ck,
  DROP CONSTRAINT journal_line_line_no_ck,
  ALTER COLUMN line_count SET NOT NULL,
  ADD CONSTRAINT journal_line_entry_id_fk FOREIGN KEY (entry_id) REFERENCES journal_entry (id),
  ADD CONSTRAINT journal_line_account_code_fk FOREIGN KEY (company_id, account_code) REFERENCES account (company_id, code),
  ADD CONSTRAINT journal_line_line_no_ck CHECK (line_no BETWEEN 1 AND line_count);
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
CREATE OR REPLACE FUNCTION check_entry_periods() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
CREATE OR REPLACE FUNCTION check_lines() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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
CREATE OR REPLACE FUNCTION check_group_revision() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM company WHERE id = NEW.company_id AND idempotency IN ('forever', 'reference-only')) THEN
    RAISE EXCEPTION 'key % of company % is taken for ever', NEW.key, NEW.company_id
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'posting_group_key_forever_uq', TABLE = 'posting_group';
  END IF;
  RETURN NEW;
END
$$;
CREATE OR REPLACE FUNCTION allow_only_posting() RETURNS trigger LANGUAGE plpgsql AS $$
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
