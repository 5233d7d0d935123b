-- migrate:up

-- When the ERP was last compared with what the mapping points at.
CREATE TABLE drift_check (
  installation_id uuid NOT NULL CONSTRAINT drift_check_installation_id_fk REFERENCES installation (id),
  checked_at timestamptz,
  next_check_at timestamptz NOT NULL,
  CONSTRAINT drift_check_installation_id_pk PRIMARY KEY (installation_id)
);

-- What the mapping points at, as the ERP had it at the last check, and since when it is so.
CREATE TABLE drift_target (
  installation_id uuid NOT NULL CONSTRAINT drift_target_installation_id_fk REFERENCES installation (id),
  kind text NOT NULL CONSTRAINT drift_target_kind_ck CHECK (kind IN ('account', 'tax-code', 'dimension-value', 'vendor')),
  -- Of a dimension value: its dimension; else empty.
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

DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['drift_check', 'drift_target'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY %I ON %I TO connector_app USING (installation_id = current_installation())
      WITH CHECK (installation_id = current_installation())', tenant_table || '_tenant', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, UPDATE, DELETE ON %I TO connector_app', tenant_table);
  END LOOP;
END
$$;
CREATE POLICY drift_check_scheduler ON drift_check TO connector_scheduler USING (true);
GRANT SELECT (installation_id, next_check_at) ON drift_check TO connector_scheduler;

-- migrate:down
DROP TABLE drift_target, drift_check;
