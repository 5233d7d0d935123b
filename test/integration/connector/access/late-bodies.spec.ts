import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ChangeOperatorTokens } from '../../../../src/connector/access/change-operator-tokens.js';
import { Database } from '../../../../src/foundation/database/database.js';
import { startedOnce } from '../../../support/started-once.js';
import { at, companyUrn, ConnectHarness } from '../installations/connect-harness.js';
import { csrfOf, signIn, whoIs, type Visitor } from './visitor.js';

// The caller of a request is looked up before its body is read, which may take half a minute: rights that are taken away meanwhile
// do not count for it any more (S9).

/** Longer than what was looked up counts. */
const WAIT_MS = 1_500;
const ADA = { sub: 'ada' };

const harness = startedOnce(() => ConnectHarness.start());
let database: Database;
let port: number;
let company: string;
let id: string;
let ada: Visitor;

beforeAll(async () => {
  await harness.connector.app.listen(0, '127.0.0.1');
  port = Number(new URL(await harness.connector.app.getUrl()).port);
  const { url } = harness.connector.server;
  database = await Database.connect({ url, schema: 'connector', applicationName: 'late-bodies', poolSize: 1 });
});
afterAll(() => database.close());

beforeEach(async () => {
  harness.platform.restore();
  company = companyUrn(harness.platform.addCompany().id);
  id = await harness.connect(company, ADA);
  ada = await signIn(harness, company, ADA);
});

interface LateRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Sends all of a request but its last byte, waits, and sends that. @returns the status of the answer */
function sendLate({ method, path, headers, body }: LateRequest, meanwhile: () => Promise<void>): Promise<number> {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    ...{ host: 'localhost', 'content-type': 'application/json', 'content-length': text.length.toString() },
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text.slice(0, -1)}`);
      const wait = new Promise((over) => setTimeout(over, WAIT_MS));
      wait.then(meanwhile).then(() => socket.write(text.slice(-1)), reject);
    });
    socket.once('data', (chunk) => {
      socket.destroy();
      resolve(Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString())?.[1]));
    });
    socket.on('error', reject);
  });
}

const idOf = async (visitor: Visitor) => String(at((await whoIs(visitor)).json, 'memberId'));
const setRole = async (by: Visitor, memberId: string, role: string) => {
  const answer = await by.call('PUT', `/api/v1/members/${memberId}`, { headers: await csrfOf(by), body: { role } });
  expect(answer.status).toBe(204);
};
const remove = async (memberId: string) => {
  const answer = await ada.call('DELETE', `/api/v1/members/${memberId}`, { headers: await csrfOf(ada) });
  expect(answer.status).toBe(204);
};
const nothing = () => Promise.resolve();
const label = { role: 'viewer', label: 'late', days: 1 };

describe('a request whose body comes late', () => {
  let bo: Visitor;
  let cleo: string;

  beforeEach(async () => {
    bo = await signIn(harness, company, { sub: 'bo' });
    await setRole(ada, await idOf(bo), 'admin');
    cleo = await idOf(await signIn(harness, company, { sub: 'cleo' }));
  });

  const promotion = async (): Promise<LateRequest> => ({
    ...{ method: 'PUT', path: `/api/v1/members/${cleo}`, body: { role: 'admin' } },
    headers: { cookie: `connector_session=${bo.session ?? ''}`, ...(await csrfOf(bo)) },
  });
  const roleOfCleo = async () => at(await harness.row('SELECT role FROM member WHERE id = $1', cleo), 'role');

  it('is handled for a caller who still may', async () => {
    expect(await sendLate(await promotion(), nothing)).toBe(204);
    expect(await roleOfCleo()).toBe('admin');
  });

  it('is refused when its caller was removed meanwhile', async () => {
    const boId = await idOf(bo);
    expect(await sendLate(await promotion(), () => remove(boId))).toBe(401);
    expect(await roleOfCleo()).toBe('viewer');
  });

  it('is refused when the role of its caller was lowered meanwhile', async () => {
    const boId = await idOf(bo);
    expect(await sendLate(await promotion(), () => setRole(ada, boId, 'bookkeeper'))).toBe(403);
    expect(await roleOfCleo()).toBe('viewer');
  });

  it('is refused when the token of its caller was revoked meanwhile', async () => {
    const token = await harness.token(id);
    const request = {
      ...{ method: 'PUT', path: `/api/v1/members/${cleo}`, body: { role: 'admin' } },
      headers: { authorization: `Bearer ${token}` },
    };
    const revoke = async () => {
      await harness.admin.query('DELETE FROM api_token WHERE installation_id = $1', [id]);
    };
    expect(await sendLate(request, revoke)).toBe(401);
    expect(await roleOfCleo()).toBe('viewer');
  });
});

it('a request whose body comes late is refused when the token of its operator was revoked meanwhile', async () => {
  const tokens = new ChangeOperatorTokens(database, 'operator command of root');
  const made = await tokens.add('late');
  const token = made.outcome === 'made' ? made.token : '';
  const request = {
    ...{ method: 'POST', path: `/api/v1/operator/installations/${id}/api-tokens`, body: label },
    headers: { authorization: `Bearer ${token}` },
  };
  expect(await sendLate(request, nothing)).toBe(201);
  const revoke = async () => {
    await tokens.revoke('late');
  };
  expect(await sendLate(request, revoke)).toBe(401);
});
