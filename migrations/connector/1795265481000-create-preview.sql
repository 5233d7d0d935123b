-- migrate:up

-- What somebody was shown: kept for a day, so that exactly this can be committed. Nothing was done when it was made.
CREATE TABLE preview (
  installation_id uuid NOT NULL CONSTRAINT preview_installation_id_fk REFERENCES installation (id),
  id uuid NOT NULL,
  -- The job it is of; null for items that were handed in.
  export_job_id uuid,
  source text NOT NULL CONSTRAINT preview_source_ck CHECK (source IN ('platform', 'kept', 'handed-in')),
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

DO $$
DECLARE tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY['preview', 'preview_entry'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY %I ON %I TO connector_app USING (installation_id = current_installation())
      WITH CHECK (installation_id = current_installation())', tenant_table || '_tenant', tenant_table);
    EXECUTE format('GRANT SELECT, INSERT, DELETE ON %I TO connector_app', tenant_table);
  END LOOP;
END
$$;

-- migrate:down
DROP TABLE preview_entry, preview;
