import { describe, expect, it } from '@jest/globals';
import { sql } from '../../../../src/foundation/database/sql.js';
import { TenantDatabase } from '../../../../src/foundation/database/tenant-database.js';
import { ReviewHarness } from '../review/review-harness.js';
import { tenantTables } from './fingerprint.js';
import { startedOnce } from '../../../support/started-once.js';

// What the database's own catalog says of tables, policies, keys, roles and triggers (invariants I5, I30, I40).

const harness = startedOnce(() => ReviewHarness.start());

async function rows<Row extends object>(statement: string, ...values: readonly unknown[]): Promise<readonly Row[]> {
  return (await harness.admin.query<Row>(statement, [...values])).rows;
}

/** Why the audit log says nothing of a table; every other one is audited. */
const NOT_AUDITED: Readonly<Record<string, string>> = {
  alert: 'what the connector itself has noticed',
  alert_message: 'progress of sending',
  audit_entry: 'the log itself',
  audit_head: 'the log itself',
  erp_company_claim: 'what another installation asked for; an alert says so',
  erp_request_budget: 'how far ahead requests are booked',
  erp_request_share: 'who makes requests now',
  erp_sign_in: 'no effect until a person comes back from the ERP, which changes the connection',
  erp_value: 'what an adapter remembers, sealed',
  failed_entry: 'follows from results of items',
  failed_task: 'wake-ups that the queue gave up',
  certificate: 'append-only, with a chain of its own',
  company_lease: 'who works now',
  drift_check: 'when the connector looks next',
  drift_target: 'what the ERP says',
  export_item: 'its job is audited; results are set once, and certificates hold them',
  idempotency_key: 'answers of a day',
  item_chunk: 'written once with the results of items',
  plan_chunk: 'written once with the intents to post',
  mapping_rule: 'kept version by version; the version is audited',
  notification: 'append-only: what the platform has said',
  outbox: 'what was reported to the platform, in order; verdicts are states of the job',
  page_event: 'what open pages receive, for two hours',
  posting_intent: 'its own states are guarded; what is posted has a certificate',
  preview: 'no effect until it is committed, which is a re-export',
  preview_entry: 'no effect',
  receipt: 'what the ERP has taken',
  job_total: 'sums of what was posted, made anew',
  issue: 'follows from results of items',
  sync_record: 'the history of a run',
  sync_schedule: 'whose turn it is',
  uncertain_posting: 'which postings are uncertain; what a person resolves is audited',
};

/** Ids, states and times that say whom to wake and how long something waits; and hashes, to find whose a token is. */
const SCHEDULER_GRANTS: readonly string[] = [
  'SELECT alert: raised_at',
  'SELECT alert_message: created_at given_up_at sent_at',
  'SELECT alert_setting: channel installation_id next_check_at',
  'UPDATE alert_setting: next_check_at',
  'SELECT api_token: installation_id token_hash',
  'SELECT company_lease: company_id expires_at installation_id',
  'SELECT data_key: installation_id ring_key_id',
  'SELECT discrepancy: class installation_id state',
  'SELECT download: has_ip started_at',
  'UPDATE download: from_ip from_ip_salt',
  'SELECT drift_check: installation_id next_check_at',
  'SELECT erp_company_link: erp_company_id erp_system installation_id',
  'SELECT erp_connection: ended_at installation_id state',
  'SELECT export_job: company_id created_on_platform_at detected_at expires_at finished_at id installation_id items_cleared_at next_run_at pauses state',
  'SELECT failed_task: failed_at failures id installation_id kind payload problem',
  'SELECT installation: activated_at company_name created_at erp_company_id id next_poll_at paused_at platform_company_id platform_organization_id state uninstalled_at',
  'UPDATE installation: next_poll_at',
  'INSERT intake_heartbeat: last_beat_at singleton',
  'SELECT intake_heartbeat: last_beat_at singleton',
  'UPDATE intake_heartbeat: last_beat_at singleton',
  'SELECT member: installation_id removed_at signed_in_at subject',
  'SELECT member_session: id_hash installation_id',
  'SELECT outbox: created_at delivered_at',
  'SELECT page_event: installation_id occurred_at xid',
  'SELECT preview: expires_at',
  'SELECT quarantined_notification: body_kept_until deliveries id ingested_at installation_id reason received_at',
  'UPDATE quarantined_notification: body body_kept_until',
  'SELECT reconciliation_run: export_job_id installation_id lease_until next_attempt_at reason state',
  'SELECT reconciliation_schedule: installation_id next_run_at',
  'SELECT reexport: id installation_id next_try_at state',
  'SELECT subscription: endpoint_token_hash installation_id next_maintenance_at',
  'UPDATE subscription: next_maintenance_at',
  'SELECT sync_run: installation_id lease_until next_attempt_at state',
  'SELECT sync_schedule: connected_at installation_id next_run_at',
  'SELECT test_posting: id installation_id next_try_at',
  'UPDATE test_posting: next_try_at',
  'SELECT uncertain_posting: export_job_id installation_id look_up_at',
  'INSERT worker_heartbeat: last_beat_at singleton',
  'SELECT worker_heartbeat: last_beat_at singleton',
  'UPDATE worker_heartbeat: last_beat_at singleton',
  'INSERT worker_process: drain_requested_at drain_requested_by host id last_beat_at pid running started_at',
  'SELECT worker_process: drain_requested_at drain_requested_by host id last_beat_at pid running started_at',
  'UPDATE worker_process: drain_requested_at drain_requested_by host id last_beat_at pid running started_at',
];

describe('every table of tenants', () => {
  it('has row-level security enabled and forced', async () => {
    const bare = await rows(
      `SELECT relname FROM pg_class WHERE relnamespace = 'connector'::regnamespace AND relname = ANY ($1)
         AND NOT (relrowsecurity AND relforcerowsecurity)`,
      await tenantTables(harness.admin),
    );
    expect(bare).toEqual([]);
  });

  it('lets the application see and write the rows of its own installation only', async () => {
    const policies = await rows<{ table: string; command: string; seen: string; written: string }>(
      `SELECT tablename AS table, cmd AS command, qual AS seen, with_check AS written FROM pg_policies
       WHERE schemaname = 'connector' AND 'connector_app' = ANY (roles) ORDER BY tablename`,
    );
    expect(policies).toEqual(
      (await tenantTables(harness.admin)).map((table) => {
        const own = `(${table === 'installation' ? 'id' : 'installation_id'} = current_installation())`;
        return { table, command: 'ALL', seen: own, written: own };
      }),
    );
  });

  it('has no policy for all roles, and only these for others', async () => {
    const others = await rows<{ roles: string }>(
      `SELECT DISTINCT replace(roles::text, current_user, 'owner') AS roles FROM pg_policies
       WHERE schemaname = 'connector' ORDER BY 1`,
    );
    expect(others.map(({ roles }) => roles)).toEqual(['{connector_app}', '{connector_scheduler}', '{owner}']);
    const ownersOwn = await rows<{ tablename: string }>(
      `SELECT tablename FROM pg_policies WHERE schemaname = 'connector' AND current_user = ANY (roles) ORDER BY 1`,
    );
    expect(ownersOwn.map(({ tablename }) => tablename)).toEqual(['audit_entry', 'audit_head']);
  });

  it('includes the installation in its references to other tables of tenants', async () => {
    const loose = await rows(
      `SELECT conname FROM pg_constraint foreign_key
       WHERE contype = 'f' AND conrelid::regclass::text = ANY ($1) AND confrelid::regclass::text = ANY ($1)
         AND NOT EXISTS (
           SELECT FROM unnest(conkey, confkey) AS pair (here, there)
           JOIN pg_attribute mine ON mine.attrelid = conrelid AND mine.attnum = here
           JOIN pg_attribute theirs ON theirs.attrelid = confrelid AND theirs.attnum = there
           WHERE mine.attname = 'installation_id'
             AND theirs.attname = CASE confrelid WHEN 'installation'::regclass THEN 'id' ELSE 'installation_id' END)`,
      await tenantTables(harness.admin),
    );
    expect(loose).toEqual([]);
  });

  it('is audited, or has a documented reason', async () => {
    const audited = await rows<{ table: string }>(
      `SELECT DISTINCT tgrelid::regclass::text AS table FROM pg_trigger WHERE tgfoid = 'audit_change'::regproc`,
    );
    const names = audited.map(({ table }) => table);
    expect([...names, ...Object.keys(NOT_AUDITED)].sort()).toEqual(await tenantTables(harness.admin));
    expect(names.length).toBeGreaterThanOrEqual(19);
  });

  it('shows the audit log no column that is sealed, hashed or personal', async () => {
    const recorded = await rows<{ table: string; column: string }>(
      `SELECT DISTINCT tgrelid::regclass::text AS table, name AS column
       FROM pg_trigger, unnest(split_part(encode(tgargs, 'escape'), '\\000', 2)::text[]) AS name
       WHERE tgfoid = 'audit_change'::regproc ORDER BY 1, 2`,
    );
    const secret = /token$|secret$|_hash$|wrapped|address|subject|email|body|verifier|header_value/;
    expect(recorded.length).toBeGreaterThan(60);
    expect(recorded.filter(({ column }) => secret.test(column))).toEqual([]);
  });

  it('denies changes of audited columns to the scheduler, which has no installation', async () => {
    const writable = await rows(
      `SELECT table_name, column_name FROM information_schema.column_privileges
       WHERE grantee = 'connector_scheduler' AND table_schema = 'connector' AND privilege_type IN ('UPDATE', 'INSERT')
         AND EXISTS (SELECT FROM pg_trigger WHERE tgfoid = 'audit_change'::regproc
           AND tgrelid = format('connector.%I', table_name)::regclass
           AND column_name = ANY (split_part(encode(tgargs, 'escape'), '\\000', 2)::text[]))`,
    );
    expect(writable).toEqual([]);
  });
});

describe('functions that run as their owner', () => {
  it('find no temporary table instead of the connector’s', async () => {
    const settings = await rows<{ name: string; settings: readonly string[] }>(
      `SELECT proname AS name, proconfig AS settings FROM pg_proc
       WHERE pronamespace = 'connector'::regnamespace AND prosecdef ORDER BY 1`,
    );
    expect(settings.map(({ name }) => name)).toEqual(['audit_change', 'move_audit_head', 'record_worker_drain']);
    for (const { settings: own } of settings) {
      expect(own).toContain('search_path=connector, pg_temp');
    }
  });

  it('of triggers are usable by the owner’s triggers only', async () => {
    expect(
      await rows(
        `SELECT proname FROM pg_proc WHERE pronamespace = 'connector'::regnamespace
           AND (prosecdef OR prorettype = 'trigger'::regtype)
           AND (has_function_privilege('connector_app', oid, 'EXECUTE')
             OR has_function_privilege('connector_scheduler', oid, 'EXECUTE'))`,
      ),
    ).toEqual([]);
  });
});

describe('constraints', () => {
  it('are all valid', async () => {
    expect(
      await rows(
        `SELECT conname FROM pg_constraint WHERE connamespace = 'connector'::regnamespace AND NOT convalidated`,
      ),
    ).toEqual([]);
  });

  it('are enforced by triggers that are all enabled', async () => {
    expect(
      await rows(
        `SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
         WHERE relnamespace = 'connector'::regnamespace AND tgenabled <> 'O'`,
      ),
    ).toEqual([]);
  });
});

describe('the roles of the application', () => {
  it('own nothing, and have no privileges of the server', async () => {
    const roles = await rows(
      `SELECT rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication,
         (SELECT count(*)::int FROM pg_shdepend WHERE refobjid = role.oid AND deptype = 'o') AS owned,
         (SELECT count(*)::int FROM pg_auth_members WHERE member = role.oid) AS memberships
       FROM pg_roles role WHERE rolname LIKE 'connector\\_%' ORDER BY rolname`,
    );
    const none = {
      ...{ rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false },
      ...{ rolcanlogin: false, rolreplication: false, owned: 0, memberships: 0 },
    };
    expect(roles).toEqual([
      { rolname: 'connector_app', ...none },
      { rolname: 'connector_scheduler', ...none },
    ]);
  });

  it('work under time limits, their commits are on disk, and no statement is compiled', async () => {
    const database = harness.app.get(TenantDatabase);
    const settings = await database.withoutInstallation('settings', (tx) =>
      tx.rows(sql`
        SELECT current_user AS role, current_setting('statement_timeout') AS statement,
          current_setting('lock_timeout') AS lock, current_setting('idle_in_transaction_session_timeout') AS idle,
          current_setting('synchronous_commit') AS commit, current_setting('row_security') AS policies,
          current_setting('jit') AS compiled`),
    );
    const limits = { statement: '10s', lock: '3s', idle: '15s' };
    expect(settings).toEqual([{ role: 'connector_app', ...limits, commit: 'on', policies: 'on', compiled: 'off' }]);
  });

  it('may not truncate a table, refer to one, or create triggers', async () => {
    expect(
      await rows(
        `SELECT table_name, privilege_type FROM information_schema.table_privileges
         WHERE grantee LIKE 'connector\\_%' AND table_schema = 'connector'
           AND privilege_type NOT IN ('SELECT', 'INSERT', 'UPDATE', 'DELETE')`,
      ),
    ).toEqual([]);
  });

  it('are the only ones besides the owner with any grant', async () => {
    const others = await rows(
      `SELECT DISTINCT grantee FROM information_schema.table_privileges
       WHERE table_schema = 'connector' AND grantee NOT LIKE 'connector\\_%' AND grantee <> current_user`,
    );
    expect(others).toEqual([]);
  });

  it('let the scheduler see and change these columns, and no others', async () => {
    const granted = await rows<{ table: string; privilege: string; columns: string }>(
      `SELECT table_name AS table, privilege_type AS privilege, string_agg(column_name, ' ' ORDER BY column_name) AS columns
       FROM information_schema.column_privileges
       WHERE grantee = 'connector_scheduler' AND table_schema = 'connector' GROUP BY 1, 2 ORDER BY 1, 2`,
    );
    expect(granted.map(({ table, privilege, columns }) => `${privilege} ${table}: ${columns}`)).toEqual(
      SCHEDULER_GRANTS,
    );
  });
});
