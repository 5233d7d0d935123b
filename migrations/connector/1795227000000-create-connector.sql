-- migrate:up

-- ===== Roles and tenancy ==============================================================================================

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
-- The user of DATABASE_URL takes these roles on, so it has to be a member of them.
DO $$
BEGIN
  -- Before PostgreSQL 16 every member may take a role on; since then membership says so separately.
  IF NOT pg_has_role(current_user, 'connector_app',
    CASE WHEN current_setting('server_version_num')::int >= 160000 THEN 'SET' ELSE 'MEMBER' END) THEN
    EXECUTE format('GRANT connector_app, connector_scheduler TO %I', current_user);
  END IF;
END
$$;
GRANT USAGE ON SCHEMA connector TO connector_app, connector_scheduler;

-- The tenant of the current transaction; while it is unset no row is visible.
CREATE FUNCTION current_installation() RETURNS uuid LANGUAGE sql STABLE
  RETURN NULLIF(current_setting('app.installation', true), '')::uuid;

-- Throughout this file: connector_app works for one tenant at a time and sees only that tenant's rows. connector_scheduler
-- looks over all tenants, but only at the columns that tell whom to wake, and what to count for the metrics.

CREATE TABLE installation (
  id uuid CONSTRAINT installation_id_pk PRIMARY KEY,
  platform_company_id uuid NOT NULL,
  -- The customer's organization on the platform; another one may not take the company over.
  platform_organization_id uuid,
  company_name text NOT NULL,
  -- The credential of an organization hears of, and may act for, more companies than this installation's.
  access_level text NOT NULL DEFAULT 'company'
    CONSTRAINT installation_access_level_ck CHECK (access_level IN ('company', 'organization')),
  generation integer NOT NULL DEFAULT 1,
  state text NOT NULL CONSTRAINT installation_state_ck
    CHECK (state IN ('authorized', 'active', 'needs_reauthorization', 'uninstalled')),
  -- Why connecting does not go on, for the customer's administrator: code and parameters of a message.
  connection_problem jsonb
    CONSTRAINT installation_connection_problem_ck
    CHECK (jsonb_typeof(connection_problem) = 'object' AND length(connection_problem::text) <= 500),
  connection_failed_at timestamptz,
  -- The one ERP company this platform company is linked to; until it is set no export can succeed.
  erp_company_id text,
  next_poll_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL,
  activated_at timestamptz,
  uninstalled_at timestamptz,
  -- The operator has paused its exports: since when, who, and why, in words that the customer reads.
  paused_at timestamptz,
  paused_by text,
  pause_reason text CONSTRAINT installation_pause_reason_ck CHECK (length(pause_reason) BETWEEN 1 AND 300),
  CONSTRAINT installation_connection_failed_at_ck
    CHECK ((connection_problem IS NULL) = (connection_failed_at IS NULL)),
  CONSTRAINT installation_paused_at_ck
    CHECK ((paused_at IS NULL) = (paused_by IS NULL) AND (paused_at IS NULL) = (pause_reason IS NULL))
);
CREATE UNIQUE INDEX installation_company_uq ON installation (platform_company_id) WHERE state <> 'uninstalled';
-- A lost wake-up is found by `next_poll_at`; a connection that was never finished is one too.
CREATE INDEX installation_next_poll_ix ON installation (next_poll_at) WHERE state IN ('authorized', 'active');
-- The operator's list of customers, by name, and those of it that need a person.
CREATE INDEX installation_name_ix ON installation (lower(company_name) COLLATE "C", id) WHERE state <> 'uninstalled';
CREATE INDEX installation_lost_ix ON installation (id) WHERE state = 'needs_reauthorization';
CREATE INDEX installation_paused_ix ON installation (id) WHERE paused_at IS NOT NULL;
ALTER TABLE installation ENABLE ROW LEVEL SECURITY;
ALTER TABLE installation FORCE ROW LEVEL SECURITY;
CREATE POLICY installation_tenant ON installation TO connector_app
  USING (id = current_installation()) WITH CHECK (id = current_installation());
CREATE POLICY installation_scheduler ON installation TO connector_scheduler USING (true) WITH CHECK (true);
GRANT SELECT, INSERT, UPDATE ON installation TO connector_app;
-- `activated_at` and `uninstalled_at` tell who was connected again, and who left so long ago that the process which was
-- taking care of it must be gone.
GRANT SELECT (id, platform_company_id, platform_organization_id, company_name, state, erp_company_id, next_poll_at, created_at,
    activated_at, uninstalled_at, paused_at), UPDATE (next_poll_at)
  ON installation TO connector_scheduler;

-- ===== Audit log ======================================================================================================

-- Who changed what, and when, of everything a person or a dispute may ask about (I30). Entries are written by triggers, so
-- that no use case can forget one, and in the transaction of the change, so that there is none without the other. Each
-- feature below says by audit_table() what is recorded of its tables.
-- A migration that changes both rows and columns of an audited table says SET CONSTRAINTS ALL IMMEDIATE in between.

-- The end of each installation's chain. Its lock is what makes positions gapless; it is taken at commit only.
CREATE TABLE audit_head (
  installation_id uuid CONSTRAINT audit_head_installation_id_pk PRIMARY KEY
    CONSTRAINT audit_head_installation_id_fk REFERENCES installation (id),
  position bigint NOT NULL CONSTRAINT audit_head_position_ck CHECK (position >= 0),
  hash bytea NOT NULL,
  CONSTRAINT audit_head_hash_ck CHECK (length(hash) = CASE position WHEN 0 THEN 0 ELSE 32 END)
);

CREATE TABLE audit_entry (
  installation_id uuid NOT NULL CONSTRAINT audit_entry_installation_id_fk REFERENCES installation (id),
  position bigint NOT NULL CONSTRAINT audit_entry_position_ck CHECK (position >= 1),
  -- By the database's clock; never before the entry before it, unless that clock was set back.
  occurred_at timestamptz NOT NULL,
  -- A token, a person, an operator, a step of the connector, or a user of the database.
  actor text NOT NULL,
  request_id text,
  -- The table, and the key of the row in it.
  object text NOT NULL,
  object_id text NOT NULL,
  action text NOT NULL CONSTRAINT audit_entry_action_ck CHECK (action IN ('created', 'changed', 'removed')),
  -- As text, since the hash is over these characters. Of a change only the columns that differ.
  before json,
  after json,
  -- SHA-256 over the hash before it and the text of this entry.
  hash bytea NOT NULL CONSTRAINT audit_entry_hash_ck CHECK (length(hash) = 32),
  CONSTRAINT audit_entry_position_pk PRIMARY KEY (installation_id, position),
  CONSTRAINT audit_entry_before_ck CHECK ((action = 'created') = (before IS NULL)),
  CONSTRAINT audit_entry_after_ck CHECK ((action = 'removed') = (after IS NULL))
);
CREATE INDEX audit_entry_object_ix ON audit_entry (installation_id, object, object_id, position);
CREATE INDEX audit_entry_actor_ix ON audit_entry (installation_id, actor, position);
CREATE INDEX audit_entry_occurred_at_ix ON audit_entry (installation_id, occurred_at);

-- The owner's policies are for audit_change(), which takes the tenant from the row that was changed.
ALTER TABLE audit_head ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_head FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_head_tenant ON audit_head TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY audit_head_owner ON audit_head TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT ON audit_head TO connector_app;
ALTER TABLE audit_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_entry FORCE ROW LEVEL SECURITY;
CREATE POLICY audit_entry_tenant ON audit_entry TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY audit_entry_owner ON audit_entry TO CURRENT_USER USING (true) WITH CHECK (true);
GRANT SELECT ON audit_entry TO connector_app;

CREATE FUNCTION pick_columns(source jsonb, names text[]) RETURNS json LANGUAGE sql IMMUTABLE
  RETURN (SELECT json_object_agg(name, source -> name ORDER BY place) FROM unnest(names) WITH ORDINALITY AS t (name, place));

-- Arguments: the columns that name the row, and those that are recorded. Runs as its owner: the application writes no
-- entry by itself. pg_temp is named last: where it is not named it comes first, and a temporary table of the application
-- would be taken for ours. The plans are made while the table is small and used while it grows, so they have to go by the
-- key.
CREATE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = connector, pg_temp
  SET enable_seqscan = off SET enable_sort = off AS $$
DECLARE
  keys constant text[] := TG_ARGV[0];
  columns text[] := TG_ARGV[1];
  old_row constant jsonb := CASE TG_OP WHEN 'INSERT' THEN NULL ELSE to_jsonb(OLD) END;
  new_row constant jsonb := CASE TG_OP WHEN 'DELETE' THEN NULL ELSE to_jsonb(NEW) END;
  changed constant jsonb := coalesce(new_row, old_row);
  tenant constant uuid := coalesce(changed ->> 'installation_id', changed ->> 'id');
  last audit_head;
  added audit_head;
  entry audit_entry;
BEGIN
  IF TG_OP = 'UPDATE' THEN
    columns := ARRAY (SELECT name FROM unnest(columns) AS name WHERE old_row -> name IS DISTINCT FROM new_row -> name);
  END IF;
  SELECT * INTO last FROM audit_head WHERE installation_id = tenant FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    INSERT INTO audit_head (installation_id, position, hash) VALUES (tenant, 0, '') ON CONFLICT DO NOTHING;
    SELECT * INTO STRICT last FROM audit_head WHERE installation_id = tenant FOR NO KEY UPDATE;
  END IF;
  -- What this transaction has added already.
  SELECT installation_id, position, hash INTO added FROM audit_entry
    WHERE installation_id = tenant AND position > last.position ORDER BY position DESC LIMIT 1;
  IF FOUND THEN
    last := added;
  END IF;

  entry.installation_id := tenant;
  entry.position := last.position + 1;
  entry.occurred_at := clock_timestamp();
  entry.actor := coalesce(nullif(current_setting('app.actor', true), ''), 'database user ' || session_user);
  entry.request_id := nullif(current_setting('app.request', true), '');
  entry.object := TG_TABLE_NAME;
  entry.object_id := (SELECT string_agg(changed ->> name, '/' ORDER BY place)
    FROM unnest(keys) WITH ORDINALITY AS t (name, place));
  entry.action := CASE TG_OP WHEN 'INSERT' THEN 'created' WHEN 'UPDATE' THEN 'changed' ELSE 'removed' END;
  entry.before := CASE WHEN old_row IS NOT NULL THEN pick_columns(old_row, columns) END;
  entry.after := CASE WHEN new_row IS NOT NULL THEN pick_columns(new_row, columns) END;
  entry.hash := sha256(last.hash || convert_to(json_build_array(entry.installation_id, entry.position,
    (extract(epoch FROM entry.occurred_at) * 1000000)::bigint, entry.actor, entry.request_id, entry.object, entry.object_id,
    entry.action, entry.before, entry.after)::text, 'UTF8'));
  INSERT INTO audit_entry VALUES (entry.*);
  RETURN NULL;
END
$$;

-- Once for all entries of a transaction: it runs when they are all there, and acts on the last one. A head that moved with
-- every entry would leave a version of its row each, which all later ones would have to walk past.
CREATE FUNCTION move_audit_head() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = connector, pg_temp
  SET enable_seqscan = off SET enable_sort = off AS $$
BEGIN
  IF NEW.position = (SELECT position FROM audit_entry WHERE installation_id = NEW.installation_id
      ORDER BY position DESC LIMIT 1) THEN
    UPDATE audit_head SET position = NEW.position, hash = NEW.hash WHERE installation_id = NEW.installation_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER audit_entry_move_head AFTER INSERT ON audit_entry DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION move_audit_head();

-- Has every change of a table recorded. `columns` is an allow-list: no secrets, and of persons no more than a member's name.
-- The conditions leave out what the connector notes for itself; null: never recorded.
CREATE FUNCTION audit_table(audited regclass, keys text[], columns text[], created_when text DEFAULT 'true',
  removed_when text DEFAULT 'true') RETURNS void LANGUAGE plpgsql SET search_path = connector AS $$
DECLARE
  name constant text := (SELECT relname FROM pg_class WHERE oid = audited);
  -- Looked at when the row is written: an update of other columns costs nothing at commit.
  changed_when constant text := (SELECT format('ROW (%s) IS DISTINCT FROM ROW (%s)', string_agg('OLD.' || quote_ident(c), ', '),
    string_agg('NEW.' || quote_ident(c), ', ')) FROM unnest(columns) AS c);
  trigger record;
BEGIN
  FOR trigger IN SELECT * FROM (VALUES ('INSERT', created_when), ('UPDATE', changed_when), ('DELETE', removed_when))
      AS t (operation, condition) WHERE condition IS NOT NULL LOOP
    -- At commit, so that the head of the chain is locked last and for a moment only.
    EXECUTE format('CREATE CONSTRAINT TRIGGER %I AFTER %s ON %s DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (%s)
      EXECUTE FUNCTION audit_change(%L, %L)', name || '_audit_' || lower(trigger.operation), trigger.operation, audited,
      trigger.condition, keys, columns);
  END LOOP;
END
$$;
REVOKE EXECUTE ON FUNCTION audit_table(regclass, text[], text[], text, text) FROM PUBLIC;

-- Entries stay as they are, whoever asks (I13).
CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% is append-only: % is not possible', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'check_violation', CONSTRAINT = TG_TABLE_NAME || '_append_only_ck';
END
$$;
CREATE TRIGGER audit_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_entry
  EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_head_append_only BEFORE DELETE OR TRUNCATE ON audit_head EXECUTE FUNCTION refuse_audit_change();
CREATE FUNCTION check_audit_head() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.position <= OLD.position THEN
    RAISE EXCEPTION 'the audit chain of % goes on after %, not with %', OLD.installation_id, OLD.position, NEW.position
      USING ERRCODE = 'check_violation', CONSTRAINT = 'audit_head_position_follows_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER audit_head_position_follows BEFORE UPDATE ON audit_head FOR EACH ROW EXECUTE FUNCTION check_audit_head();

SELECT audit_table('installation', '{id}', '{platform_company_id, company_name, generation, state, erp_company_id,
  platform_organization_id, access_level, connection_problem, activated_at, uninstalled_at}');

-- ===== Connection to the platform =====================================================================================

-- One data key per installation seals its secrets; the key ring outside the database wraps it. Without this row every
-- ciphertext of the installation is dead (S25, S30).
CREATE TABLE data_key (
  installation_id uuid CONSTRAINT data_key_installation_id_pk PRIMARY KEY
    CONSTRAINT data_key_installation_id_fk REFERENCES installation (id),
  wrapped_key text NOT NULL,
  -- Which key of the ring wraps it: tells a key rotation what is left to do.
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
SELECT audit_table('data_key', '{installation_id}', '{ring_key_id}');

CREATE TABLE credential (
  installation_id uuid NOT NULL CONSTRAINT credential_installation_id_fk REFERENCES installation (id),
  -- 0: for the platform; else for the ERP whose connection has this generation, where a person has consented there.
  erp_generation integer NOT NULL DEFAULT 0 CONSTRAINT credential_erp_generation_ck CHECK (erp_generation >= 0),
  version integer NOT NULL,
  kind text NOT NULL DEFAULT 'tokens' CONSTRAINT credential_kind_ck CHECK (kind IN ('tokens', 'api-key')),
  -- An API key stands here too, where the access token would; there is nothing to refresh then.
  access_token text NOT NULL,
  refresh_token text,
  -- How an API key is presented.
  presentation text CONSTRAINT credential_presentation_ck CHECK (presentation IN ('basic', 'bearer')),
  expires_at timestamptz,
  -- From then on the next user of the token gets a new pair first; well before it expires.
  refresh_after timestamptz NOT NULL,
  -- While this lies ahead one process is refreshing and the others wait: a refresh token works once.
  refreshing_until timestamptz,
  -- When a refresh of this version got no answer: the server may have used the token up.
  refresh_unanswered_at timestamptz,
  -- Since when an ERP refuses to renew them; of the platform's the state of the installation says it.
  lost_at timestamptz,
  updated_at timestamptz NOT NULL,
  CONSTRAINT credential_installation_id_pk PRIMARY KEY (installation_id, erp_generation),
  CONSTRAINT credential_refresh_token_ck CHECK ((kind = 'tokens') = (refresh_token IS NOT NULL)),
  CONSTRAINT credential_api_key_ck CHECK ((kind = 'api-key') = (presentation IS NOT NULL))
);
ALTER TABLE credential ENABLE ROW LEVEL SECURITY;
ALTER TABLE credential FORCE ROW LEVEL SECURITY;
CREATE POLICY credential_tenant ON credential TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON credential TO connector_app;
-- Of what is secret only that it changed, by its version.
SELECT audit_table('credential', '{erp_generation}', '{version, kind, presentation, expires_at}');

CREATE TABLE subscription (
  installation_id uuid CONSTRAINT subscription_installation_id_pk PRIMARY KEY
    CONSTRAINT subscription_installation_id_fk REFERENCES installation (id),
  platform_subscription_id uuid,
  endpoint_token text NOT NULL,
  endpoint_token_hash bytea NOT NULL CONSTRAINT subscription_endpoint_token_hash_uq UNIQUE,
  secret text,
  secret_since timestamptz,
  -- The secret before a rotation, accepted until then.
  previous_secret text,
  previous_secret_until timestamptz,
  rotation_requested_at timestamptz,
  -- The value of our own header on each message, the second factor; demanded once the platform has confirmed it.
  header_value text,
  header_confirmed boolean NOT NULL DEFAULT false,
  -- What the platform means by webhook-timestamp: the attempt or the generation of the message.
  timestamp_meaning text NOT NULL DEFAULT 'attempt'
    CONSTRAINT subscription_timestamp_meaning_ck CHECK (timestamp_meaning IN ('attempt', 'generation')),
  wanted_status text NOT NULL DEFAULT 'ACTIVE'
    CONSTRAINT subscription_wanted_status_ck CHECK (wanted_status IN ('ACTIVE', 'INACTIVE')),
  -- What the platform said when it was last told what we want.
  confirmed_status text,
  confirmed_at timestamptz,
  next_maintenance_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL,
  CONSTRAINT subscription_previous_secret_ck
    CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX subscription_next_maintenance_at_ix ON subscription (next_maintenance_at);
ALTER TABLE subscription ENABLE ROW LEVEL SECURITY;
ALTER TABLE subscription FORCE ROW LEVEL SECURITY;
CREATE POLICY subscription_tenant ON subscription TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY subscription_scheduler ON subscription TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON subscription TO connector_app;
GRANT SELECT (installation_id, endpoint_token_hash, next_maintenance_at), UPDATE (next_maintenance_at)
  ON subscription TO connector_scheduler;
-- Of the secret only the day it is of.
SELECT audit_table('subscription', '{installation_id}', '{platform_subscription_id, timestamp_meaning, wanted_status,
  confirmed_status, header_confirmed, secret_since, previous_secret_until, rotation_requested_at}');

-- An authorization in progress. It has no tenant yet; the state value itself is the secret that finds it.
CREATE TABLE connection_attempt (
  state_hash bytea CONSTRAINT connection_attempt_state_hash_pk PRIMARY KEY,
  purpose text NOT NULL DEFAULT 'connect'
    CONSTRAINT connection_attempt_purpose_ck CHECK (purpose IN ('connect', 'sign-in', 'sign-in-again')),
  browser_hash bytea NOT NULL,
  -- The client that began it, which has a bounded number under way.
  from_network text NOT NULL DEFAULT '',
  code_verifier text NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- An organization's grant waits here until the person has picked the company.
  grant_tokens text,
  granted_at timestamptz,
  organization_id uuid,
  -- Who came with an organization's consent, until the person has picked one of its companies.
  pending_sign_in text,
  CONSTRAINT connection_attempt_grant_ck CHECK (grant_tokens IS NULL OR
    (granted_at IS NOT NULL AND organization_id IS NOT NULL AND used_at IS NOT NULL)),
  CONSTRAINT connection_attempt_pending_sign_in_ck CHECK (pending_sign_in IS NULL OR (purpose <> 'connect' AND used_at IS NOT NULL))
);
CREATE INDEX connection_attempt_expires_at_ix ON connection_attempt (expires_at);
CREATE INDEX connection_attempt_from_network_ix ON connection_attempt (from_network, expires_at) WHERE used_at IS NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON connection_attempt TO connector_app;

-- ===== Connection to the accounting system ============================================================================

-- Which ERP an installation has. Another ERP is another connection: entries stay with the one they were posted through.
CREATE TABLE erp_connection (
  installation_id uuid NOT NULL CONSTRAINT erp_connection_installation_id_fk REFERENCES installation (id),
  generation integer NOT NULL CONSTRAINT erp_connection_generation_ck CHECK (generation >= 1),
  -- Grows with each change of settings or credentials.
  version integer NOT NULL DEFAULT 1,
  kind text NOT NULL CONSTRAINT erp_connection_kind_ck CHECK (kind ~ '^[a-z][a-z0-9-]{0,39}$'),
  -- The ERP that the settings lead to; with a company's id in it, it names the company among all customers.
  erp_system text NOT NULL CONSTRAINT erp_connection_erp_system_ck CHECK (length(erp_system) BETWEEN 1 AND 1000),
  -- Ids of its companies stand in records as they are; those of later connections with the generation in front.
  is_first boolean NOT NULL,
  settings jsonb NOT NULL,
  sealed_secrets text NOT NULL,
  state text NOT NULL DEFAULT 'ok'
    CONSTRAINT erp_connection_state_ck CHECK (state IN ('ok', 'needs-reauthorization')),
  problem text,
  connected_by text NOT NULL,
  connected_at timestamptz NOT NULL,
  last_success_at timestamptz,
  -- What the ERP was found to be and to allow, when it was connected or tested last.
  findings jsonb,
  ended_at timestamptz,
  -- Which of its stores this is: an uninstall deletes what the adapter remembers, and a later one counts from the beginning.
  store_number integer NOT NULL DEFAULT 1,
  CONSTRAINT erp_connection_installation_id_pk PRIMARY KEY (installation_id, generation),
  CONSTRAINT erp_connection_problem_ck CHECK ((state = 'ok') = (problem IS NULL))
);
CREATE UNIQUE INDEX erp_connection_current_uq ON erp_connection (installation_id) WHERE ended_at IS NULL;
CREATE UNIQUE INDEX erp_connection_system_uq ON erp_connection (installation_id, kind, erp_system);
CREATE UNIQUE INDEX erp_connection_first_uq ON erp_connection (installation_id) WHERE is_first;
ALTER TABLE erp_connection ENABLE ROW LEVEL SECURITY;
ALTER TABLE erp_connection FORCE ROW LEVEL SECURITY;
CREATE POLICY erp_connection_tenant ON erp_connection TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
-- The operator's list of customers shows whose credentials are refused.
CREATE POLICY erp_connection_scheduler ON erp_connection TO connector_scheduler USING (true);
CREATE INDEX erp_connection_refused_ix ON erp_connection (installation_id)
  WHERE state = 'needs-reauthorization' AND ended_at IS NULL;
GRANT SELECT, INSERT, UPDATE ON erp_connection TO connector_app;
GRANT SELECT (installation_id, state, ended_at) ON erp_connection TO connector_scheduler;
-- Of what is secret only that it changed, by its version.
SELECT audit_table('erp_connection', '{generation}', '{version, kind, erp_system, state, ended_at}');

-- A sign-in at an ERP in progress: found by the state that comes back, once, within ten minutes, by who began it.
CREATE TABLE erp_sign_in (
  installation_id uuid NOT NULL CONSTRAINT erp_sign_in_installation_id_fk REFERENCES installation (id),
  state_hash bytea NOT NULL,
  -- Null: begun with an API token of nobody; any admin may come back.
  member_id uuid,
  -- Kind and settings that are to be connected, and the verifier of PKCE.
  sealed_request text NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT erp_sign_in_installation_id_pk PRIMARY KEY (installation_id, state_hash)
);
ALTER TABLE erp_sign_in ENABLE ROW LEVEL SECURITY;
ALTER TABLE erp_sign_in FORCE ROW LEVEL SECURITY;
CREATE POLICY erp_sign_in_tenant ON erp_sign_in TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, DELETE ON erp_sign_in TO connector_app;

-- What an adapter remembers for one connection.
CREATE TABLE erp_value (
  installation_id uuid NOT NULL,
  generation integer NOT NULL,
  key text COLLATE "C" NOT NULL CONSTRAINT erp_value_key_ck CHECK (length(key) BETWEEN 1 AND 200),
  version integer NOT NULL,
  sealed_value text NOT NULL,
  CONSTRAINT erp_value_installation_id_pk PRIMARY KEY (installation_id, generation, key),
  CONSTRAINT erp_value_installation_id_fk FOREIGN KEY (installation_id, generation)
    REFERENCES erp_connection (installation_id, generation)
);
ALTER TABLE erp_value ENABLE ROW LEVEL SECURITY;
ALTER TABLE erp_value FORCE ROW LEVEL SECURITY;
CREATE POLICY erp_value_tenant ON erp_value TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON erp_value TO connector_app;

-- The exchange rates for an ERP that has none, as an administrator has uploaded them last.
CREATE TABLE rate_table (
  installation_id uuid CONSTRAINT rate_table_installation_id_pk PRIMARY KEY
    CONSTRAINT rate_table_installation_id_fk REFERENCES installation (id),
  -- Grows with every upload: an upload says which one it replaces.
  version integer NOT NULL CONSTRAINT rate_table_version_ck CHECK (version > 0),
  -- An array of objects: date, from, to, rate.
  rates jsonb NOT NULL CONSTRAINT rate_table_rates_ck CHECK (jsonb_typeof(rates) = 'array'),
  number_of_rates integer NOT NULL
    CONSTRAINT rate_table_number_of_rates_ck CHECK (number_of_rates BETWEEN 0 AND 20000),
  -- SHA-256 of them, for the audit log.
  digest text NOT NULL CONSTRAINT rate_table_digest_ck CHECK (digest ~ '^[0-9a-f]{64}$'),
  uploaded_by text NOT NULL,
  uploaded_at timestamptz NOT NULL
);
ALTER TABLE rate_table ENABLE ROW LEVEL SECURITY;
ALTER TABLE rate_table FORCE ROW LEVEL SECURITY;
CREATE POLICY rate_table_tenant ON rate_table TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE ON rate_table TO connector_app;
SELECT audit_table('rate_table', '{installation_id}', '{number_of_rates, digest, uploaded_by}');

-- How far ahead the requests to the ERP of one connection are booked, by all processes (I23).
CREATE TABLE erp_request_budget (
  installation_id uuid NOT NULL,
  generation integer NOT NULL,
  booked_until timestamptz NOT NULL DEFAULT '-infinity',
  -- The ERP has asked for it: no process calls it.
  paused_until timestamptz NOT NULL DEFAULT '-infinity',
  -- It has not responded to one process several times: no other calls it before, but one that has responses.
  -- After it one request of one process does, whose time it is then.
  circuit_open_until timestamptz NOT NULL DEFAULT '-infinity',
  -- As long as that is shown.
  silent_until timestamptz NOT NULL DEFAULT '-infinity',
  CONSTRAINT erp_request_budget_installation_id_pk PRIMARY KEY (installation_id, generation),
  CONSTRAINT erp_request_budget_installation_id_fk FOREIGN KEY (installation_id, generation)
    REFERENCES erp_connection (installation_id, generation)
);
ALTER TABLE erp_request_budget ENABLE ROW LEVEL SECURITY;
ALTER TABLE erp_request_budget FORCE ROW LEVEL SECURITY;
CREATE POLICY erp_request_budget_tenant ON erp_request_budget TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE ON erp_request_budget TO connector_app;

-- How many requests to the ERP of one connection a process may have under way. One that stopped loses its share with time.
CREATE TABLE erp_request_share (
  installation_id uuid NOT NULL,
  generation integer NOT NULL,
  holder uuid NOT NULL,
  slots integer NOT NULL CONSTRAINT erp_request_share_slots_ck CHECK (slots >= 0),
  wanted integer NOT NULL CONSTRAINT erp_request_share_wanted_ck CHECK (wanted >= 0),
  held_until timestamptz NOT NULL,
  CONSTRAINT erp_request_share_installation_id_pk PRIMARY KEY (installation_id, generation, holder),
  CONSTRAINT erp_request_share_installation_id_fk FOREIGN KEY (installation_id, generation)
    REFERENCES erp_request_budget (installation_id, generation)
);
ALTER TABLE erp_request_share ENABLE ROW LEVEL SECURITY;
ALTER TABLE erp_request_share FORCE ROW LEVEL SECURITY;
CREATE POLICY erp_request_share_tenant ON erp_request_share TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON erp_request_share TO connector_app;

-- One company of one ERP takes the entries of one platform company, whoever links it (P9.2).
CREATE TABLE erp_company_link (
  erp_system text NOT NULL,
  erp_company_id text NOT NULL,
  installation_id uuid NOT NULL CONSTRAINT erp_company_link_installation_id_uq UNIQUE
    CONSTRAINT erp_company_link_installation_id_fk REFERENCES installation (id),
  CONSTRAINT erp_company_link_erp_system_pk PRIMARY KEY (erp_system, erp_company_id)
);
ALTER TABLE erp_company_link ENABLE ROW LEVEL SECURITY;
ALTER TABLE erp_company_link FORCE ROW LEVEL SECURITY;
CREATE POLICY erp_company_link_tenant ON erp_company_link TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, DELETE ON erp_company_link TO connector_app;
CREATE POLICY erp_company_link_scheduler ON erp_company_link TO connector_scheduler USING (true);
GRANT SELECT (erp_system, erp_company_id, installation_id) ON erp_company_link TO connector_scheduler;
SELECT audit_table('erp_company_link', '{erp_company_id}', '{erp_company_id}');

-- On which days somebody else asked for the ERP company of this installation: of each the owner is told once.
CREATE TABLE erp_company_claim (
  installation_id uuid NOT NULL CONSTRAINT erp_company_claim_installation_id_fk REFERENCES installation (id),
  day date NOT NULL,
  claims integer NOT NULL,
  first_at timestamptz NOT NULL,
  CONSTRAINT erp_company_claim_day_pk PRIMARY KEY (installation_id, day)
);
ALTER TABLE erp_company_claim ENABLE ROW LEVEL SECURITY;
ALTER TABLE erp_company_claim FORCE ROW LEVEL SECURITY;
CREATE POLICY erp_company_claim_tenant ON erp_company_claim TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE (claims) ON erp_company_claim TO connector_app;

-- Entries of one minor unit by which an administrator has the ERP prove that it takes postings. They are never exports; the id is
-- the key in the ERP, so that reconciliation knows them. What is not final is finished by a task.
CREATE TABLE test_posting (
  installation_id uuid NOT NULL CONSTRAINT test_posting_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  erp_company_id text NOT NULL,
  debit_account text NOT NULL,
  credit_account text NOT NULL,
  -- Posted and reversed at once, or a draft that stays.
  mode text NOT NULL CONSTRAINT test_posting_mode_ck CHECK (mode IN ('reversed', 'draft')),
  state text NOT NULL CONSTRAINT test_posting_state_ck CHECK (state IN ('sent', 'taken-back', 'draft', 'refused', 'left')),
  document_number text,
  document_url text,
  -- What the ERP said.
  message text,
  requested_by text NOT NULL,
  -- By the database's clock.
  sent_at timestamptz NOT NULL DEFAULT now(),
  next_try_at timestamptz,
  CONSTRAINT test_posting_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT test_posting_open_ck CHECK ((state = 'sent') = (next_try_at IS NOT NULL))
);
CREATE INDEX test_posting_next_try_at_ix ON test_posting (next_try_at) WHERE next_try_at IS NOT NULL;
ALTER TABLE test_posting ENABLE ROW LEVEL SECURITY;
ALTER TABLE test_posting FORCE ROW LEVEL SECURITY;
CREATE POLICY test_posting_tenant ON test_posting TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
-- The scheduler sees whose test is not finished.
CREATE POLICY test_posting_scheduler ON test_posting TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON test_posting TO connector_app;
GRANT SELECT (installation_id, id, next_try_at), UPDATE (next_try_at) ON test_posting TO connector_scheduler;
SELECT audit_table('test_posting', '{id}', '{erp_company_id, debit_account, credit_account, mode, state, document_number, requested_by}');

-- How far ahead the requests of a platform client are booked. One row for all replicas, because the platform counts the
-- client's requests and not ours (I23).
CREATE TABLE request_budget (
  client_id text CONSTRAINT request_budget_client_id_pk PRIMARY KEY,
  booked_until timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON request_budget TO connector_app;

-- ===== People and API tokens ==========================================================================================

-- The people of an installation, as the platform names them. Who connected the company is its admin, others are viewers.
CREATE TABLE member (
  installation_id uuid NOT NULL CONSTRAINT member_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  subject text NOT NULL CONSTRAINT member_subject_ck CHECK (length(subject) BETWEEN 1 AND 255),
  display_name text CONSTRAINT member_display_name_ck CHECK (length(display_name) BETWEEN 1 AND 255),
  -- As the platform tells it at a sign-in; kept only where mail can be sent, and until the member is removed.
  mail text CONSTRAINT member_mail_ck CHECK (length(mail) BETWEEN 3 AND 320),
  role text NOT NULL CONSTRAINT member_role_ck CHECK (role IN ('viewer', 'bookkeeper', 'admin')),
  -- Null: as the browser prefers.
  language text CONSTRAINT member_language_ck CHECK (language ~ '^[a-z]{2}$'),
  created_at timestamptz NOT NULL,
  signed_in_at timestamptz NOT NULL,
  -- Until an admin gives a role anew, signing in is refused. The row stays, so that it is known who was removed.
  removed_at timestamptz,
  CONSTRAINT member_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT member_subject_uq UNIQUE (installation_id, subject)
);
CREATE INDEX member_created_at_ix ON member (installation_id, created_at, id);
CREATE INDEX member_subject_ix ON member (subject) WHERE removed_at IS NULL;
ALTER TABLE member ENABLE ROW LEVEL SECURITY;
ALTER TABLE member FORCE ROW LEVEL SECURITY;
CREATE POLICY member_tenant ON member TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, DELETE, UPDATE (display_name, mail, role, language, signed_in_at, removed_at) ON member TO connector_app;
-- Which companies a person works for.
CREATE POLICY member_scheduler ON member FOR SELECT TO connector_scheduler USING (true);
GRANT SELECT (installation_id, subject, removed_at, signed_in_at) ON member TO connector_scheduler;
SELECT audit_table('member', '{id}', '{display_name, role, removed_at}');

-- Codes of the operator for the first admin of a company whose connection names no person. Of a code only a hash is kept; with the
-- first admin all of them go.
CREATE TABLE first_admin_code (
  installation_id uuid NOT NULL CONSTRAINT first_admin_code_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  code_hash bytea NOT NULL CONSTRAINT first_admin_code_code_hash_uq UNIQUE,
  -- Of the installation: connected again it has another one, for which earlier codes do not count.
  generation integer NOT NULL,
  made_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT first_admin_code_id_pk PRIMARY KEY (installation_id, id)
);
ALTER TABLE first_admin_code ENABLE ROW LEVEL SECURITY;
ALTER TABLE first_admin_code FORCE ROW LEVEL SECURITY;
CREATE POLICY first_admin_code_tenant ON first_admin_code TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, DELETE ON first_admin_code TO connector_app;
SELECT audit_table('first_admin_code', '{id}', '{made_by, expires_at}');

-- Who is signed in. Of the id in the browser's cookie only a hash is kept.
CREATE TABLE member_session (
  installation_id uuid NOT NULL,
  id_hash bytea NOT NULL CONSTRAINT member_session_id_hash_uq UNIQUE,
  -- What the person names it by, who does not know the hash.
  public_id uuid NOT NULL DEFAULT gen_random_uuid(),
  member_id uuid NOT NULL,
  -- Half an hour after its last use it is over.
  used_at timestamptz NOT NULL,
  -- And then in any case.
  ends_at timestamptz NOT NULL,
  -- Of the sign-in, so that the person recognizes it: the browser in words, and the IP address.
  device text NOT NULL DEFAULT 'an unknown device',
  from_ip text NOT NULL DEFAULT '',
  CONSTRAINT member_session_id_hash_pk PRIMARY KEY (installation_id, id_hash),
  CONSTRAINT member_session_member_id_fk FOREIGN KEY (installation_id, member_id)
    REFERENCES member (installation_id, id) ON DELETE CASCADE
);
CREATE INDEX member_session_member_id_ix ON member_session (installation_id, member_id);
ALTER TABLE member_session ENABLE ROW LEVEL SECURITY;
ALTER TABLE member_session FORCE ROW LEVEL SECURITY;
CREATE POLICY member_session_tenant ON member_session TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY member_session_scheduler ON member_session TO connector_scheduler USING (true);
GRANT SELECT, INSERT, DELETE, UPDATE (used_at) ON member_session TO connector_app;
GRANT SELECT (installation_id, id_hash) ON member_session TO connector_scheduler;
SELECT audit_table('member_session', '{member_id}', '{ends_at}');

CREATE TABLE api_token (
  id uuid NOT NULL,
  installation_id uuid NOT NULL CONSTRAINT api_token_installation_id_fk REFERENCES installation (id),
  token_hash bytea NOT NULL CONSTRAINT api_token_token_hash_uq UNIQUE,
  -- Its first characters, so that people can tell which one they hold.
  prefix text CONSTRAINT api_token_prefix_ck CHECK (length(prefix) = 8),
  role text NOT NULL CONSTRAINT api_token_role_ck CHECK (role IN ('viewer', 'bookkeeper', 'admin')),
  label text NOT NULL,
  -- The member whose role it never exceeds and with whom it goes; unset: the operator made it.
  made_by uuid,
  -- The token it was made with: it goes with that one, however that one goes.
  made_with uuid,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- To the minute.
  last_used_at timestamptz,
  CONSTRAINT api_token_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT api_token_made_by_fk FOREIGN KEY (installation_id, made_by)
    REFERENCES member (installation_id, id) ON DELETE CASCADE,
  CONSTRAINT api_token_made_with_fk FOREIGN KEY (installation_id, made_with)
    REFERENCES api_token (installation_id, id) ON DELETE CASCADE
);
CREATE INDEX api_token_made_by_ix ON api_token (installation_id, made_by);
CREATE INDEX api_token_made_with_ix ON api_token (installation_id, made_with);
ALTER TABLE api_token ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_token FORCE ROW LEVEL SECURITY;
CREATE POLICY api_token_tenant ON api_token TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY api_token_scheduler ON api_token TO connector_scheduler USING (true);
GRANT SELECT, INSERT, DELETE, UPDATE (last_used_at) ON api_token TO connector_app;
GRANT SELECT (installation_id, token_hash) ON api_token TO connector_scheduler;
SELECT audit_table('api_token', '{id}', '{role, label, expires_at, made_by}');

-- The operator's people and scripts, each by a name that is in the audit log. Only the schema's owner makes, changes and revokes
-- tokens (`node dist/connector/operator.js`): with the application's rights nobody becomes operator. A revoked name stays taken.
CREATE TABLE operator_token (
  name text CONSTRAINT operator_token_name_pk PRIMARY KEY
    CONSTRAINT operator_token_name_ck CHECK (name ~ '^[a-z0-9][a-z0-9.-]{0,39}$'),
  token_hash bytea NOT NULL CONSTRAINT operator_token_token_hash_uq UNIQUE,
  -- Its first characters, so that people can tell which one they hold.
  prefix text NOT NULL CONSTRAINT operator_token_prefix_ck CHECK (length(prefix) = 8),
  created_at timestamptz NOT NULL,
  -- When the present token took the place of the one before.
  rotated_at timestamptz,
  -- To the minute.
  last_used_at timestamptz,
  revoked_at timestamptz
);
GRANT SELECT (name, token_hash, last_used_at, revoked_at), UPDATE (last_used_at) ON operator_token TO connector_app;

-- What became of them, and by whom: written by a trigger, append-only, as the audit log of an installation.
CREATE TABLE operator_token_entry (
  position bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT operator_token_entry_position_pk PRIMARY KEY,
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  actor text NOT NULL,
  name text NOT NULL,
  action text NOT NULL CONSTRAINT operator_token_entry_action_ck CHECK (action IN ('created', 'rotated', 'revoked', 'removed'))
);
CREATE FUNCTION record_operator_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO operator_token_entry (actor, name, action) VALUES (
    coalesce(nullif(current_setting('app.actor', true), ''), 'database user ' || session_user),
    coalesce(NEW.name, OLD.name),
    CASE WHEN TG_OP = 'INSERT' THEN 'created' WHEN TG_OP = 'DELETE' THEN 'removed'
      WHEN NEW.revoked_at IS DISTINCT FROM OLD.revoked_at THEN 'revoked' ELSE 'rotated' END);
  RETURN NULL;
END
$$;
CREATE TRIGGER operator_token_record AFTER INSERT OR DELETE OR UPDATE OF name, token_hash, revoked_at ON operator_token
  FOR EACH ROW EXECUTE FUNCTION record_operator_token();
CREATE TRIGGER operator_token_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON operator_token_entry
  EXECUTE FUNCTION refuse_audit_change();

-- A browser in which an operator has typed a token: an hour at most, and no longer than the token.
CREATE TABLE operator_session (
  id_hash bytea CONSTRAINT operator_session_id_hash_pk PRIMARY KEY,
  token_hash bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX operator_session_expires_at_ix ON operator_session (expires_at);
GRANT SELECT, INSERT, DELETE ON operator_session TO connector_app;

-- ===== Requests to the connector's API ================================================================================

-- What a request with an Idempotency-Key was answered, for a day: sent again it gets the same answer and has no effect.
CREATE TABLE idempotency_key (
  installation_id uuid NOT NULL CONSTRAINT idempotency_key_installation_id_fk REFERENCES installation (id),
  key_hash bytea NOT NULL,
  -- Over what was asked for, and who asked.
  fingerprint bytea NOT NULL,
  -- Counts those who began it: what a killed process left behind may be begun again.
  attempt integer NOT NULL,
  begun_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Sealed with the installation's data key, because it may hold a secret that is shown once. Null: under way.
  answer text,
  CONSTRAINT idempotency_key_pk PRIMARY KEY (installation_id, key_hash)
);
CREATE INDEX idempotency_key_expires_at_ix ON idempotency_key (installation_id, expires_at);
ALTER TABLE idempotency_key ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_key FORCE ROW LEVEL SECURITY;
CREATE POLICY idempotency_key_tenant ON idempotency_key TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_key TO connector_app;

-- As idempotency_key, for what the operator asks before there is an installation.
CREATE TABLE operator_idempotency_key (
  key_hash bytea CONSTRAINT operator_idempotency_key_pk PRIMARY KEY,
  fingerprint bytea NOT NULL,
  attempt integer NOT NULL,
  begun_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Sealed with the key ring. Null: under way.
  answer text
);
CREATE INDEX operator_idempotency_key_expires_at_ix ON operator_idempotency_key (expires_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON operator_idempotency_key TO connector_app;

-- What was taken out of an installation as a file. Of an answer that is sent while it is read there is a row before its first byte
-- goes out, so that a download that is cut, or whose process is killed, is known too.
CREATE TABLE download (
  installation_id uuid NOT NULL CONSTRAINT download_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  route text NOT NULL,
  -- Of the caller, as the proxies named as trusted say; null once its time is over. The audit log, which is never changed, has
  -- the digest: SHA-256 of salt and address, which tells neither when they are gone.
  from_ip text,
  from_ip_salt text,
  from_ip_digest text NOT NULL,
  has_ip boolean NOT NULL GENERATED ALWAYS AS (from_ip IS NOT NULL) STORED,
  started_at timestamptz NOT NULL,
  -- What was read for the answer. Null: under way, or its process was killed.
  row_count bigint CONSTRAINT download_row_count_ck CHECK (row_count >= 0),
  -- False for one that was cut.
  is_complete boolean,
  CONSTRAINT download_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT download_from_ip_ck CHECK ((from_ip IS NULL) = (from_ip_salt IS NULL)),
  CONSTRAINT download_is_complete_ck CHECK ((row_count IS NULL) = (is_complete IS NULL))
);
ALTER TABLE download ENABLE ROW LEVEL SECURITY;
ALTER TABLE download FORCE ROW LEVEL SECURITY;
CREATE POLICY download_tenant ON download TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE INDEX download_uncleared_ix ON download (started_at) WHERE has_ip;
-- The scheduler forgets old addresses: it can read none, and put none in their place.
CREATE POLICY download_scheduler ON download TO connector_scheduler
  USING (true) WITH CHECK (from_ip IS NULL AND from_ip_salt IS NULL);
GRANT SELECT, INSERT, UPDATE (row_count, is_complete) ON download TO connector_app;
GRANT SELECT (started_at, has_ip), UPDATE (from_ip, from_ip_salt) ON download TO connector_scheduler;
SELECT audit_table('download', '{id}', '{route, from_ip_digest, row_count, is_complete}');

-- How many requests of a minute's allowance are spoken for, over all processes, by caller, company or address; each only as
-- a hash. Unlogged: after a crash of the server everybody begins a new minute.
CREATE UNLOGGED TABLE request_quota (
  key_hash bytea CONSTRAINT request_quota_key_hash_pk PRIMARY KEY,
  used integer NOT NULL,
  ends_at timestamptz NOT NULL
);
CREATE INDEX request_quota_ends_at_ix ON request_quota (ends_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON request_quota TO connector_app;

-- ===== Webhook inbox ==================================================================================================

-- Every accepted webhook message, once (I6, I7). The body is kept as it came, for replay and as evidence.
CREATE TABLE notification (
  installation_id uuid NOT NULL CONSTRAINT notification_installation_id_fk REFERENCES installation (id),
  webhook_id text NOT NULL,
  event_id text NOT NULL,
  event_type text NOT NULL,
  -- What the message is about, as it says itself; null where it does not.
  subject_id uuid,
  body bytea NOT NULL,
  body_digest bytea NOT NULL,
  received_at timestamptz NOT NULL,
  CONSTRAINT notification_webhook_id_pk PRIMARY KEY (installation_id, webhook_id),
  CONSTRAINT notification_event_id_uq UNIQUE (installation_id, event_id)
);
CREATE INDEX notification_received_at_ix ON notification (installation_id, received_at);
CREATE INDEX notification_subject_id_ix ON notification (installation_id, event_type, subject_id);
ALTER TABLE notification ENABLE ROW LEVEL SECURITY;
ALTER TABLE notification FORCE ROW LEVEL SECURITY;
CREATE POLICY notification_tenant ON notification TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON notification TO connector_app;

-- Correctly signed messages that could not be taken into the inbox, once each however often they are sent. The body is
-- kept for a while, so that a connector that has been fixed can be shown it again.
CREATE TABLE quarantined_notification (
  installation_id uuid NOT NULL
    CONSTRAINT quarantined_notification_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  webhook_id text NOT NULL,
  reason text NOT NULL CONSTRAINT quarantined_notification_reason_ck
    CHECK (reason IN ('malformed', 'foreign-company', 'company-not-mapped', 'conflicting-body')),
  detail text NOT NULL,
  body bytea,
  body_digest bytea NOT NULL,
  body_bytes integer NOT NULL,
  body_kept_until timestamptz,
  received_at timestamptz NOT NULL,
  last_received_at timestamptz NOT NULL,
  deliveries integer NOT NULL DEFAULT 1,
  -- When the inbox took it after all.
  ingested_at timestamptz,
  CONSTRAINT quarantined_notification_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT quarantined_notification_body_digest_uq UNIQUE (installation_id, webhook_id, body_digest),
  CONSTRAINT quarantined_notification_body_ck CHECK ((body IS NULL) = (body_kept_until IS NULL))
);
CREATE INDEX quarantined_notification_received_at_ix ON quarantined_notification (installation_id, received_at);
CREATE INDEX quarantined_notification_body_kept_until_ix ON quarantined_notification (body_kept_until);
ALTER TABLE quarantined_notification ENABLE ROW LEVEL SECURITY;
ALTER TABLE quarantined_notification FORCE ROW LEVEL SECURITY;
CREATE POLICY quarantined_notification_tenant ON quarantined_notification TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
-- The operator's list of dead letters.
CREATE INDEX quarantined_notification_open_ix ON quarantined_notification (received_at, id)
  WHERE ingested_at IS NULL AND body_kept_until IS NOT NULL;
-- The scheduler forgets old bodies: it can read none, and put none in their place.
CREATE POLICY quarantined_notification_scheduler ON quarantined_notification TO connector_scheduler
  USING (true) WITH CHECK (body IS NULL AND body_kept_until IS NULL);
GRANT SELECT, INSERT, UPDATE (deliveries, last_received_at, ingested_at) ON quarantined_notification TO connector_app;
GRANT SELECT (installation_id, id, reason, received_at, ingested_at, deliveries, body_kept_until), UPDATE (body, body_kept_until)
  ON quarantined_notification TO connector_scheduler;
SELECT audit_table('quarantined_notification', '{id}', '{ingested_at}', NULL);

-- When somebody was last there to take webhooks. A gap says that some may never come again, so the platform is asked.
CREATE TABLE intake_heartbeat (
  -- One row for all processes: the intake is away only when none of them is there.
  singleton boolean CONSTRAINT intake_heartbeat_singleton_pk PRIMARY KEY DEFAULT true
    CONSTRAINT intake_heartbeat_singleton_ck CHECK (singleton),
  last_beat_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON intake_heartbeat TO connector_scheduler;

-- ===== Mapping ========================================================================================================

-- Every saved configuration is a new row that never changes, so that a job can name the one it was mapped with (I21).
CREATE TABLE mapping_version (
  installation_id uuid NOT NULL CONSTRAINT mapping_version_installation_id_fk REFERENCES installation (id),
  version integer NOT NULL CONSTRAINT mapping_version_version_ck CHECK (version > 0),
  settings jsonb NOT NULL,
  -- What a person reads in the history of the mapping; the counts are those of the change that made the version.
  author text NOT NULL,
  action text NOT NULL DEFAULT 'settings'
    CONSTRAINT mapping_version_action_ck CHECK (action IN ('settings', 'rules', 'import', 'restore')),
  reason text CONSTRAINT mapping_version_reason_ck CHECK (length(reason) BETWEEN 1 AND 500),
  restored_from integer,
  settings_changed boolean NOT NULL DEFAULT true,
  rule_count integer NOT NULL DEFAULT 0,
  rules_added integer NOT NULL DEFAULT 0,
  rules_changed integer NOT NULL DEFAULT 0,
  rules_removed integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  CONSTRAINT mapping_version_version_pk PRIMARY KEY (installation_id, version),
  CONSTRAINT mapping_version_restored_from_fk FOREIGN KEY (installation_id, restored_from)
    REFERENCES mapping_version (installation_id, version),
  CONSTRAINT mapping_version_restored_from_ck CHECK ((action = 'restore') = (restored_from IS NOT NULL)
    AND restored_from < version)
);
ALTER TABLE mapping_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE mapping_version FORCE ROW LEVEL SECURITY;
CREATE POLICY mapping_version_tenant ON mapping_version TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON mapping_version TO connector_app;
SELECT audit_table('mapping_version', '{version}', '{action, author, reason, restored_from, settings_changed, settings,
  rule_count, rules_added, rules_changed, rules_removed}');

-- One row is one content of one rule, from the version that brought it up to the one that ended it. A save writes what it
-- changes and nothing else, and every version reads as it was on the day it was saved.
CREATE TABLE mapping_rule (
  installation_id uuid NOT NULL,
  -- Given once per installation and never to another rule: people and messages name it.
  id integer NOT NULL CONSTRAINT mapping_rule_id_ck CHECK (id > 0),
  from_version integer NOT NULL,
  -- The first version without it.
  until_version integer,
  subject text NOT NULL CONSTRAINT mapping_rule_subject_ck CHECK (subject IN ('account', 'tax-code', 'tag')),
  source_group text,
  source text NOT NULL,
  item_type text,
  tag_group text,
  tag text,
  target_group text,
  target text NOT NULL,
  -- SHA-256 of subject, source and conditions in the planner's spelling: two rules with the same cannot both decide.
  identity bytea NOT NULL CONSTRAINT mapping_rule_identity_ck CHECK (length(identity) = 32),
  CONSTRAINT mapping_rule_id_pk PRIMARY KEY (installation_id, id, from_version),
  CONSTRAINT mapping_rule_from_version_fk FOREIGN KEY (installation_id, from_version)
    REFERENCES mapping_version (installation_id, version),
  CONSTRAINT mapping_rule_until_version_fk FOREIGN KEY (installation_id, until_version)
    REFERENCES mapping_version (installation_id, version),
  CONSTRAINT mapping_rule_until_version_ck CHECK (until_version > from_version),
  CONSTRAINT mapping_rule_groups_ck CHECK (
    (subject = 'tag') = (source_group IS NOT NULL) AND (subject = 'tag') = (target_group IS NOT NULL)),
  CONSTRAINT mapping_rule_tag_ck CHECK ((tag IS NULL) = (tag_group IS NULL) AND (tag IS NULL OR item_type IS NOT NULL))
);
CREATE UNIQUE INDEX mapping_rule_identity_uq ON mapping_rule (installation_id, identity) WHERE until_version IS NULL;
CREATE UNIQUE INDEX mapping_rule_current_uq ON mapping_rule (installation_id, id) WHERE until_version IS NULL;
ALTER TABLE mapping_rule ENABLE ROW LEVEL SECURITY;
ALTER TABLE mapping_rule FORCE ROW LEVEL SECURITY;
CREATE POLICY mapping_rule_tenant ON mapping_rule TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE (until_version) ON mapping_rule TO connector_app;

-- A rule's content never changes: it ends, once.
CREATE FUNCTION keep_mapping_rule() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.until_version IS NOT NULL OR NEW.until_version IS NULL
    OR to_jsonb(NEW) - 'until_version' <> to_jsonb(OLD) - 'until_version' THEN
    RAISE EXCEPTION 'mapping rule % can only be ended, and only once', OLD.id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'mapping_rule_is_kept_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER mapping_rule_keep BEFORE UPDATE ON mapping_rule
  FOR EACH ROW EXECUTE FUNCTION keep_mapping_rule();

-- A version is complete when it is saved: rules begin and end in the transaction that writes it, never later (I21).
CREATE FUNCTION check_mapping_version_is_new() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (
      SELECT DISTINCT installation_id, CASE TG_OP WHEN 'INSERT' THEN from_version ELSE until_version END AS version
      FROM changed
    ) named
    JOIN mapping_version USING (installation_id, version)
    WHERE mapping_version.xmin <> pg_current_xact_id()::xid
  ) THEN
    RAISE EXCEPTION 'a mapping version that is saved takes no more changes'
      USING ERRCODE = 'check_violation', CONSTRAINT = 'mapping_rule_version_is_new_ck';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER mapping_rule_begins AFTER INSERT ON mapping_rule
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_mapping_version_is_new();
CREATE TRIGGER mapping_rule_ends AFTER UPDATE ON mapping_rule
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION check_mapping_version_is_new();

-- When the ERP was last compared with what the mapping points at.
CREATE TABLE drift_check (
  installation_id uuid NOT NULL CONSTRAINT drift_check_installation_id_fk REFERENCES installation (id),
  checked_at timestamptz,
  next_check_at timestamptz NOT NULL,
  CONSTRAINT drift_check_installation_id_pk PRIMARY KEY (installation_id)
);
ALTER TABLE drift_check ENABLE ROW LEVEL SECURITY;
ALTER TABLE drift_check FORCE ROW LEVEL SECURITY;
CREATE POLICY drift_check_tenant ON drift_check TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY drift_check_scheduler ON drift_check TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON drift_check TO connector_app;
GRANT SELECT (installation_id, next_check_at) ON drift_check TO connector_scheduler;

-- What the mapping points at, as the ERP had it at the last check, and since when it is so.
CREATE TABLE drift_target (
  installation_id uuid NOT NULL CONSTRAINT drift_target_installation_id_fk REFERENCES installation (id),
  kind text NOT NULL CONSTRAINT drift_target_kind_ck CHECK (kind IN ('account', 'tax-code', 'dimension-value', 'vendor')),
  -- Of a dimension value: its dimension; otherwise empty.
  target_group text NOT NULL,
  target text NOT NULL,
  -- Settings, rules and entries that point at it, the first ones.
  used_by jsonb NOT NULL,
  state text NOT NULL CONSTRAINT drift_target_state_ck CHECK (state IN ('usable', 'missing', 'archived', 'blocked')),
  since timestamptz NOT NULL,
  name text,
  name_before text,
  renamed_at timestamptz,
  CONSTRAINT drift_target_target_pk PRIMARY KEY (installation_id, kind, target_group, target),
  CONSTRAINT drift_target_renamed_ck CHECK ((name_before IS NULL) = (renamed_at IS NULL))
);
ALTER TABLE drift_target ENABLE ROW LEVEL SECURITY;
ALTER TABLE drift_target FORCE ROW LEVEL SECURITY;
CREATE POLICY drift_target_tenant ON drift_target TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON drift_target TO connector_app;

-- ===== Export pipeline ================================================================================================

-- Who works on a company now. The fence grows with every change of hands; each write of a worker names its own (I15).
CREATE TABLE company_lease (
  installation_id uuid NOT NULL CONSTRAINT company_lease_installation_id_fk REFERENCES installation (id),
  company_id uuid NOT NULL,
  fence bigint NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamptz NOT NULL,
  -- While this lies ahead, whoever works on the company lets go of it: it is needed for its last words to the platform.
  release_requested_until timestamptz NOT NULL DEFAULT '-infinity',
  -- Since a run of exports last ended by itself: how often the company was taken from an owner that had died or was frozen.
  takeovers integer NOT NULL DEFAULT 0,
  -- The item that was last worked on alone, whether it still is, and how many owners ended in the middle of it.
  suspect uuid,
  suspect_begun boolean NOT NULL DEFAULT false,
  suspect_deaths integer NOT NULL DEFAULT 0,
  CONSTRAINT company_lease_company_id_pk PRIMARY KEY (installation_id, company_id),
  -- The fence is part of a key, so that a change of hands waits for FOR KEY SHARE, and a renewal does not.
  CONSTRAINT company_lease_fence_uq UNIQUE (installation_id, company_id, fence)
);
ALTER TABLE company_lease ENABLE ROW LEVEL SECURITY;
ALTER TABLE company_lease FORCE ROW LEVEL SECURITY;
CREATE POLICY company_lease_tenant ON company_lease TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY company_lease_scheduler ON company_lease TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON company_lease TO connector_app;
GRANT SELECT (installation_id, company_id, expires_at) ON company_lease TO connector_scheduler;

CREATE TABLE export_job (
  installation_id uuid NOT NULL CONSTRAINT export_job_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  state text NOT NULL CONSTRAINT export_job_state_ck CHECK (state IN
    ('detected', 'running', 'verdict_decided', 'completed', 'completed_with_errors', 'failed', 'expired', 'closed_by_platform')),
  version integer NOT NULL DEFAULT 1,
  number_of_items integer NOT NULL CONSTRAINT export_job_number_of_items_ck CHECK (number_of_items >= 0),
  vendor_based_bookkeeping boolean NOT NULL,
  mapping_version integer,
  erp_company_id text,
  created_on_platform_at timestamptz NOT NULL,
  -- By the platform's clock: no verdict is accepted after it.
  expires_at timestamptz NOT NULL,
  detected_at timestamptz NOT NULL,
  -- When a worker may look at it next; moved into the future after a failed attempt.
  next_run_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- How often in a row it was put off for the same cause (a digest of it) without progress in between: how many results and
  -- messages there were by then.
  pauses integer NOT NULL DEFAULT 0,
  pause_cause text,
  pause_progress bigint,
  -- Whose failure it was last put off for.
  waiting_for text CONSTRAINT export_job_waiting_for_ck CHECK (waiting_for IN ('platform', 'accounting-system', 'connector')),
  started_at timestamptz,
  finished_at timestamptz,
  failure_type text,
  failure_reason text,
  -- As of an item.
  failure_messages jsonb,
  -- How its items have ended so far; kept by a trigger of theirs.
  successful_items integer NOT NULL DEFAULT 0,
  failed_items integer NOT NULL DEFAULT 0,
  -- What those add up to that have an amount: hundredths of the main unit, by the currency that the platform states.
  amounts jsonb NOT NULL DEFAULT '{}',
  -- What its administrator should know since it began.
  notice text,
  -- When what may name persons was taken out of its items, long after its end.
  items_cleared_at timestamptz,
  CONSTRAINT export_job_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT export_job_mapping_version_fk FOREIGN KEY (installation_id, mapping_version)
    REFERENCES mapping_version (installation_id, version)
);
CREATE INDEX export_job_open_ix ON export_job (installation_id, company_id, created_on_platform_at)
  WHERE state IN ('detected', 'running', 'verdict_decided');
-- The operator's list of what is near its end.
CREATE INDEX export_job_expires_at_ix ON export_job (expires_at) WHERE state IN ('detected', 'running', 'verdict_decided');
CREATE INDEX export_job_detected_at_ix ON export_job (installation_id, detected_at DESC, id);
CREATE INDEX export_job_created_ix ON export_job (installation_id, company_id, created_on_platform_at, id);
-- Ended jobs, to find those that reconciliation has not looked at yet.
CREATE INDEX export_job_finished_at_ix ON export_job (finished_at)
  WHERE state NOT IN ('detected', 'running', 'verdict_decided');
ALTER TABLE export_job ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_job FORCE ROW LEVEL SECURITY;
CREATE POLICY export_job_tenant ON export_job TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
-- The sweeper sees which companies have open work and nobody on it, and wakes for the nearest deadline first.
CREATE POLICY export_job_scheduler ON export_job TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON export_job TO connector_app;
CREATE INDEX export_job_uncleared_ix ON export_job (finished_at) WHERE items_cleared_at IS NULL;
GRANT SELECT (installation_id, id, company_id, state, created_on_platform_at, expires_at, detected_at, next_run_at, finished_at,
    items_cleared_at, pauses)
  ON export_job TO connector_scheduler;
SELECT audit_table('export_job', '{id}', '{state, number_of_items, mapping_version, erp_company_id, failure_type}');

-- The allowed edges of the job's state machine (I9). A final state is never left.
-- Opens a transaction under a lease: with the row that stands for it, or not at all.
CREATE FUNCTION require_lease(held bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF held = 0 THEN
    RAISE EXCEPTION 'the lease was taken over' USING ERRCODE = 'LE001';
  END IF;
END $$;

-- Ends a transaction whose change of a job has met another state than its worker has read.
CREATE FUNCTION require_job_change(changed bigint, job uuid, state text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF changed = 0 THEN
    RAISE EXCEPTION 'export job % cannot become %: it is not in the state this worker read', job, state;
  END IF;
END $$;

CREATE FUNCTION check_export_job_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.version <> OLD.version + 1 THEN
    RAISE EXCEPTION 'export job %: version % cannot follow %', OLD.id, NEW.version, OLD.version
      USING ERRCODE = 'check_violation', CONSTRAINT = 'export_job_version_ck';
  END IF;
  IF NEW.state <> OLD.state AND NOT (OLD.state, NEW.state) IN (
    ('detected', 'running'), ('detected', 'verdict_decided'), ('detected', 'expired'), ('detected', 'closed_by_platform'),
    ('running', 'verdict_decided'), ('running', 'expired'), ('running', 'closed_by_platform'),
    ('verdict_decided', 'completed'), ('verdict_decided', 'completed_with_errors'), ('verdict_decided', 'failed'),
    ('verdict_decided', 'expired'), ('verdict_decided', 'closed_by_platform')
  ) THEN
    RAISE EXCEPTION 'export job %: % cannot become %', OLD.id, OLD.state, NEW.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'export_job_transition_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER export_job_transition BEFORE UPDATE ON export_job
  FOR EACH ROW EXECUTE FUNCTION check_export_job_transition();

CREATE TABLE export_item (
  installation_id uuid NOT NULL,
  export_job_id uuid NOT NULL,
  accounting_entry_id uuid NOT NULL,
  position integer NOT NULL,
  -- In the wallet's currency, as the platform states it.
  amount jsonb,
  -- Which row of item_chunk has what it was planned from. Null: it could not be read, or its time is over.
  item_chunk_id uuid,
  state text NOT NULL CONSTRAINT export_item_state_ck CHECK (state IN ('pending', 'successful', 'failed')),
  failure_type text,
  -- In English, as the platform is told.
  failure_reason text,
  -- The same as codes with parameters, to be put into a reader's language. Null: it is known in English only, or its time is over.
  failure_messages jsonb,
  warnings jsonb NOT NULL DEFAULT '[]',
  external_id text,
  external_url text,
  exported_at timestamptz,
  -- Number of the message to the platform that reports it (`outbox`); when that was delivered, the platform has it, or has told why
  -- it never will (report_problem).
  reported_in integer,
  report_problem text,
  -- The platform had this result when the item was listed: since then.
  known_at timestamptz,
  CONSTRAINT export_item_accounting_entry_id_pk PRIMARY KEY (installation_id, accounting_entry_id, export_job_id),
  CONSTRAINT export_item_failure_ck CHECK ((state = 'failed') = (failure_type IS NOT NULL AND failure_reason IS NOT NULL)),
  CONSTRAINT export_item_success_ck CHECK ((state = 'successful') = (external_id IS NOT NULL)),
  -- Only a result can have been reported.
  CONSTRAINT export_item_reported_ck CHECK (state <> 'pending' OR (reported_in IS NULL AND report_problem IS NULL AND known_at IS NULL))
-- A result changes no index, so that its row stays on its page: indexes have nothing of it, and pages have room.
) WITH (fillfactor = 80);
CREATE INDEX export_item_position_ix ON export_item (installation_id, export_job_id, position);
ALTER TABLE export_item ENABLE ROW LEVEL SECURITY;
ALTER TABLE export_item FORCE ROW LEVEL SECURITY;
CREATE POLICY export_item_tenant ON export_item TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE ON export_item TO connector_app;

-- Items as they were planned, without persons, notes and receipts, so that they can be planned again after their job: those that got
-- a result at the same moment in one row, by accounting entry. It is large enough to be compressed and is never written again.
CREATE TABLE item_chunk (
  installation_id uuid NOT NULL,
  export_job_id uuid NOT NULL,
  id uuid NOT NULL,
  -- JSON, as text: to read it while it is written would cost the database more than to write it. Those that look into it are few.
  items text NOT NULL,
  -- By what its entries are found over all exports, a line each; what of the platform's reference data they name, with sums; their days.
  words text NOT NULL DEFAULT '',
  uses jsonb NOT NULL DEFAULT '{}',
  first_day date,
  last_day date,
  CONSTRAINT item_chunk_id_pk PRIMARY KEY (installation_id, export_job_id, id),
  CONSTRAINT item_chunk_export_job_id_fk FOREIGN KEY (installation_id, export_job_id) REFERENCES export_job (installation_id, id)
);
ALTER TABLE item_chunk ENABLE ROW LEVEL SECURITY;
ALTER TABLE item_chunk FORCE ROW LEVEL SECURITY;
CREATE POLICY item_chunk_tenant ON item_chunk TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, DELETE ON item_chunk TO connector_app;

-- The allowed edges of an item's state machine (I9): a result is set once, and the platform's answer to it is noted once. Long after
-- the job the texts of a result may be taken out, for one that says so.
CREATE FUNCTION check_export_item_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state <> 'pending' AND (
    ROW (NEW.state, NEW.failure_type, NEW.external_id, NEW.external_url, NEW.exported_at)
    IS DISTINCT FROM
    ROW (OLD.state, OLD.failure_type, OLD.external_id, OLD.external_url, OLD.exported_at)
    OR ROW (NEW.failure_reason, NEW.failure_messages, NEW.warnings)
      IS DISTINCT FROM ROW (OLD.failure_reason, OLD.failure_messages, OLD.warnings)
      AND NOT (NEW.item_chunk_id IS NULL AND NEW.warnings = '[]' AND NEW.failure_messages IS NULL
        AND (NEW.failure_reason IS NULL OR NEW.failure_reason = 'The reason is not kept any more.'))
  ) THEN
    RAISE EXCEPTION 'accounting entry % is % in export job %, its result cannot change',
      OLD.accounting_entry_id, OLD.state, OLD.export_job_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'export_item_result_is_final_ck';
  END IF;
  IF OLD.state <> 'pending' AND ROW (NEW.reported_in, NEW.known_at) IS DISTINCT FROM ROW (OLD.reported_in, OLD.known_at)
    OR OLD.report_problem IS NOT NULL AND NEW.report_problem IS DISTINCT FROM OLD.report_problem THEN
    RAISE EXCEPTION 'accounting entry % is reported in export job %', OLD.accounting_entry_id, OLD.export_job_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'export_item_reported_once_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER export_item_transition BEFORE UPDATE ON export_item
  FOR EACH ROW EXECUTE FUNCTION check_export_item_transition();

-- Items refer to their job. A foreign key would look it up once more for each of a job's thousands of items, which costs more than
-- the item itself; here a statement is looked at as a whole. A job is never deleted, and keeps its key.
CREATE FUNCTION check_jobs_of_items() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM (SELECT DISTINCT installation_id, export_job_id FROM item_after) AS added
    WHERE NOT EXISTS (SELECT FROM export_job WHERE installation_id = added.installation_id AND id = added.export_job_id)
  ) THEN
    RAISE EXCEPTION 'an item of an export job that is not there'
      USING ERRCODE = 'foreign_key_violation', CONSTRAINT = 'export_item_export_job_id_fk';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER export_item_check_jobs AFTER INSERT ON export_item REFERENCING NEW TABLE AS item_after
  FOR EACH STATEMENT EXECUTE FUNCTION check_jobs_of_items();
CREATE FUNCTION refuse_other_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'rows refer to what is in %: it cannot be deleted, and its key cannot change', TG_TABLE_NAME
    USING ERRCODE = 'foreign_key_violation', CONSTRAINT = TG_NAME;
END
$$;
CREATE TRIGGER export_job_keep_key BEFORE DELETE OR UPDATE OF installation_id, id ON export_job
  FOR EACH ROW EXECUTE FUNCTION refuse_other_key();
CREATE TRIGGER export_item_keep_job BEFORE UPDATE OF installation_id, export_job_id ON export_item
  FOR EACH ROW EXECUTE FUNCTION refuse_other_key();

-- A job's counters and sums, so that a list of jobs reads no items.
-- The first question is asked of every item of an export, and is several times faster than the form that it is a part of.
CREATE FUNCTION hundredths_of(amount jsonb) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE
    WHEN translate(amount ->> 'value', '0123456789', '') = '' AND length(amount ->> 'value') BETWEEN 1 AND 30
      OR amount ->> 'value' ~ '^-?[0-9]{1,30}([.][0-9]{1,30})?$' THEN (amount ->> 'value')::numeric
    ELSE 0 END
$$;
CREATE FUNCTION sum_by_currency(one jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(jsonb_object_agg(currency, hundredths), '{}') FROM (
    SELECT key AS currency, sum(value::numeric) AS hundredths
    FROM (SELECT * FROM jsonb_each_text(one) UNION ALL SELECT * FROM jsonb_each_text(other)) AS amount GROUP BY key
  ) AS sums
$$;
-- By their keys, one job after the other: joined, the sums may be made anew for each job that the company has ever had.
CREATE FUNCTION count_added_items() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  added record;
BEGIN
  FOR added IN
    SELECT installation_id, export_job_id, sum(successful) AS successful, sum(failed) AS failed,
      coalesce(jsonb_object_agg(currency, hundredths) FILTER (WHERE currency IS NOT NULL), '{}') AS sums
    FROM (
      SELECT installation_id, export_job_id, amount ->> 'currency' AS currency, sum(hundredths_of(amount)) AS hundredths,
        count(*) FILTER (WHERE state = 'successful') AS successful, count(*) FILTER (WHERE state = 'failed') AS failed
      FROM item_after WHERE state <> 'pending' GROUP BY installation_id, export_job_id, amount ->> 'currency'
    ) AS of_currency GROUP BY installation_id, export_job_id
  LOOP
    UPDATE export_job SET version = version + 1, successful_items = successful_items + added.successful,
      failed_items = failed_items + added.failed, amounts = sum_by_currency(amounts, added.sums)
    WHERE installation_id = added.installation_id AND id = added.export_job_id;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER export_item_count_added AFTER INSERT ON export_item REFERENCING NEW TABLE AS item_after
  FOR EACH STATEMENT EXECUTE FUNCTION count_added_items();
CREATE FUNCTION count_changed_items() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changed record;
BEGIN
  FOR changed IN
    SELECT installation_id, export_job_id, sum(successful) AS successful, sum(failed) AS failed,
      coalesce(jsonb_object_agg(currency, hundredths) FILTER (WHERE currency IS NOT NULL), '{}') AS sums
    FROM (
      SELECT installation_id, export_job_id, amount ->> 'currency' AS currency, sum(direction * hundredths_of(amount)) AS hundredths,
        coalesce(sum(direction) FILTER (WHERE state = 'successful'), 0) AS successful,
        coalesce(sum(direction) FILTER (WHERE state = 'failed'), 0) AS failed
      FROM (
        SELECT installation_id, export_job_id, state, amount, 1 AS direction FROM item_after
        UNION ALL SELECT installation_id, export_job_id, state, amount, -1 FROM item_before
      ) AS item WHERE state <> 'pending' GROUP BY installation_id, export_job_id, amount ->> 'currency'
    ) AS of_currency GROUP BY installation_id, export_job_id
    HAVING (sum(successful), sum(failed)) <> (0, 0)
  LOOP
    UPDATE export_job SET version = version + 1, successful_items = successful_items + changed.successful,
      failed_items = failed_items + changed.failed, amounts = sum_by_currency(amounts, changed.sums)
    WHERE installation_id = changed.installation_id AND id = changed.export_job_id;
  END LOOP;
  RETURN NULL;
END
$$;
CREATE TRIGGER export_item_count_changed AFTER UPDATE ON export_item REFERENCING OLD TABLE AS item_before NEW TABLE AS item_after
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed_items();

-- Planned entries, so that a look-up or an audit needs no second plan: those written down at the same moment in one row, by
-- accounting entry. It is large enough to be compressed and is never written again.
CREATE TABLE plan_chunk (
  installation_id uuid NOT NULL,
  export_job_id uuid NOT NULL,
  id uuid NOT NULL,
  -- JSON, as text like the items.
  plans text NOT NULL,
  -- What they name of the ERP's vendors and of the mapping's rules, each once.
  vendor_ids text[] NOT NULL DEFAULT '{}',
  rule_ids text[] NOT NULL DEFAULT '{}',
  CONSTRAINT plan_chunk_id_pk PRIMARY KEY (installation_id, export_job_id, id),
  CONSTRAINT plan_chunk_export_job_id_fk FOREIGN KEY (installation_id, export_job_id) REFERENCES export_job (installation_id, id)
);
ALTER TABLE plan_chunk ENABLE ROW LEVEL SECURITY;
ALTER TABLE plan_chunk FORCE ROW LEVEL SECURITY;
CREATE POLICY plan_chunk_tenant ON plan_chunk TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON plan_chunk TO connector_app;

-- "We may have posted this": written before the ERP is called (I17). The key is the accounting entry, never the job (I1).
-- An entry whose content changed is reversed in the ERP and posted anew, as the next revision of its intent (B7).
CREATE TABLE posting_intent (
  installation_id uuid NOT NULL,
  erp_company_id text NOT NULL,
  accounting_entry_id uuid NOT NULL,
  revision integer NOT NULL DEFAULT 1,
  export_job_id uuid NOT NULL,
  mapping_version integer NOT NULL,
  content_digest text NOT NULL,
  -- Which row of plan_chunk has its plan. Null: the connector did not plan it.
  plan_chunk_id uuid,
  -- What our record took over from the ERP without having planned it: its entries as the ERP had them then, in the form of
  -- a plan without base amounts. Null: as planned.
  imported jsonb,
  fence bigint NOT NULL,
  state text NOT NULL
    CONSTRAINT posting_intent_state_ck CHECK (state IN ('sent', 'uncertain', 'posted', 'rejected', 'reversed')),
  -- What may follow a post whose outcome is unknown depends on the ERP and on how long ago it was sent
  -- (docs/rules/capability-levels.md).
  -- By the database's clock, which all workers share.
  first_sent_at timestamptz NOT NULL DEFAULT now(),
  sent_at timestamptz NOT NULL DEFAULT now(),
  -- By which the ERP is asked what became of it, where it has accepted it and says that later. Null: it has not.
  accepted_handle text CONSTRAINT posting_intent_accepted_handle_ck CHECK (length(accepted_handle) BETWEEN 1 AND 500),
  external_id text,
  external_url text,
  posted_at timestamptz,
  -- Found in the books after its item had been reported as failed (I4, I11).
  late_effect boolean NOT NULL DEFAULT false,
  -- "We may have reversed this": written before the ERP is called (I17), taken back when the ERP surely did not.
  reversal_sent_at timestamptz,
  -- What the ERP has lost counts as reversed once a person has noted it, and the next revision may be posted. This is when
  -- it was first seen to be missing. Null: the ERP shows it, standing or reversed.
  lost_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT posting_intent_accounting_entry_id_pk PRIMARY KEY (installation_id, erp_company_id, accounting_entry_id, revision),
  CONSTRAINT posting_intent_posted_ck CHECK ((state IN ('posted', 'reversed')) = (external_id IS NOT NULL)),
  CONSTRAINT posting_intent_late_effect_ck CHECK (NOT late_effect OR external_id IS NOT NULL),
  CONSTRAINT posting_intent_reversal_ck CHECK (reversal_sent_at IS NULL OR state IN ('posted', 'reversed')),
  CONSTRAINT posting_intent_lost_ck CHECK (lost_at IS NULL OR state = 'reversed')
-- An outcome changes no index, so that its row stays on its page: indexes have nothing of it, and pages have room.
) WITH (fillfactor = 50);
-- What a job has posted is read in the order of its keys.
CREATE INDEX posting_intent_of_job_ix ON posting_intent (installation_id, export_job_id, accounting_entry_id, revision);
ALTER TABLE posting_intent ENABLE ROW LEVEL SECURITY;
ALTER TABLE posting_intent FORCE ROW LEVEL SECURITY;
CREATE POLICY posting_intent_tenant ON posting_intent TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE ON posting_intent TO connector_app;

-- Intents refer to their job, to the mapping they were planned with, and to their plan; as with items, a statement is looked at as a
-- whole.
CREATE FUNCTION reference_missing(installation uuid, job uuid, mapping integer, plan uuid) RETURNS text LANGUAGE sql STABLE
RETURN CASE
  WHEN NOT EXISTS (SELECT FROM export_job WHERE installation_id = installation AND id = job)
    THEN 'posting_intent_export_job_id_fk'
  WHEN NOT EXISTS (SELECT FROM mapping_version WHERE installation_id = installation AND version = mapping)
    THEN 'posting_intent_mapping_version_fk'
  WHEN plan IS NOT NULL
    AND NOT EXISTS (SELECT FROM plan_chunk WHERE installation_id = installation AND export_job_id = job AND id = plan)
    THEN 'posting_intent_plan_in_fk'
END;
CREATE FUNCTION refuse_missing_reference(missing text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF missing IS NOT NULL THEN
    RAISE EXCEPTION 'an intent refers to something that is not there' USING ERRCODE = 'foreign_key_violation', CONSTRAINT = missing;
  END IF;
END
$$;
CREATE FUNCTION check_references_of_added_intents() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_missing_reference(reference_missing(installation_id, export_job_id, mapping_version, plan_chunk_id))
  FROM (SELECT DISTINCT installation_id, export_job_id, mapping_version, plan_chunk_id FROM intent_after) AS added;
  RETURN NULL;
END
$$;
CREATE TRIGGER posting_intent_check_added AFTER INSERT ON posting_intent REFERENCING NEW TABLE AS intent_after
  FOR EACH STATEMENT EXECUTE FUNCTION check_references_of_added_intents();
CREATE FUNCTION check_references_of_changed_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM refuse_missing_reference(
    reference_missing(NEW.installation_id, NEW.export_job_id, NEW.mapping_version, NEW.plan_chunk_id));
  RETURN NULL;
END
$$;
CREATE TRIGGER posting_intent_check_changed AFTER UPDATE ON posting_intent
  FOR EACH ROW WHEN ((NEW.installation_id, NEW.export_job_id, NEW.mapping_version, NEW.plan_chunk_id)
    IS DISTINCT FROM (OLD.installation_id, OLD.export_job_id, OLD.mapping_version, OLD.plan_chunk_id))
  EXECUTE FUNCTION check_references_of_changed_intent();
CREATE TRIGGER plan_chunk_keep_key BEFORE DELETE OR UPDATE OF installation_id, export_job_id, id ON plan_chunk
  FOR EACH ROW EXECUTE FUNCTION refuse_other_key();
CREATE TRIGGER mapping_version_keep_key BEFORE DELETE OR UPDATE OF installation_id, version ON mapping_version
  FOR EACH ROW EXECUTE FUNCTION refuse_other_key();

-- What was posted stays as it was (I13), until it is reversed and then too; only an unposted intent may be planned anew.
-- What the ERP had lost may come back, as when its backup is restored.
CREATE FUNCTION keep_posted_intent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.state = 'posted' AND NEW.state IN ('posted', 'reversed')
      OR OLD.state = 'reversed' AND NEW.state IN ('posted', 'reversed') AND NEW.lost_at IS DISTINCT FROM OLD.lost_at)
    AND to_jsonb(NEW) - 'state' - 'reversal_sent_at' - 'lost_at' = to_jsonb(OLD) - 'state' - 'reversal_sent_at' - 'lost_at' THEN
    RETURN NEW;
  END IF;
  IF OLD.state IN ('posted', 'reversed') THEN
    RAISE EXCEPTION 'accounting entry % is %, its intent cannot change', OLD.accounting_entry_id, OLD.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_posted_is_final_ck';
  END IF;
  IF NEW.state = 'reversed' THEN
    RAISE EXCEPTION 'accounting entry % is %, only what is posted can be reversed', OLD.accounting_entry_id, OLD.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_reversed_from_posted_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER posting_intent_keep_posted BEFORE UPDATE ON posting_intent
  FOR EACH ROW WHEN (OLD.state IN ('posted', 'reversed') OR NEW.state = 'reversed') EXECUTE FUNCTION keep_posted_intent();

-- A second effect for one entry needs the first one to be out of the books (I1).
CREATE FUNCTION check_posting_intent_revision() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NOT EXISTS (
    SELECT FROM posting_intent earlier
    WHERE earlier.installation_id = NEW.installation_id AND earlier.erp_company_id = NEW.erp_company_id
      AND earlier.accounting_entry_id = NEW.accounting_entry_id AND earlier.revision = NEW.revision - 1
      AND earlier.state = 'reversed'
  ) THEN
    RAISE EXCEPTION 'accounting entry %: revision % needs the one before to be reversed', NEW.accounting_entry_id, NEW.revision
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_revision_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER posting_intent_check_revision
  BEFORE INSERT OR UPDATE OF installation_id, erp_company_id, accounting_entry_id, revision ON posting_intent
  FOR EACH ROW WHEN (NEW.revision <> 1) EXECUTE FUNCTION check_posting_intent_revision();

-- What may be in the books is not sent again before it is known that it is not (I18).
CREATE FUNCTION check_posting_intent_transition() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.state IN ('sent', 'uncertain') AND NEW.state = 'sent'
    AND (OLD.state = 'uncertain' OR NEW.sent_at > OLD.sent_at) THEN
    RAISE EXCEPTION 'accounting entry % is %, it cannot be sent again', OLD.accounting_entry_id, OLD.state
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_resend_ck';
  END IF;
  IF OLD.state = 'rejected' AND NEW.state = 'uncertain' THEN
    RAISE EXCEPTION 'accounting entry % is rejected, it cannot become uncertain', OLD.accounting_entry_id
      USING ERRCODE = 'check_violation', CONSTRAINT = 'posting_intent_transition_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER posting_intent_transition BEFORE UPDATE ON posting_intent
  FOR EACH ROW WHEN (NEW.state IN ('sent', 'uncertain')) EXECUTE FUNCTION check_posting_intent_transition();

-- What may be in the books, kept by triggers: the intents that are uncertain, which are few. When the ERP is asked next, once the job
-- is over and nobody else asks.
CREATE TABLE uncertain_posting (
  installation_id uuid NOT NULL,
  erp_company_id text NOT NULL,
  accounting_entry_id uuid NOT NULL,
  revision integer NOT NULL,
  export_job_id uuid NOT NULL,
  look_up_at timestamptz NOT NULL,
  CONSTRAINT uncertain_posting_accounting_entry_id_pk
    PRIMARY KEY (installation_id, erp_company_id, accounting_entry_id, revision),
  CONSTRAINT uncertain_posting_accounting_entry_id_fk
    FOREIGN KEY (installation_id, erp_company_id, accounting_entry_id, revision)
    REFERENCES posting_intent (installation_id, erp_company_id, accounting_entry_id, revision),
  CONSTRAINT uncertain_posting_export_job_id_fk FOREIGN KEY (installation_id, export_job_id) REFERENCES export_job (installation_id, id)
);
CREATE INDEX uncertain_posting_look_up_at_ix ON uncertain_posting (look_up_at);
ALTER TABLE uncertain_posting ENABLE ROW LEVEL SECURITY;
ALTER TABLE uncertain_posting FORCE ROW LEVEL SECURITY;
CREATE POLICY uncertain_posting_tenant ON uncertain_posting TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
-- The sweeper sees which companies have something to be looked up, and nothing else.
CREATE POLICY uncertain_posting_scheduler ON uncertain_posting TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON uncertain_posting TO connector_app;
GRANT SELECT (installation_id, export_job_id, look_up_at) ON uncertain_posting TO connector_scheduler;

CREATE FUNCTION note_uncertain_posting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO uncertain_posting
  VALUES (NEW.installation_id, NEW.erp_company_id, NEW.accounting_entry_id, NEW.revision, NEW.export_job_id, NEW.sent_at);
  RETURN NULL;
END
$$;
CREATE TRIGGER posting_intent_insert_uncertain AFTER INSERT ON posting_intent
  FOR EACH ROW WHEN (NEW.state = 'uncertain') EXECUTE FUNCTION note_uncertain_posting();
CREATE TRIGGER posting_intent_becomes_uncertain AFTER UPDATE OF state ON posting_intent
  FOR EACH ROW WHEN (NEW.state = 'uncertain' AND OLD.state <> 'uncertain') EXECUTE FUNCTION note_uncertain_posting();
CREATE FUNCTION forget_uncertain_posting() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM uncertain_posting WHERE installation_id = OLD.installation_id AND erp_company_id = OLD.erp_company_id
    AND accounting_entry_id = OLD.accounting_entry_id AND revision = OLD.revision;
  RETURN NULL;
END
$$;
CREATE TRIGGER posting_intent_becomes_certain AFTER UPDATE OF state ON posting_intent
  FOR EACH ROW WHEN (OLD.state = 'uncertain' AND NEW.state <> 'uncertain') EXECUTE FUNCTION forget_uncertain_posting();

-- What is only sent is a worker's business as long as its job is open. After that nobody waits for its answer.
CREATE FUNCTION doubt_sent_postings() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE posting_intent SET state = 'uncertain'
  WHERE installation_id = NEW.installation_id AND export_job_id = NEW.id AND state = 'sent';
  RETURN NULL;
END
$$;
CREATE TRIGGER export_job_ends AFTER UPDATE OF state ON export_job
  FOR EACH ROW WHEN (OLD.state IN ('detected', 'running', 'verdict_decided')
    AND NEW.state NOT IN ('detected', 'running', 'verdict_decided')) EXECUTE FUNCTION doubt_sent_postings();

-- What a person has found in the ERP of an entry that the connector was unsure of.
CREATE TABLE posting_resolution (
  installation_id uuid NOT NULL,
  erp_company_id text NOT NULL,
  accounting_entry_id uuid NOT NULL,
  revision integer NOT NULL,
  -- The sending it speaks of: after `not-in-the-books` another one may follow and become uncertain too.
  sent_at timestamptz NOT NULL,
  outcome text NOT NULL CONSTRAINT posting_resolution_outcome_ck CHECK (outcome IN ('in-the-books', 'not-in-the-books')),
  external_id text,
  external_url text,
  note text,
  resolved_by text NOT NULL,
  resolved_at timestamptz NOT NULL,
  CONSTRAINT posting_resolution_sent_at_pk
    PRIMARY KEY (installation_id, erp_company_id, accounting_entry_id, revision, sent_at),
  CONSTRAINT posting_resolution_intent_fk FOREIGN KEY (installation_id, erp_company_id, accounting_entry_id, revision)
    REFERENCES posting_intent (installation_id, erp_company_id, accounting_entry_id, revision),
  CONSTRAINT posting_resolution_external_ck CHECK ((outcome = 'in-the-books') = (external_id IS NOT NULL)
    AND (external_url IS NULL OR external_id IS NOT NULL))
);
ALTER TABLE posting_resolution ENABLE ROW LEVEL SECURITY;
ALTER TABLE posting_resolution FORCE ROW LEVEL SECURITY;
CREATE POLICY posting_resolution_tenant ON posting_resolution TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON posting_resolution TO connector_app;
SELECT audit_table('posting_resolution', '{erp_company_id, accounting_entry_id, revision}', '{outcome, external_id, note,
  resolved_by}');

-- Receipts of accounting entries that the ERP has taken, so that none is sent to it twice (P9.7), or that it
-- could not be given. A file is known by its place, type and announced size: its address changes with every fetch, and
-- what replaces it counts as another one.
CREATE TABLE receipt (
  installation_id uuid NOT NULL CONSTRAINT receipt_installation_id_fk REFERENCES installation (id),
  erp_company_id text NOT NULL,
  accounting_entry_id uuid NOT NULL,
  -- From 1, in the order of the item's files.
  position integer NOT NULL CONSTRAINT receipt_position_ck CHECK (position >= 1),
  -- As announced; empty and -1 where the platform did not say.
  media_type text NOT NULL,
  announced_bytes bigint NOT NULL,
  -- Id in the ERP.
  document_id text,
  -- What a bookkeeper was told, of a file without which the entry was posted.
  problem text,
  stored_at timestamptz NOT NULL,
  CONSTRAINT receipt_accounting_entry_id_pk
    PRIMARY KEY (installation_id, erp_company_id, accounting_entry_id, position, media_type, announced_bytes),
  CONSTRAINT receipt_outcome_ck CHECK ((document_id IS NULL) <> (problem IS NULL))
);
ALTER TABLE receipt ENABLE ROW LEVEL SECURITY;
ALTER TABLE receipt FORCE ROW LEVEL SECURITY;
CREATE POLICY receipt_tenant ON receipt TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON receipt TO connector_app;

-- Everything to be told to the platform, in order per job (I22); at most one verdict (I10).
CREATE TABLE outbox (
  installation_id uuid NOT NULL,
  export_job_id uuid NOT NULL,
  seq integer NOT NULL,
  kind text NOT NULL CONSTRAINT outbox_kind_ck CHECK (kind IN ('started', 'items', 'verdict')),
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  delivered_at timestamptz,
  CONSTRAINT outbox_seq_pk PRIMARY KEY (installation_id, export_job_id, seq),
  CONSTRAINT outbox_export_job_id_fk FOREIGN KEY (installation_id, export_job_id) REFERENCES export_job (installation_id, id)
);
CREATE UNIQUE INDEX outbox_verdict_uq ON outbox (installation_id, export_job_id) WHERE kind = 'verdict';
CREATE UNIQUE INDEX outbox_started_uq ON outbox (installation_id, export_job_id) WHERE kind = 'started';
-- For the metrics.
CREATE INDEX outbox_waiting_ix ON outbox (created_at) WHERE delivered_at IS NULL;
ALTER TABLE outbox ENABLE ROW LEVEL SECURITY;
ALTER TABLE outbox FORCE ROW LEVEL SECURITY;
CREATE POLICY outbox_tenant ON outbox TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY outbox_scheduler ON outbox TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON outbox TO connector_app;
GRANT SELECT (created_at, delivered_at) ON outbox TO connector_scheduler;

-- ===== Causes of failures, previews and re-exports ====================================================================

-- What has to be fixed; named by the planner when an item fails, never read out of a sentence.
CREATE TABLE issue (
  installation_id uuid NOT NULL CONSTRAINT issue_installation_id_fk REFERENCES installation (id),
  issue_key text NOT NULL CONSTRAINT issue_cause_key_ck CHECK (length(issue_key) BETWEEN 3 AND 300),
  kind text NOT NULL,
  reference text NOT NULL,
  reference_group text,
  name text,
  -- Of the last item that failed for it.
  failure_type text NOT NULL,
  reason text NOT NULL,
  -- As of an item.
  reason_messages jsonb,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  CONSTRAINT issue_cause_key_pk PRIMARY KEY (installation_id, issue_key)
);
ALTER TABLE issue ENABLE ROW LEVEL SECURITY;
ALTER TABLE issue FORCE ROW LEVEL SECURITY;
CREATE POLICY issue_tenant ON issue TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE ON issue TO connector_app;

-- An entry that fails for a cause: open until a later result of the same entry no longer names it.
CREATE TABLE failed_entry (
  installation_id uuid NOT NULL,
  issue_key text NOT NULL,
  accounting_entry_id uuid NOT NULL,
  -- The last job in which it failed so.
  export_job_id uuid NOT NULL,
  -- What the item is known by; each null where it could not be read. The supplier is cleared with the item.
  item_type text,
  item_date date,
  supplier text,
  currency text,
  amount_minor numeric,
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  cleared_at timestamptz,
  cleared_by_job_id uuid,
  CONSTRAINT failed_entry_accounting_entry_id_pk PRIMARY KEY (installation_id, issue_key, accounting_entry_id),
  CONSTRAINT failed_entry_cause_key_fk FOREIGN KEY (installation_id, issue_key)
    REFERENCES issue (installation_id, issue_key),
  CONSTRAINT failed_entry_export_job_id_fk FOREIGN KEY (installation_id, export_job_id)
    REFERENCES export_job (installation_id, id),
  CONSTRAINT failed_entry_cleared_by_job_id_fk FOREIGN KEY (installation_id, cleared_by_job_id)
    REFERENCES export_job (installation_id, id),
  CONSTRAINT failed_entry_cleared_ck CHECK ((cleared_at IS NULL) = (cleared_by_job_id IS NULL))
);
CREATE INDEX failed_entry_accounting_entry_id_ix ON failed_entry (installation_id, accounting_entry_id);
ALTER TABLE failed_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE failed_entry FORCE ROW LEVEL SECURITY;
CREATE POLICY failed_entry_tenant ON failed_entry TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE ON failed_entry TO connector_app;

-- What people have agreed on about an issue; the system writes none of it.
CREATE TABLE issue_handling (
  installation_id uuid NOT NULL,
  issue_key text NOT NULL,
  assignee text CONSTRAINT issue_handling_assignee_ck CHECK (length(assignee) BETWEEN 1 AND 200),
  note text CONSTRAINT issue_handling_note_ck CHECK (length(note) BETWEEN 1 AND 1000),
  -- In UTC: until then nobody has to look at it.
  snoozed_until date,
  -- Its entries were booked by hand then; one that fails later opens the issue again.
  left_at timestamptz,
  CONSTRAINT issue_handling_issue_key_pk PRIMARY KEY (installation_id, issue_key),
  CONSTRAINT issue_handling_issue_key_fk FOREIGN KEY (installation_id, issue_key) REFERENCES issue (installation_id, issue_key)
);
ALTER TABLE issue_handling ENABLE ROW LEVEL SECURITY;
ALTER TABLE issue_handling FORCE ROW LEVEL SECURITY;
CREATE POLICY issue_handling_tenant ON issue_handling TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE ON issue_handling TO connector_app;
SELECT audit_table('issue_handling', '{issue_key}', '{assignee, note, snoozed_until, left_at}');

-- What somebody was shown: kept for a day, so that exactly this can be committed. Nothing was done when it was made.
CREATE TABLE preview (
  installation_id uuid NOT NULL CONSTRAINT preview_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  -- The job it is of; null for items that were handed in.
  export_job_id uuid,
  source text NOT NULL CONSTRAINT preview_source_ck CHECK (source IN ('platform', 'stored', 'provided')),
  erp_company_id text NOT NULL,
  mapping_version integer NOT NULL,
  -- The newest version at that time.
  newest_version integer NOT NULL,
  -- False: with rules that nobody has saved.
  saved boolean NOT NULL,
  -- Over everything that decided it.
  digest text NOT NULL,
  entries integer NOT NULL,
  -- Whether the job has more items than it shows.
  more boolean NOT NULL,
  made_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT preview_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT preview_export_job_id_fk FOREIGN KEY (installation_id, export_job_id)
    REFERENCES export_job (installation_id, id),
  CONSTRAINT preview_mapping_version_fk FOREIGN KEY (installation_id, mapping_version)
    REFERENCES mapping_version (installation_id, version)
);
CREATE INDEX preview_created_at_ix ON preview (installation_id, created_at DESC);
ALTER TABLE preview ENABLE ROW LEVEL SECURITY;
ALTER TABLE preview FORCE ROW LEVEL SECURITY;
CREATE POLICY preview_tenant ON preview TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY preview_scheduler ON preview TO connector_scheduler USING (true);
GRANT SELECT, INSERT, DELETE ON preview TO connector_app;
GRANT SELECT (expires_at), DELETE ON preview TO connector_scheduler;

CREATE TABLE preview_entry (
  installation_id uuid NOT NULL,
  preview_id uuid NOT NULL,
  position integer NOT NULL,
  accounting_entry_id uuid NOT NULL,
  -- Null for what could not be read.
  item jsonb,
  -- Null where nothing would be posted.
  plan_digest text,
  result jsonb NOT NULL,
  CONSTRAINT preview_entry_position_pk PRIMARY KEY (installation_id, preview_id, position),
  CONSTRAINT preview_entry_preview_id_fk FOREIGN KEY (installation_id, preview_id)
    REFERENCES preview (installation_id, id) ON DELETE CASCADE
);
ALTER TABLE preview_entry ENABLE ROW LEVEL SECURITY;
ALTER TABLE preview_entry FORCE ROW LEVEL SECURITY;
CREATE POLICY preview_entry_tenant ON preview_entry TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, DELETE ON preview_entry TO connector_app;

-- An export that was requested here: of what an issue kept from being exported, or of what was previewed.
CREATE TABLE reexport (
  installation_id uuid NOT NULL CONSTRAINT reexport_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  issue_key text,
  -- No foreign key: the preview goes after a day.
  preview_id uuid,
  -- Set: the job is mapped with this version, and posts only what has these digests.
  mapping_version integer,
  expected jsonb,
  entry_ids uuid[] NOT NULL CONSTRAINT reexport_entry_ids_ck CHECK (cardinality(entry_ids) BETWEEN 1 AND 10000),
  vendor_based_bookkeeping boolean NOT NULL,
  -- 'requested': the platform may have made a job, whose id is not known.
  state text NOT NULL CONSTRAINT reexport_state_ck CHECK (state IN ('waiting', 'requested', 'created', 'refused')),
  export_job_id uuid,
  problem text,
  requested_by text NOT NULL,
  created_at timestamptz NOT NULL,
  -- By the platform's clock.
  requested_at timestamptz,
  next_try_at timestamptz NOT NULL,
  CONSTRAINT reexport_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT reexport_cause_key_fk FOREIGN KEY (installation_id, issue_key)
    REFERENCES issue (installation_id, issue_key),
  CONSTRAINT reexport_export_job_id_fk FOREIGN KEY (installation_id, export_job_id)
    REFERENCES export_job (installation_id, id),
  CONSTRAINT reexport_mapping_version_fk FOREIGN KEY (installation_id, mapping_version)
    REFERENCES mapping_version (installation_id, version),
  CONSTRAINT reexport_created_ck CHECK ((state = 'created') = (export_job_id IS NOT NULL)),
  CONSTRAINT reexport_expected_ck CHECK (expected IS NULL OR mapping_version IS NOT NULL)
);
CREATE INDEX reexport_due_ix ON reexport (next_try_at) WHERE state IN ('waiting', 'requested');
CREATE INDEX reexport_cause_key_ix ON reexport (installation_id, issue_key, created_at DESC);
CREATE INDEX reexport_export_job_id_ix ON reexport (installation_id, export_job_id);
ALTER TABLE reexport ENABLE ROW LEVEL SECURITY;
ALTER TABLE reexport FORCE ROW LEVEL SECURITY;
CREATE POLICY reexport_tenant ON reexport TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY reexport_scheduler ON reexport TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON reexport TO connector_app;
GRANT SELECT (installation_id, id, state, next_try_at) ON reexport TO connector_scheduler;
SELECT audit_table('reexport', '{id}', '{state, issue_key, preview_id, mapping_version, export_job_id, problem, requested_by}');

-- ===== Reference data =================================================================================================

-- Whose reference data is synchronized next. No row: never yet, which is the same as now.
CREATE TABLE sync_schedule (
  installation_id uuid CONSTRAINT sync_schedule_installation_id_pk PRIMARY KEY
    CONSTRAINT sync_schedule_installation_id_fk REFERENCES installation (id),
  next_run_at timestamptz NOT NULL,
  -- The activation that the last first runs were asked for. When it differs from the installation's own, the installation
  -- was connected since, so what changed on both sides meanwhile is compared at once. Null: not known, which costs one more
  -- comparison.
  connected_at timestamptz
);
CREATE INDEX sync_schedule_next_run_at_ix ON sync_schedule (next_run_at);
ALTER TABLE sync_schedule ENABLE ROW LEVEL SECURITY;
ALTER TABLE sync_schedule FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_schedule_tenant ON sync_schedule TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY sync_schedule_scheduler ON sync_schedule TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON sync_schedule TO connector_app;
GRANT SELECT ON sync_schedule TO connector_scheduler;

-- The dimensions that are tag groups on the platform. No row: nobody has chosen, and no tag group is touched.
CREATE TABLE dimension_choice (
  installation_id uuid CONSTRAINT dimension_choice_installation_id_pk PRIMARY KEY
    CONSTRAINT dimension_choice_installation_id_fk REFERENCES installation (id),
  version integer NOT NULL CONSTRAINT dimension_choice_version_ck CHECK (version > 0),
  codes text[] NOT NULL CONSTRAINT dimension_choice_codes_ck CHECK (cardinality(codes) <= 5),
  chosen_by text NOT NULL,
  chosen_at timestamptz NOT NULL
);
ALTER TABLE dimension_choice ENABLE ROW LEVEL SECURITY;
ALTER TABLE dimension_choice FORCE ROW LEVEL SECURITY;
CREATE POLICY dimension_choice_tenant ON dimension_choice TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE ON dimension_choice TO connector_app;
SELECT audit_table('dimension_choice', '{installation_id}', '{version, codes, chosen_by}');

CREATE TABLE sync_run (
  installation_id uuid NOT NULL CONSTRAINT sync_run_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  -- In the order of their requests; ids are random.
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT sync_run_kind_ck
    CHECK (kind IN ('tax-codes', 'accounts', 'tags', 'vendors', 'vendor-drafts')),
  -- Planned only: nothing is changed anywhere.
  is_preview boolean NOT NULL,
  reason text NOT NULL CONSTRAINT sync_run_reason_ck
    CHECK (reason IN ('connected', 'schedule', 'person', 'vendor-created', 'export')),
  state text NOT NULL CONSTRAINT sync_run_state_ck
    CHECK (state IN ('requested', 'running', 'completed', 'completed_with_problems', 'needs_confirmation', 'failed')),
  requested_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- When a worker may look at it next; moved into the future after a failed attempt.
  next_attempt_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Who works on it, as in company_lease.
  fence bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  created integer NOT NULL DEFAULT 0,
  updated integer NOT NULL DEFAULT 0,
  archived integer NOT NULL DEFAULT 0,
  unarchived integer NOT NULL DEFAULT 0,
  activated integer NOT NULL DEFAULT 0,
  created_in_erp integer NOT NULL DEFAULT 0,
  problems integer NOT NULL DEFAULT 0,
  failure text,
  -- So many records a person has said may be archived.
  confirmed_archives integer NOT NULL DEFAULT 0,
  -- Asked for once more while it was running: what it has read may be old by then, so another one follows.
  again text CONSTRAINT sync_run_again_ck
    CHECK (again IN ('connected', 'schedule', 'person', 'vendor-created', 'export')),
  CONSTRAINT sync_run_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT sync_run_finished_ck CHECK ((state IN ('requested', 'running')) = (finished_at IS NULL)),
  CONSTRAINT sync_run_failure_ck CHECK ((state IN ('needs_confirmation', 'failed')) = (failure IS NOT NULL))
);
-- One run of a kind and company at a time (issue 6); a preview changes nothing and stands beside it.
CREATE UNIQUE INDEX sync_run_open_uq ON sync_run (installation_id, company_id, kind, is_preview)
  WHERE state IN ('requested', 'running');
CREATE INDEX sync_run_next_attempt_at_ix ON sync_run (next_attempt_at) WHERE state IN ('requested', 'running');
CREATE INDEX sync_run_position_ix ON sync_run (installation_id, position DESC);
ALTER TABLE sync_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE sync_run FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_run_tenant ON sync_run TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY sync_run_scheduler ON sync_run TO connector_scheduler USING (true);
-- Old runs are deleted, together with their records.
GRANT SELECT, INSERT, UPDATE, DELETE ON sync_run TO connector_app;
GRANT SELECT (installation_id, state, next_attempt_at, lease_until) ON sync_run TO connector_scheduler;
-- Runs that a person asked for.
SELECT audit_table('sync_run', '{id}', '{kind, is_preview, confirmed_archives}', $$NEW.reason = 'person'$$, NULL);

-- Each record that a run changed. Written before the change is sent (`sent`), so that no kill loses one from the history.
CREATE TABLE sync_record (
  installation_id uuid NOT NULL,
  run_id uuid NOT NULL,
  seq integer NOT NULL,
  subject text NOT NULL CONSTRAINT sync_record_subject_ck
    CHECK (subject IN ('tax-code', 'account', 'tag-group', 'tag', 'vendor')),
  -- Null: nothing was changed, there is a problem.
  action text CONSTRAINT sync_record_action_ck
    CHECK (action IN ('create', 'update', 'archive', 'unarchive', 'activate', 'create-in-erp')),
  key text NOT NULL,
  -- The platform's id of what is changed; null where it is to be made.
  target_id text,
  name text NOT NULL,
  outcome text NOT NULL CONSTRAINT sync_record_outcome_ck CHECK (outcome IN ('planned', 'sent', 'done', 'problem')),
  detail text,
  CONSTRAINT sync_record_seq_pk PRIMARY KEY (installation_id, run_id, seq),
  CONSTRAINT sync_record_run_id_fk FOREIGN KEY (installation_id, run_id)
    REFERENCES sync_run (installation_id, id) ON DELETE CASCADE,
  CONSTRAINT sync_record_problem_ck CHECK ((outcome = 'problem') = (detail IS NOT NULL)),
  CONSTRAINT sync_record_action_of_problem_ck CHECK (action IS NOT NULL OR outcome = 'problem')
);
CREATE INDEX sync_record_unsettled_ix ON sync_record (installation_id, run_id) WHERE outcome = 'sent';
ALTER TABLE sync_record ENABLE ROW LEVEL SECURITY;
ALTER TABLE sync_record FORCE ROW LEVEL SECURITY;
CREATE POLICY sync_record_tenant ON sync_record TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON sync_record TO connector_app;

-- Vendors of the platform that wait for a person, and what was decided about them. A vendor that is settled is no longer
-- listed.
CREATE TABLE vendor_match (
  installation_id uuid NOT NULL CONSTRAINT vendor_match_installation_id_fk REFERENCES installation (id),
  company_id uuid NOT NULL,
  platform_vendor_id uuid NOT NULL,
  name text NOT NULL,
  state text NOT NULL CONSTRAINT vendor_match_state_ck CHECK (state IN ('waiting', 'decided')),
  reason text CONSTRAINT vendor_match_reason_ck
    CHECK (reason IN ('ambiguous', 'already-linked', 'blocked', 'unknown', 'refused')),
  detail text,
  -- What a person is shown of the ERP's vendors it could be.
  candidates jsonb NOT NULL DEFAULT '[]',
  decision text CONSTRAINT vendor_match_decision_ck CHECK (decision IN ('link', 'create', 'archive')),
  erp_vendor_number text,
  decided_by text,
  changed_at timestamptz NOT NULL,
  CONSTRAINT vendor_match_platform_vendor_id_pk PRIMARY KEY (installation_id, company_id, platform_vendor_id),
  CONSTRAINT vendor_match_waiting_ck CHECK ((state = 'waiting') = (reason IS NOT NULL)),
  CONSTRAINT vendor_match_decided_ck CHECK ((state = 'decided') = (decision IS NOT NULL AND decided_by IS NOT NULL)),
  CONSTRAINT vendor_match_number_ck CHECK ((decision IS NOT DISTINCT FROM 'link') = (erp_vendor_number IS NOT NULL))
);
ALTER TABLE vendor_match ENABLE ROW LEVEL SECURITY;
ALTER TABLE vendor_match FORCE ROW LEVEL SECURITY;
CREATE POLICY vendor_match_tenant ON vendor_match TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE, DELETE ON vendor_match TO connector_app;
SELECT audit_table('vendor_match', '{company_id, platform_vendor_id}', '{decision, erp_vendor_number, decided_by}',
  'NEW.decision IS NOT NULL', NULL);

-- ===== Reconciliation =================================================================================================

-- When a company is compared with platform and ERP next. No row: not planned yet.
CREATE TABLE reconciliation_schedule (
  installation_id uuid CONSTRAINT reconciliation_schedule_installation_id_pk PRIMARY KEY
    CONSTRAINT reconciliation_schedule_installation_id_fk REFERENCES installation (id),
  -- Of the ERP company, whose night it is; UTC until a run has learned it.
  time_zone text NOT NULL,
  next_run_at timestamptz NOT NULL,
  -- Days after which an open difference is an alarm.
  alert_after_days integer NOT NULL DEFAULT 7
    CONSTRAINT reconciliation_schedule_alert_after_days_ck CHECK (alert_after_days BETWEEN 1 AND 365)
);
CREATE INDEX reconciliation_schedule_next_run_at_ix ON reconciliation_schedule (next_run_at);
ALTER TABLE reconciliation_schedule ENABLE ROW LEVEL SECURITY;
ALTER TABLE reconciliation_schedule FORCE ROW LEVEL SECURITY;
CREATE POLICY reconciliation_schedule_tenant ON reconciliation_schedule TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY reconciliation_schedule_scheduler ON reconciliation_schedule TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON reconciliation_schedule TO connector_app;
GRANT SELECT (installation_id, next_run_at) ON reconciliation_schedule TO connector_scheduler;
SELECT audit_table('reconciliation_schedule', '{installation_id}', '{alert_after_days}');

CREATE TABLE reconciliation_run (
  installation_id uuid NOT NULL CONSTRAINT reconciliation_run_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  -- In the order of their requests; ids are random.
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT reconciliation_run_kind_ck CHECK (kind IN ('period', 'job')),
  reason text NOT NULL CONSTRAINT reconciliation_run_reason_ck CHECK (reason IN ('schedule', 'person', 'job')),
  -- The company's day that a scheduled run is of: one each, whatever the number of replicas.
  window_day date,
  export_job_id uuid,
  -- Jobs that the platform made from (included) to (excluded); also the posting dates in which orphans are looked for.
  period_from timestamptz NOT NULL,
  period_until timestamptz NOT NULL,
  state text NOT NULL CONSTRAINT reconciliation_run_state_ck
    CHECK (state IN ('requested', 'running', 'completed', 'failed')),
  requested_at timestamptz NOT NULL,
  started_at timestamptz,
  finished_at timestamptz,
  -- When a worker may look at it next; moved into the future after a failed attempt.
  next_attempt_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- Who works on it, as in company_lease.
  fence bigint NOT NULL DEFAULT 0,
  lease_until timestamptz NOT NULL DEFAULT '-infinity',
  -- How far it is, so that another worker goes on there.
  progress jsonb NOT NULL DEFAULT '{}',
  jobs integer NOT NULL DEFAULT 0,
  items bigint NOT NULL DEFAULT 0,
  discrepancies integer NOT NULL DEFAULT 0,
  repaired integer NOT NULL DEFAULT 0,
  failure text,
  CONSTRAINT reconciliation_run_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT reconciliation_run_export_job_id_fk FOREIGN KEY (installation_id, export_job_id)
    REFERENCES export_job (installation_id, id),
  CONSTRAINT reconciliation_run_kind_of_job_ck CHECK ((kind = 'job') = (export_job_id IS NOT NULL)),
  CONSTRAINT reconciliation_run_window_day_ck CHECK ((reason = 'schedule') = (window_day IS NOT NULL)),
  CONSTRAINT reconciliation_run_finished_ck CHECK ((state IN ('requested', 'running')) = (finished_at IS NULL)),
  CONSTRAINT reconciliation_run_failure_ck CHECK ((state = 'failed') = (failure IS NOT NULL))
);
CREATE UNIQUE INDEX reconciliation_run_window_day_uq ON reconciliation_run (installation_id, window_day);
CREATE UNIQUE INDEX reconciliation_run_job_uq ON reconciliation_run (installation_id, export_job_id) WHERE reason = 'job';
CREATE INDEX reconciliation_run_open_ix ON reconciliation_run (next_attempt_at) WHERE state IN ('requested', 'running');
CREATE INDEX reconciliation_run_position_ix ON reconciliation_run (installation_id, position DESC);
ALTER TABLE reconciliation_run ENABLE ROW LEVEL SECURITY;
ALTER TABLE reconciliation_run FORCE ROW LEVEL SECURITY;
CREATE POLICY reconciliation_run_tenant ON reconciliation_run TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
-- The scheduler sees which jobs no run has looked at and which runs nobody works on.
CREATE POLICY reconciliation_run_scheduler ON reconciliation_run TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON reconciliation_run TO connector_app;
GRANT SELECT (installation_id, export_job_id, reason, state, next_attempt_at, lease_until) ON reconciliation_run
  TO connector_scheduler;
-- Runs that a person asked for.
SELECT audit_table('reconciliation_run', '{id}', '{kind, period_from, period_until}', $$NEW.reason = 'person'$$);

-- What platform, connector and ERP do not agree about, with what each of them says.
CREATE TABLE discrepancy (
  installation_id uuid NOT NULL CONSTRAINT discrepancy_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  company_id uuid NOT NULL,
  class text NOT NULL,
  -- An accounting entry, a job, or a key of the ERP.
  subject text NOT NULL,
  -- Of the evidence: what was accepted stays accepted until one of the sides says something else.
  fingerprint text NOT NULL,
  accounting_entry_id uuid,
  export_job_id uuid,
  erp_company_id text,
  evidence jsonb NOT NULL,
  currency text,
  amount_minor numeric,
  -- Of the job, or of the posting in the ERP.
  occurred_at timestamptz NOT NULL,
  state text NOT NULL CONSTRAINT discrepancy_state_ck CHECK (state IN ('open', 'accepted', 'repaired')),
  first_seen_at timestamptz NOT NULL,
  last_seen_at timestamptz NOT NULL,
  last_seen_run uuid NOT NULL,
  settled_at timestamptz,
  -- A person, or the connector itself; what was done, and why.
  settled_by text,
  settled_as text,
  note text,
  -- "We may have reversed it": written before the ERP is asked.
  reversal_sent_at timestamptz,
  -- Who wanted the reversal that is under way: it is continued for them when whoever began it was interrupted.
  reversal_requested_by text,
  reexport_id uuid,
  CONSTRAINT discrepancy_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT discrepancy_fingerprint_uq UNIQUE (installation_id, company_id, class, subject, fingerprint),
  CONSTRAINT discrepancy_last_seen_run_fk FOREIGN KEY (installation_id, last_seen_run)
    REFERENCES reconciliation_run (installation_id, id),
  CONSTRAINT discrepancy_reexport_id_fk FOREIGN KEY (installation_id, reexport_id) REFERENCES reexport (installation_id, id),
  CONSTRAINT discrepancy_amount_ck CHECK ((currency IS NULL) = (amount_minor IS NULL)),
  CONSTRAINT discrepancy_settled_ck CHECK ((state = 'open') = (settled_at IS NULL)),
  CONSTRAINT discrepancy_accepted_ck CHECK (state <> 'accepted' OR (note IS NOT NULL AND settled_by IS NOT NULL)),
  CONSTRAINT discrepancy_reversal_ck CHECK (reversal_requested_by IS NULL OR reversal_sent_at IS NOT NULL)
);
CREATE INDEX discrepancy_list_ix ON discrepancy (installation_id, state, first_seen_at, id);
CREATE INDEX discrepancy_export_job_id_ix ON discrepancy (installation_id, export_job_id);
CREATE INDEX discrepancy_reversal_ix ON discrepancy (installation_id, company_id)
  WHERE reversal_requested_by IS NOT NULL AND state = 'open';
-- For the metrics.
CREATE INDEX discrepancy_open_ix ON discrepancy (class) WHERE state = 'open';
ALTER TABLE discrepancy ENABLE ROW LEVEL SECURITY;
ALTER TABLE discrepancy FORCE ROW LEVEL SECURITY;
CREATE POLICY discrepancy_tenant ON discrepancy TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY discrepancy_scheduler ON discrepancy TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON discrepancy TO connector_app;
GRANT SELECT (installation_id, class, state) ON discrepancy TO connector_scheduler;
SELECT audit_table('discrepancy', '{id}', '{state, settled_as, settled_by, note, reversal_sent_at, reexport_id}', NULL);

-- ===== Certificates ===================================================================================================

-- What a job has left in the books, proved once it had ended and was compared with platform and ERP. Each one names the one
-- before it, so that none can be changed, added or taken away later without its being seen.
CREATE TABLE certificate (
  installation_id uuid NOT NULL CONSTRAINT certificate_installation_id_fk REFERENCES installation (id),
  -- From 1, without gaps.
  sequence bigint NOT NULL CONSTRAINT certificate_sequence_ck CHECK (sequence >= 1),
  export_job_id uuid NOT NULL,
  company_id uuid NOT NULL,
  erp_company_id text,
  job_state text NOT NULL,
  mapping_version integer,
  -- How many were announced, and how they ended.
  items jsonb NOT NULL,
  -- Of what was planned, and of what the ERP held of it: entries, totals per currency, digest.
  planned jsonb NOT NULL,
  -- Null: the ERP cannot be searched.
  erp jsonb,
  -- Open ones of the job.
  discrepancies integer NOT NULL CONSTRAINT certificate_discrepancies_ck CHECK (discrepancies >= 0),
  made_at timestamptz NOT NULL,
  -- Null for the first one.
  previous_hash text CONSTRAINT certificate_previous_hash_ck CHECK (previous_hash ~ '^[0-9a-f]{64}$'),
  hash text NOT NULL CONSTRAINT certificate_hash_ck CHECK (hash ~ '^[0-9a-f]{64}$'),
  CONSTRAINT certificate_sequence_pk PRIMARY KEY (installation_id, sequence),
  CONSTRAINT certificate_export_job_id_uq UNIQUE (installation_id, export_job_id),
  CONSTRAINT certificate_export_job_id_fk FOREIGN KEY (installation_id, export_job_id)
    REFERENCES export_job (installation_id, id)
);
ALTER TABLE certificate ENABLE ROW LEVEL SECURITY;
ALTER TABLE certificate FORCE ROW LEVEL SECURITY;
CREATE POLICY certificate_tenant ON certificate TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON certificate TO connector_app;

CREATE FUNCTION check_certificate_chain() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last_sequence bigint;
  last_hash text;
BEGIN
  SELECT sequence, hash INTO last_sequence, last_hash FROM certificate
  WHERE installation_id = NEW.installation_id ORDER BY sequence DESC LIMIT 1;
  IF NEW.sequence <> coalesce(last_sequence, 0) + 1 OR NEW.previous_hash IS DISTINCT FROM last_hash THEN
    RAISE EXCEPTION 'certificate % does not follow the last one', NEW.sequence
      USING ERRCODE = 'check_violation', CONSTRAINT = 'certificate_chain_ck';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER certificate_check_chain BEFORE INSERT ON certificate
  FOR EACH ROW EXECUTE FUNCTION check_certificate_chain();

CREATE FUNCTION keep_certificate() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'a certificate never changes'
    USING ERRCODE = 'check_violation', CONSTRAINT = 'certificate_is_kept_ck';
END
$$;
CREATE TRIGGER certificate_keep BEFORE UPDATE OR DELETE ON certificate
  FOR EACH ROW EXECUTE FUNCTION keep_certificate();
CREATE TRIGGER certificate_keep_all BEFORE TRUNCATE ON certificate EXECUTE FUNCTION keep_certificate();

-- ===== Month ends =====================================================================================================

-- What a job has posted, added up by posting month: of its plans, which are large, this is what a month end reads. The fingerprint
-- is that of the job's postings by their states; where it is another one now, the sums are made anew.
CREATE TABLE job_total (
  installation_id uuid NOT NULL,
  export_job_id uuid NOT NULL,
  fingerprint text NOT NULL,
  -- {company, month, posted, reversed, drafts}, by month of the entry's first posting date.
  months jsonb NOT NULL,
  -- {company, month, currency, account, role, debit, credit} of what is posted and not reversed.
  accounts jsonb NOT NULL,
  CONSTRAINT job_total_export_job_id_pk PRIMARY KEY (installation_id, export_job_id),
  CONSTRAINT job_total_export_job_id_fk FOREIGN KEY (installation_id, export_job_id) REFERENCES export_job (installation_id, id)
);
ALTER TABLE job_total ENABLE ROW LEVEL SECURITY;
ALTER TABLE job_total FORCE ROW LEVEL SECURITY;
CREATE POLICY job_total_tenant ON job_total TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE ON job_total TO connector_app;

-- Months that a person has signed, with the figures as they were. Signing a month again, after it was reopened, is another row.
CREATE TABLE month_sign_off (
  installation_id uuid NOT NULL CONSTRAINT month_sign_off_installation_id_fk REFERENCES installation (id),
  erp_company_id text NOT NULL,
  month text NOT NULL CONSTRAINT month_sign_off_month_ck CHECK (month ~ '^[0-9]{4}-(0[1-9]|1[0-2])$'),
  -- From 1, without gaps.
  sequence integer NOT NULL CONSTRAINT month_sign_off_sequence_ck CHECK (sequence >= 1),
  -- By account and currency: opening, debit and credit of our record and of the ledger.
  figures jsonb NOT NULL,
  -- SHA-256 of them.
  hash text NOT NULL CONSTRAINT month_sign_off_hash_ck CHECK (hash ~ '^[0-9a-f]{64}$'),
  -- Entries of the month that were not in the books; then there is a reason.
  missing_entries integer NOT NULL CONSTRAINT month_sign_off_missing_entries_ck CHECK (missing_entries >= 0),
  reason text CONSTRAINT month_sign_off_reason_ck CHECK (length(reason) BETWEEN 1 AND 1000),
  signed_by text NOT NULL,
  signed_at timestamptz NOT NULL,
  reopened_by text,
  reopened_at timestamptz,
  reopening_reason text CONSTRAINT month_sign_off_reopening_reason_ck CHECK (length(reopening_reason) BETWEEN 1 AND 1000),
  CONSTRAINT month_sign_off_sequence_pk PRIMARY KEY (installation_id, erp_company_id, month, sequence),
  CONSTRAINT month_sign_off_missing_ck CHECK (missing_entries = 0 OR reason IS NOT NULL),
  CONSTRAINT month_sign_off_reopened_ck CHECK ((reopened_at IS NULL) = (reopened_by IS NULL)
    AND (reopened_at IS NULL) = (reopening_reason IS NULL))
);
-- A month is signed once at a time.
CREATE UNIQUE INDEX month_sign_off_signed_uq ON month_sign_off (installation_id, erp_company_id, month) WHERE reopened_at IS NULL;
ALTER TABLE month_sign_off ENABLE ROW LEVEL SECURITY;
ALTER TABLE month_sign_off FORCE ROW LEVEL SECURITY;
CREATE POLICY month_sign_off_tenant ON month_sign_off TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON month_sign_off TO connector_app;
-- What was signed never changes; it is reopened once.
GRANT UPDATE (reopened_by, reopened_at, reopening_reason) ON month_sign_off TO connector_app;
SELECT audit_table('month_sign_off', '{erp_company_id, month, sequence}', '{hash, missing_entries, reason, signed_by,
  reopened_by, reopening_reason}');

CREATE FUNCTION keep_month_sign_off() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the sign-off of % is kept', OLD.month
    USING ERRCODE = 'check_violation', CONSTRAINT = 'month_sign_off_is_kept_ck';
END
$$;
CREATE TRIGGER month_sign_off_keep BEFORE DELETE ON month_sign_off FOR EACH ROW EXECUTE FUNCTION keep_month_sign_off();
CREATE TRIGGER month_sign_off_keep_reopened BEFORE UPDATE ON month_sign_off
  FOR EACH ROW WHEN (OLD.reopened_at IS NOT NULL) EXECUTE FUNCTION keep_month_sign_off();

-- ===== Alerts =========================================================================================================

-- Where an installation's alerts go. No row: nobody is told.
CREATE TABLE alert_setting (
  installation_id uuid CONSTRAINT alert_setting_installation_id_pk PRIMARY KEY
    CONSTRAINT alert_setting_installation_id_fk REFERENCES installation (id),
  version integer NOT NULL CONSTRAINT alert_setting_version_ck CHECK (version >= 1),
  channel text NOT NULL CONSTRAINT alert_setting_channel_ck CHECK (channel IN ('off', 'webhook', 'mail')),
  -- Of the person, or what people are shown of the webhook's.
  address text CONSTRAINT alert_setting_address_ck CHECK (length(address) BETWEEN 1 AND 2048),
  -- The address of a webhook may be all that its receiver asks for: whoever knows it may write there. So it is sealed, as
  -- its secret is.
  sealed_address text,
  -- Signs the webhook's messages; sealed.
  webhook_secret text,
  kinds text[] NOT NULL,
  -- What happened before is not told.
  since timestamptz NOT NULL,
  next_check_at timestamptz NOT NULL,
  -- When test messages were asked for, as far back as their limit looks.
  tested_at timestamptz[] NOT NULL DEFAULT '{}',
  CONSTRAINT alert_setting_channel_address_ck CHECK ((channel = 'off') = (address IS NULL)),
  CONSTRAINT alert_setting_channel_sealed_address_ck CHECK ((channel = 'webhook') = (sealed_address IS NOT NULL)),
  CONSTRAINT alert_setting_channel_secret_ck CHECK ((channel = 'webhook') = (webhook_secret IS NOT NULL))
);
CREATE INDEX alert_setting_next_check_at_ix ON alert_setting (next_check_at) WHERE channel <> 'off';
ALTER TABLE alert_setting ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_setting FORCE ROW LEVEL SECURITY;
CREATE POLICY alert_setting_tenant ON alert_setting TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY alert_setting_scheduler ON alert_setting TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON alert_setting TO connector_app;
GRANT SELECT (installation_id, channel, next_check_at), UPDATE (next_check_at) ON alert_setting TO connector_scheduler;
-- Without the address: it may name a person, or hold a secret.
SELECT audit_table('alert_setting', '{installation_id}', '{version, channel, kinds}');

-- Alerts are on from the beginning: the first admin whose mail address is known is told, until an admin decides otherwise. Here, so that
-- no way to become an admin can forget it.
CREATE FUNCTION tell_first_admin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO alert_setting (installation_id, version, channel, address, kinds, since, next_check_at)
  VALUES (NEW.installation_id, 1, 'mail', NEW.mail, ARRAY['export-failed', 'export-with-errors', 'deadline-near',
    'authorization-needed', 'erp-authorization-needed', 'erp-company-wanted', 'subscription-disabled',
    'discrepancies-overdue', 'in-doubt-posting', 'sync-failed'], clock_timestamp(), clock_timestamp())
  ON CONFLICT (installation_id) DO NOTHING;
  RETURN NULL;
END $$;
CREATE TRIGGER member_tell_first_admin AFTER INSERT OR UPDATE OF role, mail ON member FOR EACH ROW
  WHEN (NEW.role = 'admin' AND NEW.removed_at IS NULL AND NEW.mail IS NOT NULL) EXECUTE FUNCTION tell_first_admin();

-- One reference to be sent, with the same id at every attempt; it tells of one alert or sums up several.
CREATE TABLE alert_message (
  installation_id uuid NOT NULL CONSTRAINT alert_message_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_try_at timestamptz NOT NULL,
  sent_at timestamptz,
  -- When the attempts were used up; nobody tries any more.
  given_up_at timestamptz,
  problem text,
  CONSTRAINT alert_message_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT alert_message_ended_ck CHECK (sent_at IS NULL OR given_up_at IS NULL)
);
CREATE INDEX alert_message_open_ix ON alert_message (installation_id, next_try_at)
  WHERE sent_at IS NULL AND given_up_at IS NULL;
CREATE INDEX alert_message_created_at_ix ON alert_message (installation_id, created_at);
CREATE INDEX alert_message_old_ix ON alert_message (created_at);
ALTER TABLE alert_message ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert_message FORCE ROW LEVEL SECURITY;
CREATE POLICY alert_message_tenant ON alert_message TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
-- The scheduler forgets old alerts and messages, over all tenants.
CREATE POLICY alert_message_scheduler ON alert_message TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON alert_message TO connector_app;
GRANT SELECT (created_at, sent_at, given_up_at), DELETE ON alert_message TO connector_scheduler;

-- What a person should know of, once per fact.
CREATE TABLE alert (
  installation_id uuid NOT NULL CONSTRAINT alert_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  kind text NOT NULL CONSTRAINT alert_kind_ck CHECK (kind IN ('export-failed', 'export-with-errors', 'deadline-near',
    'authorization-needed', 'erp-authorization-needed', 'erp-company-wanted', 'subscription-disabled',
    'discrepancies-overdue', 'in-doubt-posting', 'sync-failed', 'digest-daily', 'digest-weekly')),
  -- Names the fact among those of its kind.
  fact text NOT NULL,
  raised_at timestamptz NOT NULL,
  title text NOT NULL,
  advice text NOT NULL,
  -- What stands in the texts of other languages.
  detail text NOT NULL DEFAULT '' CONSTRAINT alert_detail_ck CHECK (length(detail) <= 1000),
  count integer NOT NULL DEFAULT 1,
  -- Null: it waits until there may be another message.
  message_id uuid,
  CONSTRAINT alert_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT alert_fact_uq UNIQUE (installation_id, kind, fact),
  CONSTRAINT alert_message_id_fk FOREIGN KEY (installation_id, message_id) REFERENCES alert_message (installation_id, id)
);
CREATE INDEX alert_raised_at_ix ON alert (installation_id, raised_at DESC, id DESC);
CREATE INDEX alert_waiting_ix ON alert (installation_id, raised_at) WHERE message_id IS NULL;
CREATE INDEX alert_message_id_ix ON alert (installation_id, message_id);
CREATE INDEX alert_old_ix ON alert (raised_at);
ALTER TABLE alert ENABLE ROW LEVEL SECURITY;
ALTER TABLE alert FORCE ROW LEVEL SECURITY;
CREATE POLICY alert_tenant ON alert TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY alert_scheduler ON alert TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE ON alert TO connector_app;
GRANT SELECT (raised_at), DELETE ON alert TO connector_scheduler;

-- ===== Open pages ======================================================================================================

-- What has changed, for pages that are open: by whoever changed it, once for a change of state or for a statement, never for
-- each item of an export. Kept for two hours; a page that was away for longer reads everything again.
CREATE TABLE page_event (
  installation_id uuid NOT NULL CONSTRAINT page_event_installation_id_fk REFERENCES installation (id),
  -- Its transaction. Events are read up to the oldest transaction that is still open, so that none is passed over.
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  id bigint GENERATED ALWAYS AS IDENTITY,
  kind text NOT NULL CONSTRAINT page_event_kind_ck CHECK (kind IN
    ('job', 'issue', 'reexport', 'sync', 'reconciliation', 'discrepancies', 'certificate', 'alert', 'connection')),
  -- The row that changed; empty where there may be many.
  subject text NOT NULL,
  occurred_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT page_event_id_pk PRIMARY KEY (installation_id, xid, id)
);
CREATE INDEX page_event_xid_ix ON page_event (xid);
CREATE INDEX page_event_occurred_at_ix ON page_event (occurred_at);
ALTER TABLE page_event ENABLE ROW LEVEL SECURITY;
ALTER TABLE page_event FORCE ROW LEVEL SECURITY;
CREATE POLICY page_event_tenant ON page_event TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY page_event_scheduler ON page_event TO connector_scheduler USING (true);
GRANT SELECT, INSERT ON page_event TO connector_app;
GRANT SELECT (installation_id, xid, occurred_at), DELETE ON page_event TO connector_scheduler;

-- Arguments: kind; column of the subject, or its text; column of the installation.
CREATE FUNCTION note_change() RETURNS trigger LANGUAGE plpgsql SET search_path = connector, pg_temp AS $$
DECLARE
  changed constant jsonb := to_jsonb(NEW);
BEGIN
  INSERT INTO page_event (installation_id, kind, subject)
  VALUES ((changed ->> TG_ARGV[2])::uuid, TG_ARGV[0], coalesce(changed ->> TG_ARGV[1], TG_ARGV[1]));
  RETURN NULL;
END
$$;
-- Once for all rows of a statement.
CREATE FUNCTION note_issues() RETURNS trigger LANGUAGE plpgsql SET search_path = connector, pg_temp AS $$
BEGIN
  INSERT INTO page_event (installation_id, kind, subject) SELECT DISTINCT installation_id, 'issue', issue_key FROM changed;
  RETURN NULL;
END
$$;
CREATE FUNCTION note_discrepancies() RETURNS trigger LANGUAGE plpgsql SET search_path = connector, pg_temp AS $$
BEGIN
  INSERT INTO page_event (installation_id, kind, subject) SELECT DISTINCT installation_id, 'discrepancies', '' FROM changed;
  RETURN NULL;
END
$$;
CREATE TRIGGER export_job_note_insert AFTER INSERT ON export_job
  FOR EACH ROW EXECUTE FUNCTION note_change('job', 'id', 'installation_id');
CREATE TRIGGER export_job_note_update AFTER UPDATE ON export_job
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION note_change('job', 'id', 'installation_id');
CREATE TRIGGER reexport_note_insert AFTER INSERT ON reexport
  FOR EACH ROW EXECUTE FUNCTION note_change('reexport', 'id', 'installation_id');
CREATE TRIGGER reexport_note_update AFTER UPDATE ON reexport
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION note_change('reexport', 'id', 'installation_id');
CREATE TRIGGER sync_run_note_insert AFTER INSERT ON sync_run
  FOR EACH ROW EXECUTE FUNCTION note_change('sync', 'id', 'installation_id');
CREATE TRIGGER sync_run_note_update AFTER UPDATE ON sync_run
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION note_change('sync', 'id', 'installation_id');
CREATE TRIGGER reconciliation_run_note_insert AFTER INSERT ON reconciliation_run
  FOR EACH ROW EXECUTE FUNCTION note_change('reconciliation', 'id', 'installation_id');
CREATE TRIGGER reconciliation_run_note_update AFTER UPDATE ON reconciliation_run
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION note_change('reconciliation', 'id', 'installation_id');
CREATE TRIGGER alert_note_insert AFTER INSERT ON alert
  FOR EACH ROW EXECUTE FUNCTION note_change('alert', 'id', 'installation_id');
CREATE TRIGGER certificate_note_insert AFTER INSERT ON certificate
  FOR EACH ROW EXECUTE FUNCTION note_change('certificate', 'export_job_id', 'installation_id');
CREATE TRIGGER installation_note_update AFTER UPDATE ON installation
  FOR EACH ROW WHEN ((OLD.state, OLD.paused_at, OLD.pause_reason) IS DISTINCT FROM (NEW.state, NEW.paused_at, NEW.pause_reason))
  EXECUTE FUNCTION note_change('connection', 'platform', 'id');
CREATE TRIGGER erp_connection_note_insert AFTER INSERT ON erp_connection
  FOR EACH ROW EXECUTE FUNCTION note_change('connection', 'erp', 'installation_id');
-- It is ended, too, or taken up again.
CREATE TRIGGER erp_connection_note_update AFTER UPDATE ON erp_connection
  FOR EACH ROW WHEN ((OLD.state, OLD.ended_at) IS DISTINCT FROM (NEW.state, NEW.ended_at)) EXECUTE FUNCTION note_change('connection', 'erp', 'installation_id');
CREATE TRIGGER failed_entry_note_insert AFTER INSERT ON failed_entry REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_issues();
CREATE TRIGGER failed_entry_note_update AFTER UPDATE ON failed_entry REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_issues();
CREATE TRIGGER issue_handling_note_insert AFTER INSERT ON issue_handling REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_issues();
CREATE TRIGGER issue_handling_note_update AFTER UPDATE ON issue_handling REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_issues();
CREATE TRIGGER discrepancy_note_insert AFTER INSERT ON discrepancy REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_discrepancies();
CREATE TRIGGER discrepancy_note_update AFTER UPDATE ON discrepancy
  FOR EACH ROW WHEN (OLD.state IS DISTINCT FROM NEW.state) EXECUTE FUNCTION note_change('discrepancies', '', 'installation_id');

-- ===== Operations =====================================================================================================

-- When a worker last did what the schedule told it: one row for all processes, as of the intake.
CREATE TABLE worker_heartbeat (
  singleton boolean CONSTRAINT worker_heartbeat_singleton_pk PRIMARY KEY DEFAULT true
    CONSTRAINT worker_heartbeat_singleton_ck CHECK (singleton),
  last_beat_at timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON worker_heartbeat TO connector_scheduler;

-- Who works, and who was told to take nothing more.
CREATE TABLE worker_process (
  id uuid CONSTRAINT worker_process_id_pk PRIMARY KEY,
  host text NOT NULL,
  pid integer NOT NULL,
  started_at timestamptz NOT NULL,
  last_beat_at timestamptz NOT NULL,
  -- Tasks that it does now.
  running integer NOT NULL,
  drain_requested_at timestamptz,
  drain_requested_by text,
  CONSTRAINT worker_process_drain_ck CHECK ((drain_requested_at IS NULL) = (drain_requested_by IS NULL))
);
CREATE INDEX worker_process_last_beat_at_ix ON worker_process (last_beat_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_process TO connector_scheduler;

-- Who told a worker to take nothing more, and when: written by a trigger, append-only, and longer there than the worker's row.
CREATE TABLE worker_drain_entry (
  position bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT worker_drain_entry_position_pk PRIMARY KEY,
  occurred_at timestamptz NOT NULL,
  actor text NOT NULL,
  worker_id uuid NOT NULL,
  host text NOT NULL,
  pid integer NOT NULL
);
CREATE FUNCTION record_worker_drain() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = connector, pg_temp AS $$
BEGIN
  INSERT INTO worker_drain_entry (occurred_at, actor, worker_id, host, pid)
  VALUES (NEW.drain_requested_at, NEW.drain_requested_by, NEW.id, NEW.host, NEW.pid);
  RETURN NULL;
END
$$;
CREATE TRIGGER worker_process_record AFTER UPDATE OF drain_requested_at ON worker_process FOR EACH ROW
  WHEN (NEW.drain_requested_at IS DISTINCT FROM OLD.drain_requested_at AND NEW.drain_requested_at IS NOT NULL)
  EXECUTE FUNCTION record_worker_drain();
CREATE TRIGGER worker_drain_entry_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON worker_drain_entry
  EXECUTE FUNCTION refuse_audit_change();

-- A task whose attempts were used up. What there is to do stands in other tables, so the next look may do it all the same: a task
-- that succeeds takes its row away.
CREATE TABLE failed_task (
  installation_id uuid NOT NULL CONSTRAINT failed_task_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  kind text NOT NULL,
  payload jsonb NOT NULL,
  failed_at timestamptz NOT NULL,
  -- How often all attempts were used up.
  failures integer NOT NULL DEFAULT 1,
  problem text NOT NULL CONSTRAINT failed_task_problem_ck CHECK (length(problem) <= 500),
  CONSTRAINT failed_task_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT failed_task_payload_uq UNIQUE (installation_id, kind, payload)
);
CREATE INDEX failed_task_failed_at_ix ON failed_task (failed_at, id);
ALTER TABLE failed_task ENABLE ROW LEVEL SECURITY;
ALTER TABLE failed_task FORCE ROW LEVEL SECURITY;
CREATE POLICY failed_task_tenant ON failed_task TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
CREATE POLICY failed_task_scheduler ON failed_task TO connector_scheduler USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON failed_task TO connector_app;
GRANT SELECT, DELETE ON failed_task TO connector_scheduler;

-- What an operator did by hand to a customer.
CREATE TABLE operator_action (
  installation_id uuid NOT NULL CONSTRAINT operator_action_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  action text NOT NULL CONSTRAINT operator_action_action_ck CHECK (action IN
    ('paused', 'resumed', 'job-retried', 'task-replayed', 'message-replayed')),
  -- The company, the job, the kind of the task, or the message.
  target text NOT NULL,
  reason text CONSTRAINT operator_action_reason_ck CHECK (length(reason) BETWEEN 1 AND 300),
  CONSTRAINT operator_action_id_pk PRIMARY KEY (installation_id, id)
);
ALTER TABLE operator_action ENABLE ROW LEVEL SECURITY;
ALTER TABLE operator_action FORCE ROW LEVEL SECURITY;
CREATE POLICY operator_action_tenant ON operator_action TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON operator_action TO connector_app;
SELECT audit_table('operator_action', '{id}', '{action, target, reason}');

-- A process says that it is not ready while the schema is older than its code.
GRANT SELECT ON migration TO connector_app;

DO $$
DECLARE ours regprocedure;
BEGIN
  -- Nobody else makes triggers of our functions; the triggers that exist need no right to execute them.
  FOR ours IN SELECT oid FROM pg_proc WHERE pronamespace = 'connector'::regnamespace AND prorettype = 'trigger'::regtype LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', ours);
  END LOOP;
  -- Nothing of ours makes temporary tables. Only the database's owner can say so.
  IF (SELECT pg_has_role(current_user, datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) THEN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  END IF;
END
$$;

-- migrate:down

-- The roles stay, because other databases of the server may use them. So does what is stricter about the database itself:
-- nothing needs it otherwise, and it may have been so before.
REVOKE SELECT ON migration FROM connector_app;
DROP TABLE operator_action, failed_task, worker_process, worker_drain_entry, worker_heartbeat;
DROP FUNCTION record_worker_drain();
DROP TABLE page_event;
DROP TABLE alert, alert_message, alert_setting;
DROP TABLE month_sign_off, job_total;
DROP TABLE certificate;
DROP TABLE discrepancy, reconciliation_run, reconciliation_schedule;
DROP TABLE vendor_match, sync_record, sync_run, dimension_choice, sync_schedule;
DROP TABLE reexport, preview_entry, preview, issue_handling, failed_entry, issue;
DROP FUNCTION reference_missing(uuid, uuid, integer, uuid);
DROP TABLE outbox, receipt, posting_resolution, uncertain_posting, posting_intent, plan_chunk, item_chunk, export_item, export_job, company_lease;
DROP TABLE drift_target, drift_check, mapping_rule, mapping_version;
DROP TABLE intake_heartbeat, quarantined_notification, notification;
DROP TABLE request_quota, download, operator_idempotency_key, idempotency_key;
DROP TABLE operator_session, operator_token_entry, operator_token, api_token, member_session, first_admin_code, member;
DROP TABLE request_budget, test_posting, erp_company_claim, erp_company_link, erp_request_share, erp_request_budget, rate_table, erp_value, erp_sign_in, erp_connection, connection_attempt, subscription, credential, data_key;
DROP TABLE audit_entry, audit_head, installation;
DROP FUNCTION tell_first_admin();
DROP FUNCTION note_change(), note_issues(), note_discrepancies();
DROP FUNCTION keep_month_sign_off();
DROP FUNCTION keep_certificate(), check_certificate_chain();
DROP FUNCTION check_references_of_added_intents(), check_references_of_changed_intent(), refuse_missing_reference(text),
  check_jobs_of_items(), refuse_other_key();
DROP FUNCTION count_added_items(), count_changed_items(), sum_by_currency(jsonb, jsonb), hundredths_of(jsonb);
DROP FUNCTION note_uncertain_posting(), forget_uncertain_posting(), doubt_sent_postings();
DROP FUNCTION check_posting_intent_transition(), check_posting_intent_revision(), keep_posted_intent(),
  check_export_item_transition(), check_export_job_transition();
DROP FUNCTION require_job_change(bigint, uuid, text);
DROP FUNCTION require_lease(bigint);
DROP FUNCTION check_mapping_version_is_new(), keep_mapping_rule();
DROP FUNCTION record_operator_token(), check_audit_head(), refuse_audit_change(), audit_table(regclass, text[], text[], text, text),
  move_audit_head(), audit_change(), pick_columns(jsonb, text[]);
DROP FUNCTION current_installation();
REVOKE USAGE ON SCHEMA connector FROM connector_app, connector_scheduler;
