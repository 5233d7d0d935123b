-- migrate:up

-- How many groups of a company, and tags of a group, may be active at once. The platform has such limits but does not
-- publish the second one; /control changes both.
ALTER TABLE simulator_state
  ADD COLUMN most_active_tag_groups integer NOT NULL DEFAULT 5
    CONSTRAINT simulator_state_most_active_tag_groups_ck CHECK (most_active_tag_groups > 0),
  ADD COLUMN most_active_tags integer NOT NULL DEFAULT 10000
    CONSTRAINT simulator_state_most_active_tags_ck CHECK (most_active_tags > 0);

ALTER TABLE employee
  ADD COLUMN position bigint GENERATED ALWAYS AS IDENTITY,
  ADD COLUMN job_title text,
  ADD COLUMN phone text;

CREATE TABLE account (
  id uuid CONSTRAINT account_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT account_company_id_fk REFERENCES company (id),
  external_id text NOT NULL CONSTRAINT account_external_id_ck CHECK (length(external_id) BETWEEN 1 AND 255),
  name text NOT NULL CONSTRAINT account_name_ck CHECK (length(name) <= 255),
  code text CONSTRAINT account_code_ck CHECK (length(code) <= 255),
  archived boolean NOT NULL,
  -- A word of the accounting system; nothing has to stand under it.
  tax_code_external_id text,
  accounting_system text,
  metadata jsonb CONSTRAINT account_metadata_ck CHECK (jsonb_typeof(metadata) = 'object'),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT account_company_id_external_id_uq UNIQUE (company_id, external_id)
);
CREATE INDEX account_company_id_position_ix ON account (company_id, position);

CREATE TABLE tax_code (
  id uuid CONSTRAINT tax_code_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT tax_code_company_id_fk REFERENCES company (id),
  name text NOT NULL,
  code text,
  -- A share: 0.25 is 25 %.
  rate numeric NOT NULL CONSTRAINT tax_code_rate_ck CHECK (rate BETWEEN 0 AND 1),
  type text NOT NULL CONSTRAINT tax_code_type_ck CHECK (type IN ('inclusive', 'exclusive', 'reverse')),
  archived boolean NOT NULL,
  ingoing_tax_account text,
  outgoing_tax_account text,
  accounting_integration_system text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE INDEX tax_code_company_id_position_ix ON tax_code (company_id, position);

CREATE TABLE vendor (
  id uuid CONSTRAINT vendor_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT vendor_company_id_fk REFERENCES company (id),
  state text NOT NULL CONSTRAINT vendor_state_ck CHECK (state IN ('DRAFT', 'ACTIVE', 'ARCHIVED')),
  name text NOT NULL CONSTRAINT vendor_name_ck CHECK (name <> ''),
  default_currency text NOT NULL CONSTRAINT vendor_default_currency_ck CHECK (default_currency ~ '^[A-Z]{3}$'),
  country text NOT NULL CONSTRAINT vendor_country_ck CHECK (country ~ '^([A-Z]{2}|UNDEFINED)$'),
  code text,
  external_id text CONSTRAINT vendor_external_id_ck CHECK (external_id <> ''),
  registration_number text,
  tax_registration_number text,
  accounting_system text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX vendor_company_id_external_id_uq ON vendor (company_id, external_id)
  WHERE external_id IS NOT NULL;
CREATE INDEX vendor_company_id_position_ix ON vendor (company_id, position);

CREATE TABLE tag_group (
  id uuid CONSTRAINT tag_group_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT tag_group_company_id_fk REFERENCES company (id),
  name text NOT NULL,
  -- Two groups may have the same code; integrations have to cope with it.
  code text NOT NULL,
  archived boolean NOT NULL,
  metadata jsonb NOT NULL CONSTRAINT tag_group_metadata_ck CHECK (jsonb_typeof(metadata) = 'object'),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Lets tags carry their company, and be of no other company than their group.
  CONSTRAINT tag_group_company_id_id_uq UNIQUE (company_id, id)
);

CREATE TABLE tag (
  id uuid CONSTRAINT tag_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL,
  group_id uuid NOT NULL,
  name text,
  code text NOT NULL,
  archived boolean NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT tag_company_id_group_id_fk FOREIGN KEY (company_id, group_id)
    REFERENCES tag_group (company_id, id) ON DELETE CASCADE,
  CONSTRAINT tag_group_id_code_uq UNIQUE (group_id, code),
  CONSTRAINT tag_group_id_id_uq UNIQUE (group_id, id)
);
CREATE INDEX tag_company_id_position_ix ON tag (company_id, position);
CREATE INDEX tag_group_id_position_ix ON tag (group_id, position);

-- What a group's tags say besides name and code.
CREATE TABLE tag_dimension (
  id uuid CONSTRAINT tag_dimension_id_pk PRIMARY KEY,
  group_id uuid NOT NULL CONSTRAINT tag_dimension_group_id_fk REFERENCES tag_group (id) ON DELETE CASCADE,
  name text NOT NULL,
  code text NOT NULL,
  visible boolean NOT NULL,
  display_order integer NOT NULL CONSTRAINT tag_dimension_display_order_ck CHECK (display_order > 0),
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT tag_dimension_group_id_id_uq UNIQUE (group_id, id)
);

CREATE TABLE tag_dimension_value (
  group_id uuid NOT NULL,
  tag_id uuid NOT NULL,
  dimension_id uuid NOT NULL,
  value text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT tag_dimension_value_tag_id_dimension_id_pk PRIMARY KEY (tag_id, dimension_id),
  -- The group stands in both keys: a tag has values of its own group's dimensions only.
  CONSTRAINT tag_dimension_value_tag_id_fk FOREIGN KEY (group_id, tag_id)
    REFERENCES tag (group_id, id) ON DELETE CASCADE,
  CONSTRAINT tag_dimension_value_dimension_id_fk FOREIGN KEY (group_id, dimension_id)
    REFERENCES tag_dimension (group_id, id) ON DELETE CASCADE
);
CREATE INDEX tag_dimension_value_dimension_id_ix ON tag_dimension_value (group_id, dimension_id);

-- migrate:down
DROP TABLE tag_dimension_value;
DROP TABLE tag_dimension;
DROP TABLE tag;
DROP TABLE tag_group;
DROP TABLE vendor;
DROP TABLE tax_code;
DROP TABLE account;
ALTER TABLE employee DROP COLUMN position, DROP COLUMN job_title, DROP COLUMN phone;
ALTER TABLE simulator_state DROP COLUMN most_active_tag_groups, DROP COLUMN most_active_tags;
