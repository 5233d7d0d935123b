-- migrate:up

-- Who changed what, and when, of everything a person or a dispute may ask about (I30). Entries are written by triggers, so
-- that no use case can forget one, and in the transaction of the change, so that there is none without the other.
-- A migration that changes rows of an audited table and its columns too says SET CONSTRAINTS ALL IMMEDIATE in between.

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
  -- A token, a person, the operator, a step of the connector, or a user of the database.
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

CREATE FUNCTION pick_columns(source jsonb, names text[]) RETURNS json LANGUAGE sql IMMUTABLE
  RETURN (SELECT json_object_agg(name, source -> name ORDER BY place) FROM unnest(names) WITH ORDINALITY AS t (name, place));

-- Arguments: the columns that name the row, and those that are recorded. Runs as its owner: the application writes no
-- entry by itself. Its plans are made while the table is small and used while it grows, so they have to go by the key.
CREATE FUNCTION audit_change() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
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
CREATE FUNCTION move_audit_head() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT
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
  removed_when text DEFAULT 'true') RETURNS void LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
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

DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['audit_head', 'audit_entry'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY %I ON %I TO connector_app USING (installation_id = current_installation())
      WITH CHECK (installation_id = current_installation())', tenant_table || '_tenant', tenant_table);
    -- For audit_change(), which takes the tenant from the row that was changed.
    EXECUTE format('CREATE POLICY %I ON %I TO CURRENT_USER USING (true) WITH CHECK (true)', tenant_table || '_owner',
      tenant_table);
    EXECUTE format('GRANT SELECT ON %I TO connector_app', tenant_table);
  END LOOP;
END
$$;

SELECT audit_table('installation', '{id}', '{platform_company_id, company_name, generation, state, erp_company_id,
  platform_organization_id, access_level, connection_problem, activated_at, uninstalled_at}');
SELECT audit_table('erp_company_link', '{erp_company_id}', '{erp_company_id}');
-- Of what is secret only that it changed: the version of a credential, the day of a subscription's secret.
SELECT audit_table('credential', '{installation_id}', '{version, kind, presentation, expires_at}');
SELECT audit_table('data_key', '{installation_id}', '{ring_key_id}');
SELECT audit_table('subscription', '{installation_id}', '{platform_subscription_id, timestamp_meaning, wanted_status,
  confirmed_status, header_confirmed, secret_since, previous_secret_until, rotation_requested_at}');
SELECT audit_table('api_token', '{id}', '{role, label, expires_at, made_by}');
SELECT audit_table('member', '{id}', '{display_name, role}');
SELECT audit_table('member_session', '{member_id}', '{ends_at}');
SELECT audit_table('mapping_version', '{version}', '{action, author, reason, restored_from, settings_changed, settings,
  rule_count, rules_added, rules_changed, rules_removed}');
SELECT audit_table('dimension_choice', '{installation_id}', '{version, codes, chosen_by}');
SELECT audit_table('vendor_match', '{company_id, platform_vendor_id}', '{decision, erp_vendor_number, decided_by}',
  'NEW.decision IS NOT NULL', NULL);
SELECT audit_table('export_job', '{id}', '{state, number_of_items, mapping_version, erp_company_id, failure_type}');
SELECT audit_table('reexport', '{id}', '{state, cause_key, preview_id, mapping_version, export_job_id, problem, asked_by}');
SELECT audit_table('posting_resolution', '{erp_company_id, accounting_entry_id, revision}', '{outcome, external_id, note,
  resolved_by}');
SELECT audit_table('difference', '{id}', '{state, settled_as, settled_by, note, reversal_sent_at, reexport_id}', NULL);
SELECT audit_table('reconciliation_turn', '{installation_id}', '{alert_after_days}');
-- Without the address: it may name a person, or hold a secret.
SELECT audit_table('alert_setting', '{installation_id}', '{version, channel, kinds}');
-- Runs that a person asked for.
SELECT audit_table('reconciliation_run', '{id}', '{kind, period_from, period_until}', $$NEW.reason = 'person'$$);
SELECT audit_table('sync_run', '{id}', '{kind, is_preview}', $$NEW.reason = 'person'$$, NULL);
SELECT audit_table('quarantined_notification', '{id}', '{taken_at}', NULL);

-- migrate:down
DO $$
DECLARE audit_trigger record;
BEGIN
  FOR audit_trigger IN SELECT tgname, tgrelid::regclass AS audited FROM pg_trigger WHERE tgfoid = 'audit_change'::regproc LOOP
    EXECUTE format('DROP TRIGGER %I ON %s', audit_trigger.tgname, audit_trigger.audited);
  END LOOP;
END
$$;
DROP TABLE audit_entry, audit_head;
DROP FUNCTION audit_table(regclass, text[], text[], text, text);
DROP FUNCTION audit_change();
DROP FUNCTION move_audit_head();
DROP FUNCTION pick_columns(jsonb, text[]);
DROP FUNCTION check_audit_head();
DROP FUNCTION refuse_audit_change();
