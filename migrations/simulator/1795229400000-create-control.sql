-- migrate:up

CREATE TABLE failure_switch (
  id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT failure_switch_id_pk PRIMARY KEY,
  method text,
  -- Path without query; `*` stands for one segment.
  path text NOT NULL,
  effect text NOT NULL CONSTRAINT failure_switch_effect_ck CHECK (effect IN ('before', 'after')),
  status integer,
  retry_after text,
  delay_ms integer NOT NULL,
  truncate_at integer,
  -- Null: until it is removed.
  times_left integer,
  hits integer NOT NULL DEFAULT 0
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

-- migrate:down
DROP TABLE request_log;
DROP TABLE failure_switch;
