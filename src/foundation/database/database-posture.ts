import { sql } from './sql.js';
import { TABLES_WITHOUT_TENANT } from './tenant-database.js';
import type { Tx } from './transaction.js';

interface Posture {
  readonly fsync: string;
  readonly pages: string;
  readonly commit: string;
  readonly unlimited: readonly string[];
  readonly isSuperuser: boolean;
  readonly bypassesRls: boolean;
  readonly owned: number;
  readonly open: readonly string[];
  readonly unchecked: readonly string[];
}

/**
 * What of the database would let a promise be broken: a crash forget what was acknowledged, a hanging statement hold up the
 * others, or one tenant see another (I40).
 * @param tx of the role that the program works with
 * @returns a sentence per problem
 */
export async function findPostureProblems(tx: Tx): Promise<readonly string[]> {
  const found = await tx.one<Posture>(sql`
    SELECT current_setting('fsync') AS fsync, current_setting('full_page_writes') AS pages,
      current_setting('synchronous_commit') AS commit,
      ARRAY(SELECT name FROM unnest(ARRAY['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout'])
        AS name WHERE current_setting(name) = '0') AS unlimited,
      rolsuper AS "isSuperuser", rolbypassrls AS "bypassesRls",
      (SELECT count(*)::int FROM pg_class WHERE relowner = pg_roles.oid) AS owned,
      ARRAY(SELECT relname::text FROM pg_class
        WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND relname <> ALL (${TABLES_WITHOUT_TENANT})
          AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY 1) AS open,
      ARRAY(SELECT conname::text FROM pg_constraint
        WHERE connamespace = current_schema()::regnamespace AND NOT convalidated ORDER BY 1) AS unchecked
    FROM pg_roles WHERE rolname = current_user`);
  const role = 'the role of the application';
  return [
    ...when(found.fsync !== 'on', 'the database: fsync is off'),
    ...when(found.pages !== 'on', 'the database: full_page_writes is off'),
    ...when(found.commit === 'off', 'the database: synchronous_commit is off'),
    ...found.unlimited.map((name) => `the database: ${name} is not set for a connection`),
    ...when(found.isSuperuser, `the database: ${role} is a superuser`),
    ...when(found.bypassesRls, `the database: ${role} passes row-level security by`),
    ...when(found.owned > 0, `the database: ${role} owns tables`),
    ...found.open.map((name) => `the database: row-level security of "${name}" is not forced`),
    ...found.unchecked.map((name) => `the database: constraint "${name}" is not validated`),
  ];
}

interface LoginPosture {
  readonly isSuperuser: boolean;
  readonly bypassesRls: boolean;
  readonly makesRoles: boolean;
  readonly isOwner: boolean;
}

/**
 * What the login of a connection could take back of the weak role it works with, by itself or as a member of other roles:
 * an injected statement could do the same (I40).
 * @param tx of a connection of that login
 * @returns a sentence per problem
 */
export async function findLoginProblems(tx: Tx): Promise<readonly string[]> {
  const found = await tx.one<LoginPosture>(sql`
    SELECT bool_or(rolsuper) AS "isSuperuser", bool_or(rolbypassrls) AS "bypassesRls", bool_or(rolcreaterole) AS "makesRoles",
      bool_or(EXISTS (SELECT FROM pg_namespace WHERE oid = current_schema()::regnamespace AND nspowner = pg_roles.oid)
        OR EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relowner = pg_roles.oid)
      ) AS "isOwner"
    FROM pg_roles WHERE pg_has_role(session_user, oid, 'MEMBER')`);
  const login = 'the database: the user of the address';
  // A superuser may take every role, so all other findings would follow.
  if (found.isSuperuser) {
    return [`${login} is a superuser or may become one`];
  }
  return [
    ...when(found.bypassesRls, `${login} may pass row-level security by`),
    ...when(found.makesRoles, `${login} may make roles`),
    ...when(found.isOwner, `${login} owns the tables or may act as their owner`),
  ];
}

function when(isSo: boolean, problem: string): readonly string[] {
  return isSo ? [problem] : [];
}
