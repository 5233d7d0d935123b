-- migrate:up

-- What our record took over from the ERP without having planned it: its entries as the ERP had them then, in the form of a
-- plan without base amounts. Null: as planned.
ALTER TABLE posting_intent ADD COLUMN adopted jsonb;

-- migrate:down
ALTER TABLE posting_intent DROP COLUMN adopted;
