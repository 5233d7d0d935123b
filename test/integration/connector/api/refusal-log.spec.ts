import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  createToken,
  OPERATOR_TOKEN,
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { signedBy } from '../webhooks/webhook-sender.js';

// Each refusal is one line that says who, what and when, whatever the caller has sent (S57, S58).

const INJECTIONS = [
  '\r\n{"level":"fatal","msg":"forged"}',
  '\u001b[31mred',
  '","msg":"forged',
  '\u2028x',
  '%0d%0aforged',
];

let connector: ConnectorUnderTest;
let mine: StoredInstallation;
let viewer: string;
let written: string[] = [];

beforeAll(async () => {
  connector = await startConnectorApp(
    { LOG_LEVEL: 'info', LOG_FORMAT: 'json' },
    { write: (line) => written.push(line) },
  );
  mine = await storeInstallation(connector);
  viewer = await createToken(connector, mine.id, 'viewer');
});
afterAll(() => connector.close());
beforeEach(() => {
  written = [];
});

type Method = 'GET' | 'POST' | 'PUT';
interface Sent {
  readonly bearer?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
}

async function send(method: Method, url: string, { bearer, headers = {}, body }: Sent = {}) {
  return connector.app.inject({
    method,
    url,
    remoteAddress: '203.0.113.9',
    headers: { ...headers, ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }) },
    ...(body === undefined ? {} : { payload: body }),
  });
}

/** What was logged since the test began, each line as it can be read. */
const lines = () => written.map((line) => JSON.parse(line) as Record<string, unknown>);
const refusals = () => lines().filter(({ msg }) => msg === 'access.refused');

describe('a refusal', () => {
  const anybody = { who: 'nobody', address: '203.0.113.9', level: 'warn' };

  it.each<readonly [string, Method, string, Sent, object]>([
    ['no credential', 'GET', '/api/v1/jobs', {}, { status: 401, route: '/api/v1/jobs' }],
    ['an unknown token', 'GET', '/api/v1/jobs', { bearer: 'cat_x' }, { status: 401, route: '/api/v1/jobs' }],
    [
      'a wrong operator token',
      'GET',
      '/api/v1/operator/installations',
      { bearer: 'x' },
      { status: 401, route: '/api/v1/operator/installations' },
    ],
    [
      'a session that is none',
      'GET',
      '/api/v1/jobs',
      { headers: { cookie: 'connector_session=x' } },
      { status: 401, route: '/api/v1/jobs' },
    ],
  ])('of %s is logged with place, time and address', async (_, method, url, sent, expected) => {
    const answer = await send(method, url, sent);
    expect(refusals()).toEqual([expect.objectContaining({ ...anybody, ...expected, method })]);
    const [line] = refusals();
    expect(line).toMatchObject({ requestId: answer.headers['x-request-id'], time: expect.any(Number) });
  });

  it('of an id that is not the caller’s is logged too, whether it is foreign or unknown', async () => {
    const other = await storeInstallation(connector, 'Other');
    const operator = `/api/v1/operator/installations/${randomUUID()}/export`;
    await send('GET', `/api/v1/jobs/${other.id}`, { bearer: viewer });
    await send('GET', `/api/v1/jobs/${randomUUID()}`, { bearer: viewer });
    await send('GET', operator, { bearer: OPERATOR_TOKEN });
    await send('GET', `/api/v1/nothing-here`, { bearer: viewer });
    const unknown = lines().filter(({ msg }) => msg === 'access.unknown_id');
    const mineToo = { who: expect.stringMatching(/^token /), installationId: mine.id, route: '/api/v1/jobs/:id' };
    expect(unknown).toEqual([
      expect.objectContaining({ ...mineToo, status: 404, address: '203.0.113.9' }),
      expect.objectContaining(mineToo),
      expect.objectContaining({ who: 'operator', route: '/api/v1/operator/installations/:id/export' }),
    ]);
    expect(JSON.stringify(unknown)).not.toContain(other.id);
  });

  it('of a role is logged with the caller', async () => {
    await send('PUT', '/api/v1/settings', { bearer: viewer });
    expect(refusals()).toEqual([
      expect.objectContaining({
        status: 403,
        who: expect.stringMatching(/^token [0-9a-f-]{36}$/),
        installationId: mine.id,
        route: '/api/v1/settings',
      }),
    ]);
  });

  it('of a signature is logged without the secret part of the address', async () => {
    const { headers, body } = signedBy({
      ...mine,
      secret: `whsec_${Buffer.from(randomUUID()).toString('base64')}`,
    });
    await send('POST', `/webhooks/${mine.endpointToken}`, { headers, body });
    expect(refusals()).toEqual([expect.objectContaining({ status: 401, route: '/webhooks/:endpointToken' })]);
    expect(lines()).toContainEqual(expect.objectContaining({ msg: 'webhook.refused', outcome: 'not-verified' }));
    expect(written.join('')).not.toContain(mine.endpointToken);
  });

  it('of a connection attempt is logged as used, unknown or from another browser', async () => {
    await send('GET', `/oauth/callback?state=${randomUUID()}&code=x`, { headers: { host: 'localhost' } });
    expect(lines()).toContainEqual(
      expect.objectContaining({ msg: 'connection.refused', outcome: expect.any(String), level: 'warn' }),
    );
  });
});

describe('the input of a caller', () => {
  it.each(INJECTIONS)('cannot start a log line of its own: %j', async (text) => {
    const header = text.replace(/[^\x20-\x7e]/g, '?');
    await send('GET', `/api/v1/jobs/${encodeURIComponent(text)}?after=${encodeURIComponent(text)}`, {
      bearer: header,
      headers: { 'user-agent': header, 'x-request-id': header },
    });
    await send('GET', `/api/v1/jobs/${encodeURIComponent(text)}`, { bearer: viewer });
    expect(written.every((line) => line.endsWith('}\n') && line.indexOf('\n') === line.length - 1)).toBe(true);
    expect(lines().filter(({ msg }) => msg === 'forged')).toEqual([]);
    expect(['forged', '\u001b'].filter((trace) => written.join('').includes(trace))).toEqual([]);
    expect(refusals()).toHaveLength(1);
  });
});
