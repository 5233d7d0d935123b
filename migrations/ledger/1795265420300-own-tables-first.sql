-- migrate:up

-- Where it is not named, the session's own schema of temporary tables comes first: a trigger would take a temporary table of
-- the application for ours, and check or write that.
DO $$
DECLARE ours regprocedure;
BEGIN
  FOR ours IN SELECT oid FROM pg_proc WHERE pronamespace = 'ledger'::regnamespace AND 'search_path=ledger' = ANY (proconfig) LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = ledger, pg_temp', ours);
  END LOOP;
END
$$;

-- migrate:down

DO $$
DECLARE ours regprocedure;
BEGIN
  FOR ours IN SELECT oid FROM pg_proc
    WHERE pronamespace = 'ledger'::regnamespace AND 'search_path=ledger, pg_temp' = ANY (proconfig) LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = ledger', ours);
  END LOOP;
END
$$;
