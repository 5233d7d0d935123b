import { get, type IncomingMessage } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChangeOperatorTokens } from '../../../../src/connector/access/change-operator-tokens.js';
import { LOOK_EVERY_MS } from '../../../../src/connector/api/downloads/download-rights.js';
import { SystemClock } from '../../../../src/foundation/clock/system-clock.js';
import { Database } from '../../../../src/foundation/database/database.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs, type Visitor } from './visitor.js';

// The download of all data is read page by page, as slowly as its reader likes, and each page as it is stored then: it ends with the
// right to it (S9).

const [ADA, BO] = [{ sub: 'ada' }, { sub: 'bo' }];
const EXPORT = '/api/v1/installation/export';
/** Of a file that has ended: what follows until it is in the audit log, on a machine that does other things besides. */
const WRITTEN_WITHIN_MS = 60_000;

/** The time until the next look at the right passes when a test says so. */
class LooksClock extends SystemClock {
  private readonly waiting: (() => void)[] = [];
  private readonly tests: (() => void)[] = [];

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms !== LOOK_EVERY_MS) {
      return super.sleep(ms, signal);
    }
    await new Promise<void>((resolve, reject) => {
      signal?.addEventListener('abort', () => {
        reject(new Error('closed'));
      });
      this.waiting.push(resolve);
      this.tests.shift()?.();
    });
  }

  /** Waits until a look is awaited, and lets it come. */
  async pass(): Promise<void> {
    if (this.waiting.length === 0) {
      await new Promise<void>((resolve) => this.tests.push(resolve));
    }
    this.waiting.shift()?.();
  }

  forget(): void {
    this.waiting.length = 0;
  }
}

const clock = new LooksClock();
const harness = startedOnce(() => ConnectHarness.start({}, clock));
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
  clock.forget();
});

const asAdmin = async (method: 'PUT' | 'DELETE', path: string, body?: object) => {
  expect((await harness.call(method, `/api/v1/${path}`, { token, ...(body && { body }) })).status).toBe(204);
};
const cookieOf = (visitor: Visitor) => ({ cookie: `connector_session=${visitor.session ?? ''}` });

interface Download {
  /** Reads on. @returns whether the file came to its end */
  rest(): Promise<boolean>;
}

/** A download whose reader takes its time from the first byte on. */
async function begin(headers: Readonly<Record<string, string>>, path = EXPORT): Promise<Download> {
  const file = await new Promise<IncomingMessage>((resolve, reject) => {
    get({ port, path, headers }, resolve).once('error', reject);
  });
  response = file;
  // It may be cut off before anything more is read.
  const closed = new Promise((resolve) => file.once('close', resolve));
  file.on('error', () => undefined);
  return {
    rest: async () => {
      file.resume();
      await closed;
      return file.complete;
    },
  };
}

/** What the audit log says of the end of the download, once there is one. */
async function ending(): Promise<unknown> {
  const until = Date.now() + WRITTEN_WITHIN_MS;
  while (Date.now() < until) {
    const { rows } = await harness.admin.query<{ after: object }>(
      `SELECT after FROM audit_entry WHERE installation_id = $1 AND object = 'download' AND action = 'changed'`,
      [id],
    );
    if (rows.length > 0) {
      return at(rows[0], 'after', 'is_complete');
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
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
    await clock.pass();
    expect(await ending()).toBe(false);
    expect(await file.rest()).toBe(false);
  });

  it('is cut off when its token is revoked', async () => {
    const own = await harness.token(id);
    const file = await begin({ authorization: `Bearer ${own}` });
    const { json } = await harness.call('GET', '/api/v1/api-tokens', { token });
    await asAdmin('DELETE', `api-tokens/${String(at(json, 'data', '0', 'id'))}`);
    await clock.pass();
    expect(await ending()).toBe(false);
    expect(await file.rest()).toBe(false);
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
    await clock.pass();
    expect(await ending()).toBe(false);
    expect(await file.rest()).toBe(false);
  });

  it('goes on for a caller who keeps the right, however slowly it is read', async () => {
    const file = await begin(cookieOf(bo));
    for (let look = 1; look <= 3; look += 1) {
      await clock.pass();
    }
    expect(await file.rest()).toBe(true);
    expect(await ending()).toBe(true);
  });
});
