-- migrate:up

-- Where it is not named, the session's own schema of temporary tables comes first: a function that runs as its owner would
-- take a temporary table of the application for ours.
DO $$
DECLARE ours regprocedure;
BEGIN
  FOR ours IN SELECT oid FROM pg_proc WHERE pronamespace = 'connector'::regnamespace AND prosecdef LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = connector, pg_temp', ours);
  END LOOP;
  -- Nobody else makes triggers of them; those that there are go on without this right.
  FOR ours IN SELECT oid FROM pg_proc WHERE pronamespace = 'connector'::regnamespace AND prorettype = 'trigger'::regtype LOOP
    EXECUTE format('REVOKE EXECUTE ON FUNCTION %s FROM PUBLIC', ours);
  END LOOP;
  -- Nothing of ours makes temporary tables. Only the database's owner can say so.
  IF (SELECT pg_has_role(current_user, datdba, 'USAGE') FROM pg_database WHERE datname = current_database()) THEN
    EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
  END IF;
END
$$;

-- migrate:down

-- What is stricter about the database itself stays: nothing needs it otherwise, and it may have been so before.
DO $$
DECLARE ours regprocedure;
BEGIN
  FOR ours IN SELECT oid FROM pg_proc WHERE pronamespace = 'connector'::regnamespace AND prosecdef LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = connector', ours);
  END LOOP;
  FOR ours IN SELECT oid FROM pg_proc WHERE pronamespace = 'connector'::regnamespace AND prorettype = 'trigger'::regtype LOOP
    EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO PUBLIC', ours);
  END LOOP;
END
$$;
