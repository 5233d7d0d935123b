-- migrate:up

-- What the reports read: sums up to a day, what was open on a day, and the indexes that keep both from going through the
-- whole books.

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

-- Settlements as each of their two items sees them, amounts with the sign of the item.
CREATE VIEW item_settlement AS
  SELECT company_id, id, debit_entry_id AS entry_id, debit_line_no AS line_no, credit_entry_id AS other_entry_id,
    credit_line_no AS other_line_no, amount_minor, debit_base_minor AS base_minor, settled_on, fx_entry_id, undoes_id
  FROM settlement
  UNION ALL
  SELECT company_id, id, credit_entry_id, credit_line_no, debit_entry_id, debit_line_no, -amount_minor, -credit_base_minor,
    settled_on, fx_entry_id, undoes_id
  FROM settlement;

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

CREATE INDEX settlement_settled_on_ix ON settlement (company_id, settled_on);
CREATE INDEX settlement_fx_entry_id_ix ON settlement (fx_entry_id) WHERE fx_entry_id IS NOT NULL;
-- Lines in base only: rounding, realized differences, corrections of a rate.
CREATE INDEX journal_line_base_only_ix ON journal_line (company_id, entry_id) WHERE amount_minor = 0;
-- The list of entries, in the order of their making, of one company and of one vendor.
CREATE INDEX journal_entry_company_id_id_ix ON journal_entry (company_id, id);
CREATE INDEX journal_line_vendor_number_ix ON journal_line (company_id, vendor_number, entry_id) WHERE vendor_number IS NOT NULL;

GRANT SELECT ON item_settlement TO ledger_app;

-- migrate:down
DROP INDEX settlement_settled_on_ix, settlement_fx_entry_id_ix, journal_line_base_only_ix,
  journal_entry_company_id_id_ix, journal_line_vendor_number_ix;
DROP FUNCTION open_items_on(uuid, date), turnover_through(uuid, date);
DROP VIEW item_settlement;
