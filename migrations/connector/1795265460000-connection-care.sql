-- migrate:up

ALTER TABLE installation
  -- The customer's organization on the platform; another one may not take the company over.
  ADD COLUMN platform_organization_id uuid,
  -- An organization's credential hears of, and may act for, more companies than this installation's.
  ADD COLUMN access_level text NOT NULL DEFAULT 'company'
    CONSTRAINT installation_access_level_ck CHECK (access_level IN ('company', 'organisation')),
  -- Why connecting does not go on, in words for the customer's administrator.
  ADD COLUMN connection_problem text
    CONSTRAINT installation_connection_problem_ck CHECK (length(connection_problem) BETWEEN 1 AND 500),
  ADD COLUMN connection_failed_at timestamptz,
  ADD COLUMN uninstalled_at timestamptz,
  ADD CONSTRAINT installation_connection_failed_at_ck
    CHECK ((connection_problem IS NULL) = (connection_failed_at IS NULL));
GRANT SELECT (platform_organization_id) ON installation TO connector_scheduler;

-- One data key per installation seals its secrets; the key ring outside the database wraps it. Without this row every
-- ciphertext of the installation is dead (spec: reliability §e3 S25, S30).
CREATE TABLE data_key (
  installation_id uuid CONSTRAINT data_key_installation_id_pk PRIMARY KEY
    CONSTRAINT data_key_installation_id_fk REFERENCES installation (id),
  wrapped_key text NOT NULL,
  -- Which key of the ring wraps it: what a key rotation has still to do.
  ring_key_id text NOT NULL,
  wrapped_at timestamptz NOT NULL
);
ALTER TABLE data_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE data_key FORCE ROW LEVEL SECURITY;
CREATE POLICY data_key_tenant ON data_key TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY data_key_scheduler ON data_key TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON data_key TO connector_app;
GRANT SELECT (installation_id, ring_key_id) ON data_key TO connector_scheduler;

-- An API key stands where the access token would; there is nothing to refresh.
ALTER TABLE credential
  ADD COLUMN kind text NOT NULL DEFAULT 'tokens' CONSTRAINT credential_kind_ck CHECK (kind IN ('tokens', 'api-key')),
  ADD COLUMN presentation text CONSTRAINT credential_presentation_ck CHECK (presentation IN ('basic', 'bearer')),
  ADD COLUMN expires_at timestamptz,
  ALTER COLUMN refresh_token DROP NOT NULL,
  ADD CONSTRAINT credential_refresh_token_ck CHECK ((kind = 'tokens') = (refresh_token IS NOT NULL)),
  ADD CONSTRAINT credential_api_key_ck CHECK ((kind = 'api-key') = (presentation IS NOT NULL));

ALTER TABLE subscription
  -- The value of our own header on each message, the second factor; demanded once the platform has confirmed it.
  ADD COLUMN header_value text,
  ADD COLUMN header_confirmed boolean NOT NULL DEFAULT false,
  -- The secret before a rotation, accepted until then.
  ADD COLUMN previous_secret text,
  ADD COLUMN previous_secret_until timestamptz,
  ADD COLUMN rotation_requested_at timestamptz,
  ADD COLUMN secret_since timestamptz,
  ADD COLUMN wanted_status text NOT NULL DEFAULT 'ACTIVE'
    CONSTRAINT subscription_wanted_status_ck CHECK (wanted_status IN ('ACTIVE', 'INACTIVE')),
  -- What the platform said when it was last told what we want.
  ADD COLUMN confirmed_status text,
  ADD COLUMN confirmed_at timestamptz,
  ADD COLUMN next_care_at timestamptz NOT NULL DEFAULT now(),
  ADD CONSTRAINT subscription_previous_secret_ck
    CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL));
CREATE INDEX subscription_next_care_at_ix ON subscription (next_care_at);
GRANT SELECT (next_care_at), UPDATE (next_care_at) ON subscription TO connector_scheduler;

-- One ERP company takes the entries of one platform company, whoever links it (wire-facts §9.2).
CREATE TABLE erp_company_link (
  erp_company_id text CONSTRAINT erp_company_link_erp_company_id_pk PRIMARY KEY,
  installation_id uuid NOT NULL CONSTRAINT erp_company_link_installation_id_uq UNIQUE
    CONSTRAINT erp_company_link_installation_id_fk REFERENCES installation (id)
);
INSERT INTO erp_company_link (erp_company_id, installation_id)
  SELECT DISTINCT ON (erp_company_id) erp_company_id, id FROM installation
  WHERE erp_company_id IS NOT NULL AND state <> 'uninstalled' ORDER BY erp_company_id, created_at;
ALTER TABLE erp_company_link ENABLE ROW LEVEL SECURITY;
ALTER TABLE erp_company_link FORCE ROW LEVEL SECURITY;
CREATE POLICY erp_company_link_tenant ON erp_company_link TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, DELETE ON erp_company_link TO connector_app;

-- An organization's grant waits here until the person has picked the company.
ALTER TABLE connection_attempt
  ADD COLUMN grant_tokens text,
  ADD COLUMN granted_at timestamptz,
  ADD COLUMN organization_id uuid,
  ADD CONSTRAINT connection_attempt_grant_ck CHECK (grant_tokens IS NULL OR
    (granted_at IS NOT NULL AND organization_id IS NOT NULL AND used_at IS NOT NULL));

-- migrate:down

-- Fails while secrets are sealed with data keys or API keys are in use: without them nobody could act for those customers.
DO $$
BEGIN
  IF EXISTS (SELECT FROM data_key) OR EXISTS (SELECT FROM credential WHERE kind = 'api-key') THEN
    RAISE EXCEPTION 'there are data keys or API keys in use';
  END IF;
END
$$;
ALTER TABLE connection_attempt
  DROP CONSTRAINT connection_attempt_grant_ck,
  DROP COLUMN organization_id,
  DROP COLUMN granted_at,
  DROP COLUMN grant_tokens;
DROP TABLE erp_company_link;
REVOKE UPDATE (next_care_at) ON subscription FROM connector_scheduler;
DROP INDEX subscription_next_care_at_ix;
ALTER TABLE subscription
  DROP CONSTRAINT subscription_previous_secret_ck,
  DROP COLUMN next_care_at,
  DROP COLUMN confirmed_at,
  DROP COLUMN confirmed_status,
  DROP COLUMN wanted_status,
  DROP COLUMN secret_since,
  DROP COLUMN rotation_requested_at,
  DROP COLUMN previous_secret_until,
  DROP COLUMN previous_secret,
  DROP COLUMN header_confirmed,
  DROP COLUMN header_value;
ALTER TABLE credential
  DROP CONSTRAINT credential_api_key_ck,
  DROP CONSTRAINT credential_refresh_token_ck,
  ALTER COLUMN refresh_token SET NOT NULL,
  DROP COLUMN expires_at,
  DROP COLUMN presentation,
  DROP COLUMN kind;
DROP TABLE data_key;
ALTER TABLE installation
  DROP CONSTRAINT installation_connection_failed_at_ck,
  DROP COLUMN uninstalled_at,
  DROP COLUMN connection_failed_at,
  DROP COLUMN connection_problem,
  DROP COLUMN access_level,
  DROP COLUMN platform_organization_id;
