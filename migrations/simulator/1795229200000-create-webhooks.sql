-- migrate:up

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
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  deleted_by text
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
  -- Null when no answer came; `failure` says why.
  status integer,
  failure text
);
CREATE INDEX delivery_attempt_webhook_id_ix ON delivery_attempt (webhook_id);

-- migrate:down
DROP TABLE delivery_attempt;
DROP TABLE delivery;
DROP TABLE subscription_activity;
DROP TABLE subscription;
