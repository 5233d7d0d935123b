import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ChangeOperatorTokens,
  type OperatorTokenChange,
  type OperatorTokenSummary,
} from '../../../../src/connector/access/change-operator-tokens.js';
import { Database } from '../../../../src/foundation/database/database.js';
import { sql } from '../../../../src/foundation/database/sql.js';
import { startedOnce } from '../../../support/started-once.js';
import { companyUrn, ConnectHarness } from '../installations/connect-harness.js';

// Who operates the service has a name, in the audit log too, and a token that ends at once.

const harness = startedOnce(() => ConnectHarness.start());
let database: Database;
let tokens: ChangeOperatorTokens;
let installation: string;

beforeAll(async () => {
  const { url } = harness.connector.server;
  database = await Database.connect({ url, schema: 'connector', applicationName: 'operator-test', poolSize: 1 });
  tokens = new ChangeOperatorTokens(database, 'operator command of root');
  installation = await harness.connect(companyUrn(harness.platform.addCompany().id));
});
afterAll(() => database.close());

const made = (change: OperatorTokenChange): string => {
  expect(change.outcome).toBe('made');
  return change.outcome === 'made' ? change.token : '';
};
const listed = async (): Promise<readonly OperatorTokenSummary[]> => {
  const all: OperatorTokenSummary[] = [];
  for await (const token of tokens.list()) all.push(token);
  return all;
};
const statusWith = async (token: string): Promise<number> =>
  (await harness.call('GET', '/api/v1/operator/installations', { token })).status;
const makeApiToken = (token: string, key?: string) =>
  harness.call('POST', `/api/v1/operator/installations/${installation}/api-tokens`, {
    token,
    body: { role: 'viewer', label: 'support', days: 1 },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  });

describe('an operator', () => {
  it('is accepted by their own token, until it is replaced or revoked: effective from the next request on', async () => {
    const first = made(await tokens.add('anna'));
    expect(await statusWith(first)).toBe(200);
    const second = made(await tokens.rotate('anna'));
    expect([await statusWith(first), await statusWith(second)]).toEqual([401, 200]);
    expect(await tokens.revoke('anna')).toEqual({ outcome: 'revoked' });
    expect(await statusWith(second)).toBe(401);
  });

  it('is named by the audit log of the installation', async () => {
    const token = made(await tokens.add('bert.script-1'));
    expect((await makeApiToken(token)).status).toBe(201);
    expect(
      await harness.row(
        `SELECT actor, object, action FROM audit_entry WHERE installation_id = $1 ORDER BY position DESC LIMIT 1`,
        installation,
      ),
    ).toEqual({ actor: 'operator bert.script-1', object: 'api_token', action: 'created' });
  });

  it('gets no response made for another operator with the same Idempotency-Key', async () => {
    const [one, other] = [made(await tokens.add('one')), made(await tokens.add('other'))];
    const key = 'the-same-key';
    expect([(await makeApiToken(one, key)).status, (await makeApiToken(other, key)).status]).toEqual([201, 422]);
  });

  it('has no rights of an installation, and the token of a member has none of the operator', async () => {
    const token = made(await tokens.add('carl'));
    expect((await harness.call('GET', '/api/v1/jobs', { token })).status).toBe(401);
    expect(await statusWith(await harness.token(installation))).toBe(401);
    expect(await statusWith('')).toBe(401);
  });
});

describe('installations', () => {
  it('are listed page by page, each once, newest first', async () => {
    const token = made(await tokens.add('gerd'));
    await harness.connect(companyUrn(harness.platform.addCompany().id));
    await harness.connect(companyUrn(harness.platform.addCompany().id));
    const page = async (query: string) =>
      (await harness.call('GET', `/api/v1/operator/installations${query}`, { token })).json;
    const all = await page('');
    expect(all).toMatchObject({ nextCursor: null });
    const first = (await page('?limit=2')) as { readonly data: readonly object[]; readonly nextCursor: string };
    const rest = (await page(`?limit=2&after=${first.nextCursor}`)) as { readonly data: readonly object[] };
    expect({ data: [...first.data, ...rest.data], nextCursor: null }).toEqual(all);
    expect(rest.data).toHaveLength(1);
  });
});

describe('the operator command', () => {
  it.each(['', 'Anna', 'anna b', '-anna', 'a'.repeat(41), 'anna\n'])('refuses a name like %j', async (name) => {
    expect(await tokens.add(name)).toEqual({ outcome: 'invalid-name' });
  });

  it('assigns no name twice, and none to a token that is revoked or unknown', async () => {
    made(await tokens.add('dora'));
    expect(await tokens.add('dora')).toEqual({ outcome: 'name-taken' });
    await tokens.revoke('dora');
    expect(await tokens.add('dora')).toEqual({ outcome: 'name-taken' });
    expect([await tokens.rotate('dora'), await tokens.revoke('dora'), await tokens.rotate('nobody')]).toEqual([
      { outcome: 'unknown' },
      { outcome: 'unknown' },
      { outcome: 'unknown' },
    ]);
  });

  it('lists the tokens without their text, and stores hashes only', async () => {
    const token = made(await tokens.add('emil'));
    await statusWith(token);
    const emil = (await listed()).find(({ name }) => name === 'emil');
    expect(emil).toEqual({
      name: 'emil',
      prefix: token.slice(0, 8),
      createdAt: expect.any(Date),
      rotatedAt: null,
      lastUsedAt: expect.any(Date),
      revokedAt: null,
    });
    const row = await harness.row(`SELECT row_to_json(t)::text AS text FROM operator_token t WHERE name = 'emil'`);
    expect(JSON.stringify(row)).not.toContain(token.slice(8));
  });

  it('lists all tokens, page by page', async () => {
    const before = await listed();
    await harness.admin.query(
      `INSERT INTO operator_token (name, token_hash, prefix, created_at)
       SELECT 'script-' || n, sha256(('script ' || n)::bytea), 'cot_' || lpad(n::text, 4, '0'), now() FROM generate_series(1, 1001) n`,
    );
    expect(await listed()).toHaveLength(before.length + 1_001);
    await harness.admin.query(`DELETE FROM operator_token WHERE name LIKE 'script-%'`);
  });

  it('records who did what, in a record that cannot be changed', async () => {
    made(await tokens.add('frida'));
    made(await tokens.rotate('frida'));
    await tokens.revoke('frida');
    const { rows } = await harness.admin.query(
      `SELECT actor, action FROM operator_token_entry WHERE name = 'frida' ORDER BY position`,
    );
    expect(rows).toEqual(
      ['created', 'rotated', 'revoked'].map((action) => ({ actor: 'operator command of root', action })),
    );
    for (const statement of ['UPDATE operator_token_entry SET actor = actor', 'DELETE FROM operator_token_entry']) {
      await expect(harness.admin.query(statement)).rejects.toThrow('append-only');
    }
  });

  it('cannot be run with the rights of the application', async () => {
    const app = harness.connector.runtime.database;
    for (const statement of [
      sql`INSERT INTO operator_token (name, token_hash, prefix, created_at) VALUES ('x', ''::bytea, 'cot_1234', now())`,
      sql`UPDATE operator_token SET token_hash = ''::bytea`,
      sql`UPDATE operator_token SET revoked_at = NULL`,
      sql`DELETE FROM operator_token`,
      sql`INSERT INTO operator_token_entry (actor, name, action) VALUES ('x', 'x', 'created')`,
      sql`SELECT * FROM operator_token_entry`,
    ]) {
      await expect(app.withoutInstallation('a test', (tx) => tx.execute(statement))).rejects.toThrow(
        'permission denied',
      );
    }
  });
});
