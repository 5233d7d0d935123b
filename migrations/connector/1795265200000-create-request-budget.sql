-- migrate:up

-- How far ahead the requests of a platform client are booked. One row for all replicas, because the platform counts the
-- client's requests and not ours (invariant I23).
CREATE TABLE request_budget (
  client_id text CONSTRAINT request_budget_client_id_pk PRIMARY KEY,
  booked_until timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE ON request_budget TO connector_app;

-- migrate:down
DROP TABLE request_budget;
