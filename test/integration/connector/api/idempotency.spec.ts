import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { createToken, OPERATOR_TOKEN, startConnectorApp, storeInstallation } from '../../../support/connector-app.js';
import { ADMIN_ROUTES } from './admin-routes.js';
import { startedOnce } from '../../../support/started-once.js';

// POST with an Idempotency-Key (D3.13, D3.14). The request in use makes a mapping version of an
// earlier one: sent a second time without a key it is refused, since a save (ours) came in between.

const settings = (wallet: string) => ({
  accounts: { wallets: { EUR: wallet } },
  policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' },
});

interface SaveResponse {
  readonly status: number;
  readonly type: unknown;
  readonly version: unknown;
  readonly etag: unknown;
  readonly replayed: unknown;
  readonly retryAfter: unknown;
}

const connector = startedOnce(startConnectorApp);
let token: string;
let colleague: string;

beforeEach(async () => {
  const { id } = await storeInstallation(connector);
  token = await newToken(id);
  colleague = await newToken(id);
  await save('"0"', '1935', token);
  await save('"1"', '1940', token);
});

const newToken = (installationId: string) => createToken(connector, installationId, 'admin');

async function save(ifMatch: string, wallet: string, as: string): Promise<void> {
  const answer = await connector.app.inject({
    method: 'PUT',
    url: '/api/v1/settings',
    headers: { authorization: `Bearer ${as}`, 'if-match': ifMatch },
    payload: settings(wallet),
  });
  expect(answer.statusCode).toBe(200);
}

async function restore(
  key: string | undefined,
  { version = 1, seen = 2, as = token }: { version?: number; seen?: number; as?: string } = {},
): Promise<SaveResponse> {
  const answer = await connector.app.inject({
    method: 'POST',
    url: `/api/v1/mapping/versions/${version.toString()}/restore`,
    headers: {
      authorization: `Bearer ${as}`,
      'if-match': `"${seen.toString()}"`,
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  });
  const body = answer.json<Record<string, unknown>>();
  return {
    status: answer.statusCode,
    type: body['type'],
    version: body['version'],
    etag: answer.headers.etag,
    replayed: answer.headers['idempotency-replayed'],
    retryAfter: answer.headers['retry-after'],
  };
}

async function versions(): Promise<number> {
  const answer = await connector.app.inject({
    method: 'GET',
    url: '/api/v1/settings',
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.json<{ version: number }>().version;
}

describe('a POST with an Idempotency-Key', () => {
  it('sent again gets the first response, with status and ETag, and has no second effect [D3.13]', async () => {
    const key = randomUUID();
    const first = await restore(key);
    expect(first).toEqual({ status: 200, type: undefined, version: 3, etag: '"3"', replayed: undefined });
    expect(await restore(key)).toEqual({ ...first, replayed: 'true' });
    expect(await versions()).toBe(3);
    expect(await restore(undefined)).toMatchObject({ status: 412 });
  });

  it('of another request, or of another caller, is refused [D3.13]', async () => {
    const key = randomUUID();
    await restore(key);
    for (const other of [{ version: 2 }, { seen: 3 }, { as: colleague }]) {
      expect(await restore(key, other)).toMatchObject({
        status: 422,
        type: 'urn:problem:idempotency-key-reused',
      });
    }
  });

  it('of a request with another body is refused [D3.13]', async () => {
    const key = randomUUID();
    const send = (kinds: readonly string[]) =>
      connector.app.inject({
        method: 'POST',
        url: '/api/v1/reference-data/runs',
        headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
        payload: { kinds },
      });
    expect((await send(['accounts'])).statusCode).toBe(202);
    const again = await send(['accounts']);
    expect([again.statusCode, again.headers['idempotency-replayed']]).toEqual([202, 'true']);
    expect((await send(['vendors'])).statusCode).toBe(422);
  });

  it('is refused while the first is under way, and of many at once one has the effect [D3.13]', async () => {
    const key = randomUUID();
    await connector.admin.query('BEGIN');
    await connector.admin.query('LOCK TABLE mapping_version IN SHARE ROW EXCLUSIVE MODE');
    const first = restore(key);
    await keyIsTaken();
    expect(await restore(key)).toMatchObject({ status: 409, type: 'urn:problem:idempotency-key-in-use' });
    await connector.admin.query('COMMIT');
    expect(await first).toMatchObject({ status: 200, version: 3 });

    const other = randomUUID();
    const answers = await Promise.all(Array.from({ length: 20 }, () => restore(other, { version: 2, seen: 3 })));
    expect(answers.filter(({ status, replayed }) => status === 200 && replayed === undefined)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    expect(await versions()).toBe(4);
  });

  it('of another installation is another key [D3.14]', async () => {
    const key = randomUUID();
    await restore(key);
    const { id } = await storeInstallation(connector, 'Other');
    token = await newToken(id);
    await save('"0"', '1935', token);
    await save('"1"', '1940', token);
    expect(await restore(key)).toMatchObject({ status: 200, version: 3, replayed: undefined });
  });

  it('of a token that is shown once shows it again, and creates no second one [D3.13]', async () => {
    const { id } = await storeInstallation(connector);
    const key = randomUUID();
    const make = (installationId: string) =>
      connector.app.inject({
        method: 'POST',
        url: `/api/v1/operator/installations/${installationId}/api-tokens`,
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': key },
        payload: { role: 'admin', label: 'once', days: 1 },
      });
    const [first, again] = [await make(id), await make(id)];
    expect([first.statusCode, again.statusCode, again.body]).toEqual([201, 201, first.body]);
    expect(again.headers['idempotency-replayed']).toBe('true');
    const { rowCount } = await connector.admin.query(`SELECT FROM api_token WHERE label = 'once'`);
    expect(rowCount).toBe(1);
    expect((await make(randomUUID())).statusCode).toBe(404);
  });

  it('is recorded as an action of the caller', async () => {
    await connector.admin.query('DELETE FROM idempotency_key');
    await restore(randomUUID());
    const { rows } = await connector.admin.query<{ actor: string }>(
      `SELECT actor FROM audit_entry WHERE object = 'mapping_version' ORDER BY occurred_at DESC LIMIT 1`,
    );
    expect(rows).toEqual([{ actor: expect.stringMatching(/^token [0-9a-f-]{36}$/) }]);
  });

  it('may be used again after a refusal', async () => {
    const key = randomUUID();
    expect(await restore(key, { version: 7 })).toMatchObject({ status: 404 });
    expect(await restore(key)).toMatchObject({ status: 200, version: 3, replayed: undefined });
  });

  it('stays in use when the outcome of the request is unknown', async () => {
    const key = randomUUID();
    await connector.admin.query('BEGIN');
    await connector.admin.query('LOCK TABLE mapping_version IN SHARE ROW EXCLUSIVE MODE');
    const ended = restore(key);
    await endWaitingRequests();
    expect(await ended).toMatchObject({ status: 503 });
    await connector.admin.query('ROLLBACK');
    const { status, retryAfter } = await restore(key);
    expect(status).toBe(409);
    expect(Number(retryAfter)).toBeGreaterThan(200);
    expect(Number(retryAfter)).toBeLessThanOrEqual(300);
    await age('begun_at = begun_at - interval $$290 s$$');
    expect(Number((await restore(key)).retryAfter)).toBeLessThanOrEqual(10);
  });

  it('may be used again after a statement that was certainly rolled back', async () => {
    const key = randomUUID();
    await connector.admin.query('BEGIN');
    await connector.admin.query('LOCK TABLE mapping_version IN SHARE ROW EXCLUSIVE MODE');
    expect(await restore(key)).toMatchObject({ status: 503 });
    await connector.admin.query('ROLLBACK');
    expect(await restore(key)).toMatchObject({ status: 200, version: 3, replayed: undefined });
  });

  it('stays in use when the response cannot be stored: the effect is there, and so is the answer', async () => {
    const { id } = await storeInstallation(connector);
    const key = randomUUID();
    const make = () =>
      connector.app.inject({
        method: 'POST',
        url: `/api/v1/operator/installations/${id}/api-tokens`,
        headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'idempotency-key': key },
        payload: { role: 'admin', label: 'on a full disk', days: 1 },
      });
    await connector.admin.query(`
      CREATE FUNCTION fill_disk() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = 'disk_full'; END $$;
      CREATE TRIGGER fill_disk BEFORE UPDATE ON idempotency_key FOR EACH ROW EXECUTE FUNCTION fill_disk()`);
    const [first, again] = [await make(), await make()];
    await connector.admin.query('DROP TRIGGER fill_disk ON idempotency_key; DROP FUNCTION fill_disk()');
    const { rowCount } = await connector.admin.query(`SELECT FROM api_token WHERE label = 'on a full disk'`);
    expect([first.statusCode, again.statusCode, rowCount]).toEqual([201, 409, 1]);
    expect(first.json<{ token?: string }>().token).toMatch(/^cat_/);
  });

  it('of a killed process is executed again after five minutes, and deleted after a day', async () => {
    const key = randomUUID();
    await restore(key);
    await age('begun_at = begun_at - interval $$301 s$$, answer = NULL');
    expect(await restore(key)).toMatchObject({ status: 412, replayed: undefined });

    const other = randomUUID();
    await restore(other, { seen: 3 });
    await age('expires_at = expires_at - interval $$24 h$$');
    expect(await restore(other, { version: 2, seen: 3 })).toMatchObject({ status: 200, version: 4 });
  });

  it.each([
    ['is empty', ''],
    ['has a blank in it', 'a b'],
    ['is too long', 'x'.repeat(256)],
    ['has other letters', 'é'],
    ['is there twice', 'one, two'],
  ])('that %s is a bad request', async (_, key) => {
    expect(await restore(key)).toMatchObject({ status: 400, type: 'urn:problem:invalid-idempotency-key' });
  });

  it('has its response sealed with the installation’s key', async () => {
    await connector.admin.query('DELETE FROM idempotency_key');
    await restore(randomUUID());
    const { rows } = await connector.admin.query<{ answer: string }>('SELECT answer FROM idempotency_key');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter(({ answer }) => !/^v2\.[\w.+/=-]+$/.test(answer))).toEqual([]);
  });
});

async function keyIsTaken(): Promise<void> {
  for (;;) {
    const { rowCount } = await connector.admin.query('SELECT FROM idempotency_key WHERE answer IS NULL');
    if (rowCount === 1) {
      return;
    }
  }
}

/** Breaks the connection of a client that waits for a lock: whether something was committed, it cannot know. */
async function endWaitingRequests(): Promise<void> {
  for (;;) {
    const { rowCount } = await connector.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    if (rowCount === 1) {
      return;
    }
  }
}

async function age(change: string): Promise<void> {
  await connector.admin.query(`UPDATE idempotency_key SET ${change}`);
}

it('every POST of an installation and of the operator accepts the header, and no other method does', async () => {
  const document = (await connector.app.inject({ method: 'GET', url: '/api/openapi.json' })).json<{
    paths: Record<string, Record<string, { parameters?: readonly { name: string }[] }>>;
  }>();
  const taking = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { parameters = [] }]) => parameters.some(({ name }) => name === 'Idempotency-Key'))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const operator = [
    'POST /api/v1/operator/installations',
    'POST /api/v1/operator/installations/{id}/api-tokens',
    'POST /api/v1/operator/installations/{id}/first-admin-codes',
    'POST /api/v1/operator/customers/{id}/jobs/{jobId}/retry',
    'POST /api/v1/operator/customers/{id}/dead-letters/{letterId}/replay',
    'POST /api/v1/operator/workers/{id}/drain',
  ];
  const posts = ADMIN_ROUTES.filter(([method]) => method === 'POST').map(([, path]) => `POST ${path}`);
  expect(taking.sort()).toEqual([...posts, ...operator].sort());
});
