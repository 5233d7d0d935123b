import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import pg from 'pg';
import { ReviewHarness, type ReviewTenant } from '../review/review-harness.js';
import { tenantTables } from './fingerprint.js';
import { seedTenant } from './seed-tenant.js';

// Whatever statement the application sends while it acts for one installation, no row of another is read or written
// (S4, S7).

const RUNS = 1_000;
const STATEMENTS = 10;

let harness: ReviewHarness;
let mine: ReviewTenant;
let other: ReviewTenant;
/** As the application's role. */
let app: pg.Client;
let tables: readonly string[];

beforeAll(async () => {
  harness = await ReviewHarness.start();
  mine = await harness.addTenant();
  other = await harness.addTenant();
  await seedTenant(harness, mine);
  await seedTenant(harness, other);
  tables = await tenantTables(harness.admin);
  app = new pg.Client({
    host: harness.admin.host,
    port: harness.admin.port,
    user: harness.admin.user,
    password: harness.admin.password ?? '',
    database: harness.admin.database,
    options: '-c search_path=connector -c role=connector_app',
  });
  await app.connect();
});
afterAll(async () => {
  await app.end();
  await harness.close();
});

const tenantOf = (table: string) => (table === 'installation' ? 'id' : 'installation_id');

it('every table has rows of both installations', async () => {
  for (const table of tables) {
    const { rows } = await harness.admin.query<{ tenant: string }>(
      `SELECT DISTINCT ${tenantOf(table)} AS tenant FROM ${table}`,
    );
    expect([table, rows.map(({ tenant }) => tenant).sort()]).toEqual([
      table,
      [mine.installationId, other.installationId].sort(),
    ]);
  }
});

it('nothing is visible without an installation', async () => {
  for (const table of tables) {
    expect([table, (await app.query(`SELECT 1 FROM ${table}`)).rows]).toEqual([table, []]);
  }
});

/** What a statement may look for; every one of them would reach rows of the other installation. */
const CONDITIONS: readonly ((table: string, another: string) => string)[] = [
  () => 'true',
  (table) => `t.${tenantOf(table)} = '${other.installationId}'`,
  (table) => `t.${tenantOf(table)} <> '${mine.installationId}'`,
  (table) => `t.${tenantOf(table)} IN (SELECT ${tenantOf('installation')} FROM installation)`,
  (table, another) => `EXISTS (SELECT FROM ${another} u WHERE u.${tenantOf(another)} <> t.${tenantOf(table)})`,
  (table) => `t.${tenantOf(table)} IS NULL OR t.ctid IS NOT NULL`,
  (table) =>
    `to_jsonb(t)::text LIKE '%${other.installationId}%' OR '${mine.installationId}' <> t.${tenantOf(table)}::text`,
];

/** Each returns the installation of every row that it has read or written. */
const STATEMENTS_ABOUT: readonly ((table: string, another: string, condition: string) => string)[] = [
  (table, _, condition) => `SELECT t.${tenantOf(table)} AS tenant FROM ${table} t WHERE ${condition}`,
  (table, another) =>
    `SELECT u.${tenantOf(another)} AS tenant FROM ${table} t FULL JOIN ${another} u ON t.ctid = u.ctid
     WHERE u.${tenantOf(another)} IS NOT NULL`,
  (table, _, condition) =>
    `WITH found AS MATERIALIZED (SELECT * FROM ${table} t WHERE ${condition}) SELECT ${tenantOf(table)} AS tenant FROM found`,
  (table, _, condition) =>
    `UPDATE ${table} t SET ${tenantOf(table)} = t.${tenantOf(table)} WHERE ${condition} RETURNING t.${tenantOf(table)} AS tenant`,
  (table, _, condition) =>
    `UPDATE ${table} t SET ${tenantOf(table)} = '${other.installationId}' WHERE ${condition} RETURNING t.${tenantOf(table)} AS tenant`,
  (table, _, condition) => `DELETE FROM ${table} t WHERE ${condition} RETURNING t.${tenantOf(table)} AS tenant`,
  (table, _, condition) =>
    `INSERT INTO ${table} SELECT (jsonb_populate_record(t, '{"${tenantOf(table)}": "${other.installationId}"}')).*
     FROM ${table} t WHERE ${condition} RETURNING ${tenantOf(table)} AS tenant`,
  (table, _, condition) => `SELECT t.${tenantOf(table)} AS tenant FROM ${table} t WHERE ${condition} FOR UPDATE`,
];

it(`${(RUNS * STATEMENTS).toString()} random statements reach no row of another installation`, async () => {
  const index = (length: number) => fc.integer({ min: 0, max: length - 1 });
  const statement = fc
    .tuple(index(tables.length), index(tables.length), index(CONDITIONS.length), index(STATEMENTS_ABOUT.length))
    .map(([table, another, condition, form]) => {
      const [here, there] = [tables[table] ?? '', tables[another] ?? ''];
      return STATEMENTS_ABOUT[form]?.(here, there, CONDITIONS[condition]?.(here, there) ?? '') ?? '';
    });
  let read = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(statement, { minLength: STATEMENTS, maxLength: STATEMENTS }), async (statements) => {
      await app.query('BEGIN');
      await app.query(`SELECT set_config('app.installation', $1, true)`, [mine.installationId]);
      for (const text of statements) {
        const tenants = await tenantsReached(text);
        read += tenants.length;
        expect({ text, tenants: [...new Set(tenants)] }).toEqual({
          text,
          tenants: tenants.length === 0 ? [] : [mine.installationId],
        });
      }
      await app.query('ROLLBACK');
    }),
    { numRuns: RUNS, seed: 8, endOnFailure: true },
  );
  // Statements that all fail would prove nothing.
  expect(read).toBeGreaterThan(RUNS);
}, 300_000);

/** Installations of the rows that were read or written; none where the statement is refused. */
async function tenantsReached(text: string): Promise<readonly string[]> {
  await app.query('SAVEPOINT before');
  try {
    const { rows } = await app.query<{ tenant: string }>(text);
    return rows.map(({ tenant }) => tenant);
  } catch (error) {
    // Refused by a grant, a policy, a constraint or a trigger; anything else would be a mistake in the statement.
    expect(String(Reflect.get(Object(error), 'code'))).toMatch(/^(42501|23\d{3}|428C9)$/);
    return [];
  } finally {
    await app.query('ROLLBACK TO before');
  }
}
