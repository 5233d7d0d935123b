-- migrate:up

-- Every saved configuration is a new row that never changes, so that a job can name the one it was mapped with (I21).
CREATE TABLE mapping_version (
  installation_id uuid NOT NULL CONSTRAINT mapping_version_installation_id_fk REFERENCES installation (id),
  version integer NOT NULL CONSTRAINT mapping_version_version_ck CHECK (version > 0),
  settings jsonb NOT NULL,
  author text NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT mapping_version_version_pk PRIMARY KEY (installation_id, version)
);
ALTER TABLE mapping_version ENABLE ROW LEVEL SECURITY;
ALTER TABLE mapping_version FORCE ROW LEVEL SECURITY;
CREATE POLICY mapping_version_tenant ON mapping_version TO connector_app
  USING (installation_id = current_installation()) WITH CHECK (installation_id = current_installation());
GRANT SELECT, INSERT ON mapping_version TO connector_app;

-- migrate:down
DROP TABLE mapping_version;
