-- migrate:up

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

-- An entry that leaves a state takes its amounts out of that state's sums.
CREATE FUNCTION add_turnover() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
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

CREATE FUNCTION count_entries() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
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

INSERT INTO account_turnover
  SELECT entry.company_id, state, grain, date_trunc(grain, posting_date::timestamp)::date, account_code, currency,
    sum(greatest(amount_minor, 0)), sum(greatest(-amount_minor, 0)), sum(greatest(base_minor, 0)), sum(greatest(-base_minor, 0))
  FROM journal_entry entry JOIN journal_line line ON line.entry_id = entry.id
    CROSS JOIN (VALUES ('month'), ('day')) AS grains (grain)
  WHERE state <> 'discarded' GROUP BY 1, 2, 3, 4, 5, 6;
INSERT INTO entry_count
  SELECT company_id, state, grain, date_trunc(grain, posting_date::timestamp)::date, count(*)
  FROM journal_entry CROSS JOIN (VALUES ('month'), ('day')) AS grains (grain)
  WHERE state <> 'discarded' GROUP BY 1, 2, 3, 4;
GRANT SELECT ON account_turnover, entry_count TO ledger_app;

-- migrate:down
DROP TRIGGER journal_line_turnover ON journal_line;
DROP TRIGGER journal_entry_turnover ON journal_entry;
DROP TRIGGER journal_entry_count_on_insert ON journal_entry;
DROP TRIGGER journal_entry_count_on_update ON journal_entry;
DROP FUNCTION add_turnover(), count_entries();
DROP TABLE account_turnover, entry_count;
