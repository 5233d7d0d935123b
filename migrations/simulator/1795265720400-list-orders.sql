-- migrate:up

-- Each order that a list can be read in, so that a page costs the same wherever it stands. Texts are in the order of the
-- bytes of their first 500 letters, which is what an index can keep.
-- Where a text may be missing the first part says whether it is: read from one end or the other, the two indexes give nulls at
-- either end of either direction.

CREATE INDEX account_company_id_id_ix ON account (company_id, id);
CREATE INDEX account_company_id_external_id_ix ON account (company_id, left(external_id, 500) COLLATE "C", id);
CREATE INDEX account_company_id_name_ix ON account (company_id, left(name, 500) COLLATE "C", id);
CREATE INDEX account_company_id_code_nulls_last_ix ON account (company_id, (code IS NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX account_company_id_code_nulls_first_ix ON account (company_id, (code IS NOT NULL), coalesce(left(code, 500), '') COLLATE "C", id);

CREATE INDEX vendor_company_id_id_ix ON vendor (company_id, id);
CREATE INDEX vendor_company_id_name_ix ON vendor (company_id, left(name, 500) COLLATE "C", id);
CREATE INDEX vendor_company_id_code_nulls_last_ix ON vendor (company_id, (code IS NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX vendor_company_id_code_nulls_first_ix ON vendor (company_id, (code IS NOT NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX vendor_company_id_external_id_nulls_last_ix ON vendor (company_id, (external_id IS NULL), coalesce(left(external_id, 500), '') COLLATE "C", id);
CREATE INDEX vendor_company_id_external_id_nulls_first_ix ON vendor (company_id, (external_id IS NOT NULL), coalesce(left(external_id, 500), '') COLLATE "C", id);
CREATE INDEX vendor_company_id_created_at_ix ON vendor (company_id, created_at, id);
CREATE INDEX vendor_company_id_updated_at_ix ON vendor (company_id, updated_at, id);

CREATE INDEX tax_code_company_id_id_ix ON tax_code (company_id, id);
CREATE INDEX tax_code_company_id_name_ix ON tax_code (company_id, left(name, 500) COLLATE "C", id);
CREATE INDEX tax_code_company_id_code_nulls_last_ix ON tax_code (company_id, (code IS NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX tax_code_company_id_code_nulls_first_ix ON tax_code (company_id, (code IS NOT NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX tax_code_company_id_created_at_ix ON tax_code (company_id, created_at, id);
CREATE INDEX tax_code_company_id_updated_at_ix ON tax_code (company_id, updated_at, id);

CREATE INDEX tag_company_id_id_ix ON tag (company_id, id);
CREATE INDEX tag_company_id_code_ix ON tag (company_id, left(code, 500) COLLATE "C", id);
CREATE INDEX tag_company_id_name_nulls_last_ix ON tag (company_id, (name IS NULL), coalesce(left(name, 500), '') COLLATE "C", id);
CREATE INDEX tag_company_id_name_nulls_first_ix ON tag (company_id, (name IS NOT NULL), coalesce(left(name, 500), '') COLLATE "C", id);
CREATE INDEX tag_company_id_created_at_ix ON tag (company_id, created_at, id);
CREATE INDEX tag_company_id_updated_at_ix ON tag (company_id, updated_at, id);

CREATE INDEX employee_company_id_id_ix ON employee (company_id, id);
CREATE INDEX employee_company_id_email_ix ON employee (company_id, left(email, 500) COLLATE "C", id);
CREATE INDEX employee_company_id_first_name_ix ON employee (company_id, left(first_name, 500) COLLATE "C", id);
CREATE INDEX employee_company_id_last_name_ix ON employee (company_id, left(last_name, 500) COLLATE "C", id);
CREATE INDEX employee_company_id_code_nulls_last_ix ON employee (company_id, (code IS NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX employee_company_id_code_nulls_first_ix ON employee (company_id, (code IS NOT NULL), coalesce(left(code, 500), '') COLLATE "C", id);

-- The results of a job in one state.
CREATE INDEX export_job_item_export_job_id_status_position_ix ON export_job_item (export_job_id, status, position);
CREATE INDEX export_job_item_export_job_id_status_accounting_entry_id_ix ON export_job_item (export_job_id, status, accounting_entry_id);

CREATE INDEX employee_company_id_position_ix ON employee (company_id, position);

-- migrate:down
DROP INDEX employee_company_id_position_ix;
DROP INDEX export_job_item_export_job_id_status_accounting_entry_id_ix;
DROP INDEX export_job_item_export_job_id_status_position_ix;
DROP INDEX employee_company_id_code_nulls_first_ix;
DROP INDEX employee_company_id_code_nulls_last_ix;
DROP INDEX employee_company_id_last_name_ix;
DROP INDEX employee_company_id_first_name_ix;
DROP INDEX employee_company_id_email_ix;
DROP INDEX employee_company_id_id_ix;
DROP INDEX tag_company_id_updated_at_ix;
DROP INDEX tag_company_id_created_at_ix;
DROP INDEX tag_company_id_name_nulls_first_ix;
DROP INDEX tag_company_id_name_nulls_last_ix;
DROP INDEX tag_company_id_code_ix;
DROP INDEX tag_company_id_id_ix;
DROP INDEX tax_code_company_id_updated_at_ix;
DROP INDEX tax_code_company_id_created_at_ix;
DROP INDEX tax_code_company_id_code_nulls_first_ix;
DROP INDEX tax_code_company_id_code_nulls_last_ix;
DROP INDEX tax_code_company_id_name_ix;
DROP INDEX tax_code_company_id_id_ix;
DROP INDEX vendor_company_id_updated_at_ix;
DROP INDEX vendor_company_id_created_at_ix;
DROP INDEX vendor_company_id_external_id_nulls_first_ix;
DROP INDEX vendor_company_id_external_id_nulls_last_ix;
DROP INDEX vendor_company_id_code_nulls_first_ix;
DROP INDEX vendor_company_id_code_nulls_last_ix;
DROP INDEX vendor_company_id_name_ix;
DROP INDEX vendor_company_id_id_ix;
DROP INDEX account_company_id_code_nulls_first_ix;
DROP INDEX account_company_id_code_nulls_last_ix;
DROP INDEX account_company_id_name_ix;
DROP INDEX account_company_id_external_id_ix;
DROP INDEX account_company_id_id_ix;
