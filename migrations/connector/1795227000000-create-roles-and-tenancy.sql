-- migrate:up

-- Roles belong to the whole server, so another database of it may have made them already.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'connector_app') THEN
    CREATE ROLE connector_app NOLOGIN;
  END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'connector_scheduler') THEN
    CREATE ROLE connector_scheduler NOLOGIN;
  END IF;
EXCEPTION
  -- Two databases of one server may be migrated at the same moment.
  WHEN duplicate_object OR unique_violation THEN NULL;
END
$$;
-- The user of DATABASE_URL takes these roles on; it needs to be a member of them.
DO $$
BEGIN
  -- Before PostgreSQL 16 every member may take a role on; since then membership says so apart.
  IF NOT pg_has_role(current_user, 'connector_app',
    CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
    EXECUTE format('GRANT connector_app, connector_scheduler TO %I', current_user);
  END IF;
END
$$;
GRANT USAGE ON SCHEMA connector TO connector_app, connector_scheduler;

-- The tenant of the current transaction; unset means no row is visible.
CREATE FUNCTION current_installation() RETURNS uuid LANGUAGE sql STABLE
  RETURN NULLIF(current_setting('app.installation', true), '')::uuid;

CREATE TABLE installation (
  id uuid CONSTRAINT installation_id_pk PRIMARY KEY,
  platform_company_id uuid NOT NULL,
  company_name text NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  state text NOT NULL CONSTRAINT installation_state_ck
    CHECK (state IN ('authorized', 'active', 'needs_reauthorization', 'uninstalled')),
  -- The one ERP company this platform company is linked to; until then no export can succeed.
  erp_company_id text,
  next_poll_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL,
  activated_at timestamptz
);
CREATE UNIQUE INDEX installation_company_uq ON installation (platform_company_id) WHERE state <> 'uninstalled';
CREATE INDEX installation_next_poll_ix ON installation (next_poll_at) WHERE state = 'active';

CREATE TABLE credential (
  installation_id uuid CONSTRAINT credential_installation_id_pk PRIMARY KEY
    CONSTRAINT credential_installation_id_fk REFERENCES installation (id),
  version integer NOT NULL,
  access_token text NOT NULL,
  refresh_token text NOT NULL,
  -- From here on the next user of the token gets a new pair first; well before it expires.
  refresh_after timestamptz NOT NULL,
  -- While this lies ahead one process is refreshing and the others wait: a refresh token works once.
  refreshing_until timestamptz,
  updated_at timestamptz NOT NULL
);

CREATE TABLE subscription (
  installation_id uuid CONSTRAINT subscription_installation_id_pk PRIMARY KEY
    CONSTRAINT subscription_installation_id_fk REFERENCES installation (id),
  platform_subscription_id uuid,
  endpoint_token text NOT NULL,
  endpoint_token_hash bytea NOT NULL CONSTRAINT subscription_endpoint_token_hash_uq UNIQUE,
  secret text,
  -- What the platform means by webhook-timestamp: the attempt or the generation of the message.
  timestamp_meaning text NOT NULL DEFAULT 'attempt'
    CONSTRAINT subscription_timestamp_meaning_ck CHECK (timestamp_meaning IN ('attempt', 'generation')),
  updated_at timestamptz NOT NULL
);

CREATE TABLE api_token (
  id uuid NOT NULL,
  installation_id uuid NOT NULL CONSTRAINT api_token_installation_id_fk REFERENCES installation (id),
  token_hash bytea NOT NULL CONSTRAINT api_token_token_hash_uq UNIQUE,
  role text NOT NULL CONSTRAINT api_token_role_ck CHECK (role IN ('viewer', 'bookkeeper', 'admin')),
  label text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT api_token_id_pk PRIMARY KEY (installation_id, id)
);

-- An authorization in progress. It has no tenant yet; the state value itself is the secret that finds it.
CREATE TABLE connection_attempt (
  state_hash bytea CONSTRAINT connection_attempt_state_hash_pk PRIMARY KEY,
  browser_hash bytea NOT NULL,
  code_verifier text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);
CREATE INDEX connection_attempt_expires_at_ix ON connection_attempt (expires_at);

ALTER TABLE installation ENABLE ROW LEVEL SECURITY;
ALTER TABLE installation FORCE ROW LEVEL SECURITY;
CREATE POLICY installation_tenant ON installation TO connector_app
  USING (id = current_installation()) WITH CHECK (id = current_installation());
ALTER TABLE credential ENABLE ROW LEVEL SECURITY;
ALTER TABLE credential FORCE ROW LEVEL SECURITY;
CREATE POLICY credential_tenant ON credential TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
ALTER TABLE subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE subscription FORCE ROW LEVEL SECURITY;
CREATE POLICY subscription_tenant ON subscription TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
ALTER TABLE api_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_token FORCE ROW LEVEL SECURITY;
CREATE POLICY api_token_tenant ON api_token TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());

GRANT SELECT, INSERT, UPDATE ON installation, credential, subscription TO connector_app;
GRANT SELECT, INSERT, DELETE ON api_token TO connector_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON connection_attempt TO connector_app;

-- The scheduler looks over all tenants, but only at what tells whom to wake.
CREATE POLICY installation_scheduler ON installation TO connector_scheduler USING (true) WITH CHECK (true);
CREATE POLICY subscription_scheduler ON subscription TO connector_scheduler USING (true);
CREATE POLICY api_token_scheduler ON api_token TO connector_scheduler USING (true);
GRANT SELECT (id, platform_company_id, company_name, state, next_poll_at, created_at), UPDATE (next_poll_at)
  ON installation TO connector_scheduler;
GRANT SELECT (installation_id, endpoint_token_hash) ON subscription TO connector_scheduler;
GRANT SELECT (installation_id, token_hash) ON api_token TO connector_scheduler;

-- migrate:down
DROP TABLE connection_attempt, api_token, subscription, credential, installation;
DROP FUNCTION current_installation();
REVOKE USAGE ON SCHEMA connector FROM connector_app, connector_scheduler;
