-- migrate:up

-- ===== Simulator ======================================================================================================

-- What the whole simulator shares; one row.
CREATE TABLE simulator_state (
  id boolean CONSTRAINT simulator_state_id_pk PRIMARY KEY DEFAULT true CONSTRAINT simulator_state_id_ck CHECK (id),
  clock_offset_ms bigint NOT NULL DEFAULT 0,
  largest_page integer NOT NULL DEFAULT 100,
  -- Requests of one credential in a minute; null: no limit.
  requests_per_minute integer
    CONSTRAINT simulator_state_requests_per_minute_ck CHECK (requests_per_minute > 0),
  signing_key jsonb,
  cookie_key text,
  refresh_rotation text NOT NULL DEFAULT 'family'
    CONSTRAINT simulator_state_refresh_rotation_ck CHECK (refresh_rotation IN ('none', 'grace', 'strict', 'family')),
  refresh_grace_seconds integer NOT NULL DEFAULT 60
    CONSTRAINT simulator_state_refresh_grace_seconds_ck CHECK (refresh_grace_seconds >= 0),
  retry_schedule text NOT NULL DEFAULT 'nine_attempts'
    CONSTRAINT simulator_state_retry_schedule_ck CHECK (retry_schedule IN ('nine_attempts', 'eight_attempts')),
  -- Largest share of a delay, in percent, by which an attempt comes earlier or later.
  retry_jitter_percent integer NOT NULL DEFAULT 0
    CONSTRAINT simulator_state_retry_jitter_percent_ck CHECK (retry_jitter_percent BETWEEN 0 AND 50),
  retry_jitter_seed integer NOT NULL DEFAULT 1,
  webhook_time text NOT NULL DEFAULT 'system'
    CONSTRAINT simulator_state_webhook_time_ck CHECK (webhook_time IN ('system', 'simulator')),
  webhook_timestamp text NOT NULL DEFAULT 'attempt'
    CONSTRAINT simulator_state_webhook_timestamp_ck CHECK (webhook_timestamp IN ('attempt', 'generation')),
  webhook_body text NOT NULL DEFAULT 'payload'
    CONSTRAINT simulator_state_webhook_body_ck CHECK (webhook_body IN ('payload', 'headers_and_payload')),
  -- How many groups of a company, and tags of a group, may be active at once. The platform has such limits but does not
  -- publish the second one; /control changes both.
  most_active_tag_groups integer NOT NULL DEFAULT 5
    CONSTRAINT simulator_state_most_active_tag_groups_ck CHECK (most_active_tag_groups > 0),
  most_active_tags integer NOT NULL DEFAULT 10000
    CONSTRAINT simulator_state_most_active_tags_ck CHECK (most_active_tags > 0)
);
INSERT INTO simulator_state DEFAULT VALUES;

-- A planned misbehavior of answers.
CREATE TABLE failure_switch (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT failure_switch_id_pk PRIMARY KEY,
  method text,
  -- Path without query; `*` stands for one segment.
  path text NOT NULL,
  effect text NOT NULL CONSTRAINT failure_switch_effect_ck CHECK (effect IN ('before', 'after')),
  status integer,
  -- How the answer is changed when its status stays.
  answer text CONSTRAINT failure_switch_answer_ck
    CHECK (answer IN ('malformed', 'endless_paging', 'unknown_values', 'unknown_fields')),
  retry_after text,
  delay_ms integer NOT NULL,
  truncate_at integer,
  jump_seconds integer NOT NULL DEFAULT 0,
  revokes boolean NOT NULL DEFAULT false,
  -- Fitting requests that pass before the first one is met, and the share of the later ones that is met.
  skip integer NOT NULL DEFAULT 0 CONSTRAINT failure_switch_skip_ck CHECK (skip >= 0),
  percent integer NOT NULL DEFAULT 100 CONSTRAINT failure_switch_percent_ck CHECK (percent BETWEEN 1 AND 100),
  seed integer NOT NULL DEFAULT 1,
  seen integer NOT NULL DEFAULT 0,
  -- Null: until it is removed.
  times_left integer,
  hits integer NOT NULL DEFAULT 0
);

-- A planned misbehavior of notifications.
CREATE TABLE webhook_switch (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT webhook_switch_id_pk PRIMARY KEY,
  effect text NOT NULL CONSTRAINT webhook_switch_effect_ck
    CHECK (effect IN ('duplicate', 'reorder', 'replay', 'forge')),
  forgery text CONSTRAINT webhook_switch_forgery_ck
    CHECK (forgery IN ('wrong_secret', 'changed_body', 'old_timestamp', 'unsigned')),
  delay_seconds integer NOT NULL,
  skip integer NOT NULL CONSTRAINT webhook_switch_skip_ck CHECK (skip >= 0),
  percent integer NOT NULL CONSTRAINT webhook_switch_percent_ck CHECK (percent BETWEEN 1 AND 100),
  seed integer NOT NULL,
  seen integer NOT NULL DEFAULT 0,
  -- Null: until it is removed.
  times_left integer,
  hits integer NOT NULL DEFAULT 0,
  CONSTRAINT webhook_switch_forgery_effect_ck CHECK ((effect = 'forge') = (forgery IS NOT NULL))
);

CREATE TABLE request_log (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT request_log_id_pk PRIMARY KEY,
  requested_at timestamptz NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status integer NOT NULL,
  company_id uuid,
  client_id text,
  failure_switch_id bigint
);

-- ===== Companies and employees ========================================================================================

-- Here and below: each order that a list can be read in has an index, so that a page costs the same wherever it stands.
-- Texts are in the order of the bytes of their first 500 letters, which is what an index can keep. Where a text may be
-- missing, the first part says whether it is: read from one end or the other, the two indexes give nulls at either end of
-- either direction.

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
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT employee_company_id_fk REFERENCES company (id),
  email text NOT NULL,
  first_name text NOT NULL,
  last_name text NOT NULL,
  code text,
  job_title text,
  phone text,
  created_at timestamptz NOT NULL
);
CREATE INDEX employee_company_id_ix ON employee (company_id);
CREATE INDEX employee_company_id_position_ix ON employee (company_id, position);
CREATE INDEX employee_company_id_id_ix ON employee (company_id, id);
CREATE INDEX employee_company_id_email_ix ON employee (company_id, left(email, 500) COLLATE "C", id);
CREATE INDEX employee_company_id_first_name_ix ON employee (company_id, left(first_name, 500) COLLATE "C", id);
CREATE INDEX employee_company_id_last_name_ix ON employee (company_id, left(last_name, 500) COLLATE "C", id);
CREATE INDEX employee_company_id_code_nulls_last_ix ON employee (company_id, (code IS NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX employee_company_id_code_nulls_first_ix ON employee (company_id, (code IS NOT NULL), coalesce(left(code, 500), '') COLLATE "C", id);

-- ===== Authorization ==================================================================================================

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
  consumed_at timestamptz,
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
  -- Null: for all companies of an organization; the installation's resource says which.
  company_id uuid CONSTRAINT consent_company_id_fk REFERENCES company (id)
);
CREATE INDEX consent_installation_id_ix ON consent (installation_id);
CREATE INDEX consent_company_id_ix ON consent (company_id);

-- ===== Webhooks =======================================================================================================

CREATE TABLE subscription (
  id uuid CONSTRAINT subscription_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  application_id uuid NOT NULL,
  -- The company or organization whose events it hears.
  resource text NOT NULL,
  status text NOT NULL CONSTRAINT subscription_status_ck CHECK (status IN ('ACTIVE', 'INACTIVE')),
  event_types text[] NOT NULL,
  endpoint_url text NOT NULL,
  custom_headers jsonb,
  endpoint_auth jsonb,
  secret text NOT NULL,
  -- Signs beside the current secret until then.
  previous_secret text,
  previous_secret_until timestamptz,
  -- First failed attempt since the last success.
  failing_since timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  deleted_by text,
  CONSTRAINT subscription_previous_secret_ck
    CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL))
);
CREATE INDEX subscription_resource_ix ON subscription (resource, application_id);

CREATE TABLE subscription_activity (
  id uuid CONSTRAINT subscription_activity_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  subscription_id uuid NOT NULL
    CONSTRAINT subscription_activity_subscription_id_fk REFERENCES subscription (id),
  operation_type text NOT NULL CONSTRAINT subscription_activity_operation_type_ck
    CHECK (operation_type IN ('CREATE', 'UPDATE', 'DELETE')),
  actor_urn text NOT NULL,
  description text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX subscription_activity_subscription_id_ix ON subscription_activity (subscription_id);

-- One event for one subscription: its webhook-id and its exact bytes stay the same over all attempts.
CREATE TABLE delivery (
  webhook_id text CONSTRAINT delivery_webhook_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  subscription_id uuid NOT NULL CONSTRAINT delivery_subscription_id_fk REFERENCES subscription (id),
  company_id uuid NOT NULL CONSTRAINT delivery_company_id_fk REFERENCES company (id),
  event_id uuid NOT NULL,
  event_type text NOT NULL,
  body text NOT NULL,
  state text NOT NULL CONSTRAINT delivery_state_ck
    CHECK (state IN ('due', 'acknowledged', 'given_up', 'skipped')),
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz,
  created_at timestamptz NOT NULL,
  -- `created_at` by the computer's clock: a signature may want it.
  generated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT delivery_next_attempt_at_ck CHECK ((state = 'due') = (next_attempt_at IS NOT NULL))
);
CREATE INDEX delivery_next_attempt_at_ix ON delivery (next_attempt_at) WHERE state = 'due';
CREATE INDEX delivery_subscription_id_ix ON delivery (subscription_id);
CREATE INDEX delivery_company_id_ix ON delivery (company_id);

CREATE TABLE delivery_attempt (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT delivery_attempt_id_pk PRIMARY KEY,
  webhook_id text NOT NULL CONSTRAINT delivery_attempt_webhook_id_fk REFERENCES delivery (webhook_id),
  number integer NOT NULL,
  manual boolean NOT NULL,
  attempted_at timestamptz NOT NULL,
  -- What the attempt was signed with, so that it can be replayed; Unix time in seconds.
  signed_timestamp bigint,
  signature text,
  -- Null when no answer came; `failure` says why.
  status integer,
  failure text
);
CREATE INDEX delivery_attempt_webhook_id_ix ON delivery_attempt (webhook_id);

-- ===== Exports ========================================================================================================

CREATE TABLE export_item (
  accounting_entry_id uuid CONSTRAINT export_item_accounting_entry_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT export_item_company_id_fk REFERENCES company (id),
  -- Currency of the wallet when the type shows a contra account, otherwise null.
  contra_currency text,
  -- The item carries no contra account of its own: the company's is added when it is read.
  takes_company_contra boolean NOT NULL,
  -- JSON text exactly as it goes over the wire; numbers keep every digit.
  body text NOT NULL,
  exported boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL
);
CREATE INDEX export_item_company_id_ix ON export_item (company_id) WHERE NOT exported;

-- Receipts behind export items. What is served may be another thing than what the item announces.
CREATE TABLE item_file (
  id uuid CONSTRAINT item_file_id_pk PRIMARY KEY,
  accounting_entry_id uuid NOT NULL CONSTRAINT item_file_accounting_entry_id_fk REFERENCES export_item (accounting_entry_id),
  -- From 1, in the order of the item's files.
  position integer NOT NULL,
  name text NOT NULL,
  media_type text NOT NULL,
  announced_size bigint NOT NULL,
  size bigint NOT NULL,
  -- Null: made up while it is served.
  content bytea,
  -- Bytes after which the connection breaks.
  break_after bigint,
  -- Signs the addresses of this file.
  address_key text NOT NULL,
  CONSTRAINT item_file_position_uq UNIQUE (accounting_entry_id, position)
);

CREATE TABLE export_job (
  id uuid CONSTRAINT export_job_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT export_job_company_id_fk REFERENCES company (id),
  status text NOT NULL CONSTRAINT export_job_status_ck
    CHECK (status IN ('pending', 'in_progress', 'failed', 'completed', 'completed_with_errors')),
  is_interactive boolean NOT NULL,
  vendor_based_bookkeeping boolean NOT NULL,
  number_of_items integer NOT NULL,
  -- Distinct contra_currency of its items: a job's items never change.
  contra_currencies text[] NOT NULL,
  created_at timestamptz NOT NULL,
  created_by uuid,
  started_at timestamptz,
  completed_at timestamptz,
  expired_at timestamptz,
  last_updated_at timestamptz NOT NULL,
  expires_in integer NOT NULL,
  failure_reason text,
  failure_reason_type text
);
-- One running job per company.
CREATE UNIQUE INDEX export_job_company_id_uq ON export_job (company_id) WHERE status IN ('pending', 'in_progress');
CREATE INDEX export_job_company_id_ix ON export_job (company_id, position);

CREATE TABLE export_job_item (
  export_job_id uuid NOT NULL CONSTRAINT export_job_item_export_job_id_fk REFERENCES export_job (id),
  accounting_entry_id uuid NOT NULL
    CONSTRAINT export_job_item_accounting_entry_id_fk REFERENCES export_item (accounting_entry_id),
  position integer NOT NULL,
  status text NOT NULL CONSTRAINT export_job_item_status_ck
    CHECK (status IN ('pending', 'in_progress', 'failed', 'successful', 'abandoned')),
  exported_at timestamptz,
  external_id text,
  external_url text,
  failure_reason text,
  failure_reason_type text,
  CONSTRAINT export_job_item_export_job_id_accounting_entry_id_pk PRIMARY KEY (export_job_id, accounting_entry_id)
);
CREATE UNIQUE INDEX export_job_item_export_job_id_position_uq ON export_job_item (export_job_id, position);
CREATE INDEX export_job_item_accounting_entry_id_ix ON export_job_item (accounting_entry_id);
-- The results of a job in one state.
CREATE INDEX export_job_item_export_job_id_status_position_ix ON export_job_item (export_job_id, status, position);
CREATE INDEX export_job_item_export_job_id_status_accounting_entry_id_ix ON export_job_item (export_job_id, status, accounting_entry_id);

-- Everything that moved a job, in the order in which it was accepted.
CREATE TABLE export_job_event (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT export_job_event_id_pk PRIMARY KEY,
  export_job_id uuid NOT NULL CONSTRAINT export_job_event_export_job_id_fk REFERENCES export_job (id),
  event text NOT NULL,
  failure_reason text,
  failure_reason_type text,
  accepted_at timestamptz NOT NULL
);
CREATE INDEX export_job_event_export_job_id_ix ON export_job_event (export_job_id);

-- ===== Reference data =================================================================================================

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
CREATE INDEX account_company_id_id_ix ON account (company_id, id);
CREATE INDEX account_company_id_external_id_ix ON account (company_id, left(external_id, 500) COLLATE "C", id);
CREATE INDEX account_company_id_name_ix ON account (company_id, left(name, 500) COLLATE "C", id);
CREATE INDEX account_company_id_code_nulls_last_ix ON account (company_id, (code IS NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX account_company_id_code_nulls_first_ix ON account (company_id, (code IS NOT NULL), coalesce(left(code, 500), '') COLLATE "C", id);

-- What employees choose for an expense. The interface shows none of it but whether an account is assigned to one.
CREATE TABLE category (
  id uuid CONSTRAINT category_id_pk PRIMARY KEY,
  position bigint GENERATED ALWAYS AS IDENTITY,
  company_id uuid NOT NULL CONSTRAINT category_company_id_fk REFERENCES company (id),
  name text NOT NULL CONSTRAINT category_name_ck CHECK (length(name) BETWEEN 1 AND 255),
  account_id uuid CONSTRAINT category_account_id_fk REFERENCES account (id) ON DELETE SET NULL
);
CREATE INDEX category_company_id_position_ix ON category (company_id, position);
CREATE INDEX category_account_id_ix ON category (account_id);

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
CREATE INDEX tax_code_company_id_id_ix ON tax_code (company_id, id);
CREATE INDEX tax_code_company_id_name_ix ON tax_code (company_id, left(name, 500) COLLATE "C", id);
CREATE INDEX tax_code_company_id_code_nulls_last_ix ON tax_code (company_id, (code IS NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX tax_code_company_id_code_nulls_first_ix ON tax_code (company_id, (code IS NOT NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX tax_code_company_id_created_at_ix ON tax_code (company_id, created_at, id);
CREATE INDEX tax_code_company_id_updated_at_ix ON tax_code (company_id, updated_at, id);

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
CREATE INDEX vendor_company_id_id_ix ON vendor (company_id, id);
CREATE INDEX vendor_company_id_name_ix ON vendor (company_id, left(name, 500) COLLATE "C", id);
CREATE INDEX vendor_company_id_code_nulls_last_ix ON vendor (company_id, (code IS NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX vendor_company_id_code_nulls_first_ix ON vendor (company_id, (code IS NOT NULL), coalesce(left(code, 500), '') COLLATE "C", id);
CREATE INDEX vendor_company_id_external_id_nulls_last_ix ON vendor (company_id, (external_id IS NULL), coalesce(left(external_id, 500), '') COLLATE "C", id);
CREATE INDEX vendor_company_id_external_id_nulls_first_ix ON vendor (company_id, (external_id IS NOT NULL), coalesce(left(external_id, 500), '') COLLATE "C", id);
CREATE INDEX vendor_company_id_created_at_ix ON vendor (company_id, created_at, id);
CREATE INDEX vendor_company_id_updated_at_ix ON vendor (company_id, updated_at, id);

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
CREATE INDEX tag_group_id_position_ix ON tag (group_id, position);
CREATE INDEX tag_company_id_position_ix ON tag (company_id, position);
CREATE INDEX tag_company_id_id_ix ON tag (company_id, id);
CREATE INDEX tag_company_id_code_ix ON tag (company_id, left(code, 500) COLLATE "C", id);
CREATE INDEX tag_company_id_name_nulls_last_ix ON tag (company_id, (name IS NULL), coalesce(left(name, 500), '') COLLATE "C", id);
CREATE INDEX tag_company_id_name_nulls_first_ix ON tag (company_id, (name IS NOT NULL), coalesce(left(name, 500), '') COLLATE "C", id);
CREATE INDEX tag_company_id_created_at_ix ON tag (company_id, created_at, id);
CREATE INDEX tag_company_id_updated_at_ix ON tag (company_id, updated_at, id);

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

DROP TABLE tag_dimension_value, tag_dimension, tag, tag_group, vendor, tax_code, category, account;
DROP TABLE export_job_event, export_job_item, export_job, item_file, export_item;
DROP TABLE delivery_attempt, delivery, subscription_activity, subscription;
DROP TABLE consent, installation, api_key, oauth_record, oauth_client;
DROP TABLE employee, company;
DROP TABLE request_log, webhook_switch, failure_switch, simulator_state;
