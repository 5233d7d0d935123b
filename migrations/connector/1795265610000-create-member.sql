-- migrate:up

-- The people of an installation, as the platform names them. Who signs in first is its admin, later ones are viewers.
CREATE TABLE member (
  installation_id uuid NOT NULL CONSTRAINT member_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  subject text NOT NULL CONSTRAINT member_subject_ck CHECK (length(subject) BETWEEN 1 AND 255),
  display_name text CONSTRAINT member_display_name_ck CHECK (length(display_name) BETWEEN 1 AND 255),
  role text NOT NULL CONSTRAINT member_role_ck CHECK (role IN ('viewer', 'bookkeeper', 'admin')),
  created_at timestamptz NOT NULL,
  signed_in_at timestamptz NOT NULL,
  CONSTRAINT member_id_pk PRIMARY KEY (installation_id, id),
  CONSTRAINT member_subject_uq UNIQUE (installation_id, subject)
);
CREATE INDEX member_created_at_ix ON member (installation_id, created_at, id);

-- Who is signed in. Of the id in the browser's cookie only a hash is kept.
CREATE TABLE member_session (
  installation_id uuid NOT NULL,
  id_hash bytea NOT NULL CONSTRAINT member_session_id_hash_uq UNIQUE,
  member_id uuid NOT NULL,
  -- Half an hour after its last use it is over.
  used_at timestamptz NOT NULL,
  -- And then in any case.
  ends_at timestamptz NOT NULL,
  CONSTRAINT member_session_id_hash_pk PRIMARY KEY (installation_id, id_hash),
  CONSTRAINT member_session_member_id_fk FOREIGN KEY (installation_id, member_id)
    REFERENCES member (installation_id, id) ON DELETE CASCADE
);
CREATE INDEX member_session_member_id_ix ON member_session (installation_id, member_id);

DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['member', 'member_session'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY %I ON %I TO connector_app USING (installation_id = current_installation())
      WITH CHECK (installation_id = current_installation())', tenant_table || '_tenant', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON %I TO connector_app', tenant_table);
  END LOOP;
END
$$;
GRANT UPDATE (display_name, role, signed_in_at) ON member TO connector_app;
GRANT UPDATE (used_at) ON member_session TO connector_app;
CREATE POLICY member_session_scheduler ON member_session TO connector_scheduler USING (true);
GRANT SELECT (installation_id, id_hash) ON member_session TO connector_scheduler;

ALTER TABLE api_token
  -- Its first characters, so that people can tell which one they hold; unset in tokens made before.
  ADD COLUMN prefix text CONSTRAINT api_token_prefix_ck CHECK (length(prefix) = 8),
  -- To the minute.
  ADD COLUMN last_used_at timestamptz,
  -- Whose role it never exceeds and with whom it goes; unset: the operator made it.
  ADD COLUMN made_by uuid,
  ADD CONSTRAINT api_token_made_by_fk FOREIGN KEY (installation_id, made_by)
    REFERENCES member (installation_id, id) ON DELETE CASCADE;
CREATE INDEX api_token_made_by_ix ON api_token (installation_id, made_by);
GRANT UPDATE (last_used_at) ON api_token TO connector_app;

ALTER TABLE connection_attempt
  ADD COLUMN purpose text NOT NULL DEFAULT 'connect'
    CONSTRAINT connection_attempt_purpose_ck CHECK (purpose IN ('connect', 'sign-in')),
  -- Who came with an organization's consent, until the person has picked one of its companies.
  ADD COLUMN arrival text,
  ADD CONSTRAINT connection_attempt_arrival_ck CHECK (arrival IS NULL OR (purpose = 'sign-in' AND used_at IS NOT NULL));

-- migrate:down
ALTER TABLE connection_attempt
  DROP CONSTRAINT connection_attempt_arrival_ck,
  DROP COLUMN arrival,
  DROP COLUMN purpose;
REVOKE UPDATE (last_used_at) ON api_token FROM connector_app;
DROP INDEX api_token_made_by_ix;
ALTER TABLE api_token
  DROP CONSTRAINT api_token_made_by_fk,
  DROP COLUMN made_by,
  DROP COLUMN last_used_at,
  DROP COLUMN prefix;
DROP TABLE member_session, member;
