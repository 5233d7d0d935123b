-- migrate:up

ALTER TABLE simulator_state
  -- Largest share of a delay, in percent, by which an attempt comes earlier or later.
  ADD COLUMN retry_jitter_percent integer NOT NULL DEFAULT 0
    CONSTRAINT simulator_state_retry_jitter_percent_ck CHECK (retry_jitter_percent BETWEEN 0 AND 50),
  ADD COLUMN retry_jitter_seed integer NOT NULL DEFAULT 1,
  ADD COLUMN webhook_timestamp text NOT NULL DEFAULT 'attempt'
    CONSTRAINT simulator_state_webhook_timestamp_ck CHECK (webhook_timestamp IN ('attempt', 'generation')),
  ADD COLUMN webhook_body text NOT NULL DEFAULT 'payload'
    CONSTRAINT simulator_state_webhook_body_ck CHECK (webhook_body IN ('payload', 'headers_and_payload')),
  ADD COLUMN refresh_rotation text NOT NULL DEFAULT 'family'
    CONSTRAINT simulator_state_refresh_rotation_ck CHECK (refresh_rotation IN ('none', 'grace', 'strict', 'family')),
  ADD COLUMN refresh_grace_seconds integer NOT NULL DEFAULT 60
    CONSTRAINT simulator_state_refresh_grace_seconds_ck CHECK (refresh_grace_seconds >= 0),
  -- Requests of one credential in a minute; null: no limit.
  ADD COLUMN requests_per_minute integer
    CONSTRAINT simulator_state_requests_per_minute_ck CHECK (requests_per_minute > 0);

ALTER TABLE oauth_record ADD COLUMN consumed_at timestamptz;

ALTER TABLE subscription
  -- Signs beside the current secret until then.
  ADD COLUMN previous_secret text,
  ADD COLUMN previous_secret_until timestamptz,
  -- First failed attempt since the last success.
  ADD COLUMN failing_since timestamptz,
  ADD CONSTRAINT subscription_previous_secret_ck
    CHECK ((previous_secret IS NULL) = (previous_secret_until IS NULL));

-- `created_at` by the computer's clock: a signature may want it.
ALTER TABLE delivery ADD COLUMN generated_at timestamptz NOT NULL DEFAULT now();

ALTER TABLE delivery_attempt
  -- What the attempt was signed with, so that it can be replayed; Unix time in seconds.
  ADD COLUMN signed_timestamp bigint,
  ADD COLUMN signature text;

ALTER TABLE failure_switch
  -- How the answer is changed when its status stays.
  ADD COLUMN answer text CONSTRAINT failure_switch_answer_ck
    CHECK (answer IN ('malformed', 'endless_paging', 'unknown_values', 'unknown_fields')),
  -- Fitting requests that pass before the first one is met, and the share of the later ones that is met.
  ADD COLUMN skip integer NOT NULL DEFAULT 0 CONSTRAINT failure_switch_skip_ck CHECK (skip >= 0),
  ADD COLUMN percent integer NOT NULL DEFAULT 100 CONSTRAINT failure_switch_percent_ck CHECK (percent BETWEEN 1 AND 100),
  ADD COLUMN seed integer NOT NULL DEFAULT 1,
  ADD COLUMN seen integer NOT NULL DEFAULT 0,
  ADD COLUMN jump_seconds integer NOT NULL DEFAULT 0,
  ADD COLUMN revokes boolean NOT NULL DEFAULT false;

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

-- migrate:down
DROP TABLE webhook_switch;
ALTER TABLE failure_switch DROP COLUMN answer, DROP COLUMN skip, DROP COLUMN percent, DROP COLUMN seed, DROP COLUMN seen,
  DROP COLUMN jump_seconds, DROP COLUMN revokes;
ALTER TABLE delivery_attempt DROP COLUMN signed_timestamp, DROP COLUMN signature;
ALTER TABLE delivery DROP COLUMN generated_at;
ALTER TABLE subscription DROP COLUMN previous_secret, DROP COLUMN previous_secret_until, DROP COLUMN failing_since;
ALTER TABLE oauth_record DROP COLUMN consumed_at;
ALTER TABLE simulator_state DROP COLUMN retry_jitter_percent, DROP COLUMN retry_jitter_seed,
  DROP COLUMN webhook_timestamp, DROP COLUMN webhook_body, DROP COLUMN refresh_rotation,
  DROP COLUMN refresh_grace_seconds, DROP COLUMN requests_per_minute;
