import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChangeOperatorTokens } from '../../../../src/connector/access/change-operator-tokens.js';
import { Database } from '../../../../src/foundation/database/database.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs, type Visitor } from './visitor.js';

// The download of all data is read page by page, as slowly as its reader likes, and each page as it is stored then: it ends with the
// right to it (S9).

const [ADA, BO] = [{ sub: 'ada' }, { sub: 'bo' }];
const EXPORT = '/api/v1/installation/export';
/** Much longer than until the next look at the right, for a machine that does other things besides. */
const ENDED_WITHIN_MS = 60_000;

const harness = startedOnce(() => ConnectHarness.start());
let port: number;
let id: string;
let token: string;
let bo: Visitor;
let boId: string;
let response: IncomingMessage | undefined;

beforeAll(async () => {
  await harness.connector.app.listen(0, '127.0.0.1');
  port = Number(new URL(await harness.connector.app.getUrl()).port);
});

beforeEach(async () => {
  harness.platform.restore();
  const company = companyUrn(harness.platform.addCompany().id);
  id = await harness.connect(company, ADA);
  token = await harness.token(id);
  bo = await signIn(harness, company, BO);
  boId = String(at((await whoIs(bo)).json, 'memberId'));
  await asAdmin('PUT', `members/${boId}`, { role: 'admin' });
  // More than the connection holds by itself.
  await harness.admin.query(
    `INSERT INTO mapping_version (installation_id, version, settings, author, created_at)
     SELECT $1, n, json_build_object('long', repeat('x', 10000)), 'me', now() FROM generate_series(1, 3000) n`,
    [id],
  );
});

afterEach(() => {
  response?.destroy();
});

const asAdmin = async (method: 'PUT' | 'DELETE', path: string, body?: object) => {
  expect((await harness.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })).status).toBe(204);
};
const cookieOf = (visitor: Visitor) => ({ cookie: `connector_session=${visitor.session ?? ''}` });

/** A download whose reader takes its time from the first byte on. */
async function begin(headers: Readonly<Record<string, string>>, path = EXPORT): Promise<IncomingMessage> {
  response = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path, headers }, resolve).once('error', reject);
  });
  return response;
}

/** @returns whether the file came to its end */
async function rest(file: IncomingMessage): Promise<boolean> {
  const closed = new Promise((resolve) => file.once('close', resolve));
  // That it was cut off shows in what follows.
  file.on('error', () => undefined).resume();
  await closed;
  return file.complete;
}

/** What the audit log says of the end of the download, once there is one. */
async function ending(): Promise<unknown> {
  const until = Date.now() + ENDED_WITHIN_MS;
  while (Date.now() < until) {
    const { rows } = await harness.admin.query<{ after: object }>(
      `SELECT after FROM audit_entry WHERE installation_id = $1 AND object = 'download' AND action = 'changed'`,
      [id],
    );
    if (rows.length > 0) {
      return at(rows[0], 'after', 'is_complete');
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return 'still under way';
}

describe('a download under way', () => {
  it.each([
    ['the member is removed', () => asAdmin('DELETE', `members/${boId}`)],
    ['the member gets a lower role', () => asAdmin('PUT', `members/${boId}`, { role: 'bookkeeper' })],
    [
      'the session is ended',
      async () => {
        await bo.call('DELETE', '/api/v1/sessions/current', { headers: await csrfOf(bo) });
      },
    ],
  ])('is cut off when %s', async (_, takeAway) => {
    const file = await begin(cookieOf(bo));
    await takeAway();
    expect(await ending()).toBe(false);
    expect(await rest(file)).toBe(false);
  });

  it('is cut off when its token is revoked', async () => {
    const own = await harness.token(id);
    const file = await begin({ authorization: `Bearer ${own}` });
    const { json } = await harness.call('GET', '/api/v1/api-tokens', { token });
    await asAdmin('DELETE', `api-tokens/${String(at(json, 'data', '0', 'id'))}`);
    expect(await ending()).toBe(false);
    expect(await rest(file)).toBe(false);
  });

  it('is cut off when the operator’s token is revoked', async () => {
    const { url } = harness.connector.server;
    const database = await Database.connect({ url, schema: 'connector', applicationName: 'downloads', poolSize: 1 });
    const tokens = new ChangeOperatorTokens(database, 'operator command of root');
    const made = await tokens.add('olga');
    const headers = { authorization: `Bearer ${made.outcome === 'made' ? made.token : ''}` };
    const file = await begin(headers, `/api/v1/operator/installations/${id}/export`);
    await tokens.revoke('olga');
    await database.close();
    expect(await ending()).toBe(false);
    expect(await rest(file)).toBe(false);
  });

  it('goes on for a caller who keeps the right, however slowly it is read', async () => {
    const file = await begin(cookieOf(bo));
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect(await rest(file)).toBe(true);
    expect(await ending()).toBe(true);
  });
});
