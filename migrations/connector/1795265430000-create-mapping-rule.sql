-- migrate:up

-- What a person reads in the history of the mapping; the counts are those of the change that made the version.
ALTER TABLE mapping_version
  ADD COLUMN action text NOT NULL DEFAULT 'settings'
    CONSTRAINT mapping_version_action_ck CHECK (action IN ('settings', 'rules', 'import', 'restore')),
  ADD COLUMN reason text CONSTRAINT mapping_version_reason_ck CHECK (length(reason) BETWEEN 1 AND 500),
  ADD COLUMN restored_from integer,
  ADD COLUMN settings_changed boolean NOT NULL DEFAULT true,
  ADD COLUMN rule_count integer NOT NULL DEFAULT 0,
  ADD COLUMN rules_added integer NOT NULL DEFAULT 0,
  ADD COLUMN rules_changed integer NOT NULL DEFAULT 0,
  ADD COLUMN rules_removed integer NOT NULL DEFAULT 0,
  ADD CONSTRAINT mapping_version_restored_from_fk FOREIGN KEY (installation_id, restored_from)
    REFERENCES mapping_version (installation_id, version),
  ADD CONSTRAINT mapping_version_restored_from_ck CHECK ((action = 'restore') = (restored_from IS NOT NULL)
    AND restored_from < version);

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

ALTER TABLE mapping_rule ENABLE ROW LEVEL SECURITY;
ALTER TABLE mapping_rule FORCE ROW LEVEL SECURITY;
CREATE POLICY mapping_rule_tenant ON mapping_rule TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT, UPDATE (until_version) ON mapping_rule TO connector_app;

-- migrate:down

-- Fails while there are rules: without them the versions that exports were booked with could not be explained.
DO $$
BEGIN
  IF EXISTS (SELECT FROM mapping_rule) THEN
    RAISE EXCEPTION 'there are mapping rules';
  END IF;
END
$$;
DROP TABLE mapping_rule;
DROP FUNCTION check_mapping_version_is_new();
DROP FUNCTION keep_mapping_rule();
ALTER TABLE mapping_version
  DROP CONSTRAINT mapping_version_restored_from_ck,
  DROP CONSTRAINT mapping_version_restored_from_fk,
  DROP COLUMN rules_removed,
  DROP COLUMN rules_changed,
  DROP COLUMN rules_added,
  DROP COLUMN rule_count,
  DROP COLUMN settings_changed,
  DROP COLUMN restored_from,
  DROP COLUMN reason,
  DROP COLUMN action;
