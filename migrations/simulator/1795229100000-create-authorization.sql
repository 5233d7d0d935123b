-- migrate:up

-- What the whole simulator shares; one row.
CREATE TABLE simulator_state (
  id boolean CONSTRAINT simulator_state_id_pk PRIMARY KEY DEFAULT true CONSTRAINT simulator_state_id_ck CHECK (id),
  clock_offset_ms bigint NOT NULL DEFAULT 0,
  retry_schedule text NOT NULL DEFAULT 'nine_attempts'
    CONSTRAINT simulator_state_retry_schedule_ck CHECK (retry_schedule IN ('nine_attempts', 'eight_attempts')),
  webhook_time text NOT NULL DEFAULT 'system'
    CONSTRAINT simulator_state_webhook_time_ck CHECK (webhook_time IN ('system', 'simulator')),
  largest_page integer NOT NULL DEFAULT 100,
  signing_key jsonb,
  cookie_key text
);
INSERT INTO simulator_state DEFAULT VALUES;

CREATE TABLE company (
  id uuid CONSTRAINT company_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  organization_id uuid NOT NULL,
  name text NOT NULL,
  registration_number text,
  time_zone text NOT NULL,
  address jsonb NOT NULL,
  multi_currency boolean NOT NULL,
  -- Currency code → the account shown as contraAccount for it.
  contra_accounts jsonb NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX company_organization_id_ix ON company (organization_id);

CREATE TABLE employee (
  id uuid CONSTRAINT employee_id_pk PRIMARY KEY,
  company_id uuid NOT NULL CONSTRAINT employee_company_id_fk REFERENCES company (id),
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  code text,
  created_at timestamptz NOT NULL
);
CREATE INDEX employee_company_id_ix ON employee (company_id);

CREATE TABLE oauth_client (
  client_id text CONSTRAINT oauth_client_client_id_pk PRIMARY KEY,
  application_id uuid NOT NULL CONSTRAINT oauth_client_application_id_uq UNIQUE,
  client_secret text NOT NULL,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL
);

-- Sessions, consents, codes and refresh tokens of the authorization server. Times inside are the simulator's.
CREATE TABLE oauth_record (
  model text NOT NULL,
  id text NOT NULL,
  payload jsonb NOT NULL,
  grant_id text,
  uid text,
  consumed boolean NOT NULL DEFAULT false,
  CONSTRAINT oauth_record_model_id_pk PRIMARY KEY (model, id)
);
CREATE INDEX oauth_record_grant_id_ix ON oauth_record (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_record_uid_ix ON oauth_record (model, uid) WHERE uid IS NOT NULL;

CREATE TABLE api_key (
  id uuid CONSTRAINT api_key_id_pk PRIMARY KEY,
  key_digest text NOT NULL CONSTRAINT api_key_key_digest_uq UNIQUE,
  application_id uuid NOT NULL,
  name text NOT NULL,
  company_id uuid CONSTRAINT api_key_company_id_fk REFERENCES company (id),
  organization_id uuid,
  scopes text[] NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT api_key_company_id_organization_id_ck CHECK (num_nonnulls(company_id, organization_id) = 1)
);
CREATE INDEX api_key_company_id_ix ON api_key (company_id);

CREATE TABLE installation (
  id uuid CONSTRAINT installation_id_pk PRIMARY KEY,
  application_id uuid NOT NULL,
  -- URN of the company or organization it was installed for.
  resource text NOT NULL,
  status text NOT NULL CONSTRAINT installation_status_ck
    CHECK (status IN ('AUTHORIZED', 'PENDING_INTEGRATION', 'ACTIVATED', 'INACTIVE', 'ERROR')),
  error_code text,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX installation_application_id_resource_uq ON installation (application_id, resource)
  WHERE deleted_at IS NULL;

-- Which installation a person's consent made; one consent is the root of one family of tokens.
CREATE TABLE consent (
  grant_id text CONSTRAINT consent_grant_id_pk PRIMARY KEY,
  installation_id uuid NOT NULL CONSTRAINT consent_installation_id_fk REFERENCES installation (id),
  company_id uuid NOT NULL CONSTRAINT consent_company_id_fk REFERENCES company (id)
);
CREATE INDEX consent_installation_id_ix ON consent (installation_id);
CREATE INDEX consent_company_id_ix ON consent (company_id);

-- migrate:down
DROP TABLE consent;
DROP TABLE installation;
DROP TABLE api_key;
DROP TABLE oauth_record;
DROP TABLE oauth_client;
DROP TABLE employee;
DROP TABLE company;
DROP TABLE simulator_state;
