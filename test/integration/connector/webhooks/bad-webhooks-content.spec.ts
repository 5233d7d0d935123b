import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  OPERATOR_TOKEN,
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { TcpProxy } from '../../../support/servers/tcp-proxy.js';
import { createTestDatabase } from '../../../support/test-database.js';
import { exchange, jobCreated, nowSeconds, signedBy } from './webhook-sender.js';

// Signed but bad messages, row by row, against the running app (D1.25 to D1.47).

let connector: ConnectorUnderTest;
let port: number;
let mine: StoredInstallation;

beforeAll(async () => {
  connector = await startConnectorApp();
  await connector.app.listen(0, '127.0.0.1');
  port = Number(new URL(await connector.app.getUrl()).port);
});
afterAll(() => connector.close());
beforeEach(async () => {
  mine = await storeInstallation(connector);
});

async function send(body: Buffer, id = `msg_${randomUUID()}`, installation = mine) {
  const message = signedBy(installation, body, id);
  const path = `/webhooks/${installation.endpointToken}`;
  return exchange(port, { path, headers: message.headers, body: message.body });
}

/** Accepted event types, and the reasons of quarantined messages. */
async function readQuarantined({ id } = mine) {
  const accepted = await connector.admin.query<{ event_type: string }>(
    'SELECT event_type FROM notification WHERE installation_id = $1 ORDER BY received_at',
    [id],
  );
  const aside = await connector.admin.query<{ reason: string; deliveries: number }>(
    'SELECT reason, deliveries FROM quarantined_notification WHERE installation_id = $1 ORDER BY received_at',
    [id],
  );
  return { accepted: accepted.rows.map((row) => row.event_type), aside: aside.rows };
}

const text = (body: string) => Buffer.from(body);
const MALFORMED = { accepted: [], aside: [{ reason: 'malformed', deliveries: 1 }] };

describe('a signed body that is malformed', () => {
  const bodies: readonly (readonly [what: string, row: string, body: () => Buffer])[] = [
    ['invalid UTF-8', 'D1.25', () => Buffer.concat([text('{"a":"'), Buffer.from([0xff, 0xfe]), text('"}')])],
    ['nothing', 'D1.26', () => Buffer.alloc(0)],
    ['null', 'D1.26', () => text('null')],
    ['a list', 'D1.26', () => text('[]')],
    ['a text', 'D1.26', () => text('"x"')],
    ['a number', 'D1.26', () => text('1')],
    ['half a document', 'D1.27', () => jobCreated(mine.companyId).subarray(0, 40)],
    ['garbage behind', 'D1.27', () => Buffer.concat([jobCreated(mine.companyId), text('x')])],
    ['NaN', 'D1.27', () => text('{"payload":NaN}')],
    ['a comment', 'D1.27', () => text('{"payload":{}/* */}')],
    ['a byte order mark', 'D1.27', () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), jobCreated(mine.companyId)])],
    ['a key twice', 'D1.28', () => text('{"payload":{"eventId":"a","eventId":"b"}}')],
    ['ten thousand levels', 'D1.30', () => text('['.repeat(10_000) + ']'.repeat(10_000))],
    ['no payload', 'D1.31', () => text('{}')],
    ['no data', 'D1.31', () => jobCreated(mine.companyId, {}, { data: undefined })],
    ['no eventId', 'D1.31', () => jobCreated(mine.companyId, {}, { eventId: undefined })],
    ['no eventType', 'D1.31', () => jobCreated(mine.companyId, {}, { eventType: undefined })],
    ['an eventId with NUL', 'D1.31', () => jobCreated(mine.companyId, {}, { eventId: 'a\0b' })],
    ['an eventType with half a pair', 'D1.31', () => jobCreated(mine.companyId, {}, { eventType: 'a\ud800' })],
    ['a job id that is none', 'D1.34', () => jobCreated(mine.companyId, { id: '7' })],
    ['a nil job id', 'D1.34', () => jobCreated(mine.companyId, { id: '00000000-0000-0000-0000-000000000000' })],
    ['a job id in braces', 'D1.34', () => jobCreated(mine.companyId, { id: `{${randomUUID()}}` })],
  ];

  it.each(bodies)('of the kind %s: 400, quarantined, and the next message is accepted [%s]', async (_, __, body) => {
    const answer = await send(body());
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect(await readQuarantined()).toEqual(MALFORMED);
    expect((await send(jobCreated(mine.companyId))).status).toBe(202);
  });

  it('sent nine times is stored once and counted [D1.31]', async () => {
    const body = text('{"payload":{}}');
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      expect((await send(body, 'msg_poison')).status).toBe(400);
    }
    expect(await readQuarantined()).toEqual({
      accepted: [],
      aside: [{ reason: 'malformed', deliveries: 9 }],
    });
  });

  it('with __proto__ keys does not change a prototype [D1.29]', async () => {
    const payload = `{"eventId":"e","eventType":"v1.export-job.created","data":{"companyId":"${mine.companyId}"},`;
    for (const poison of ['"__proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}']) {
      const { status } = await send(text(`{"payload":${payload}${poison}}}`));
      expect([202, 200, 400]).toContain(status);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    }
  });

  it('with ids in upper case is read as lower case [D1.34]', async () => {
    const body = jobCreated(mine.companyId.toUpperCase(), { id: randomUUID().toUpperCase() });
    expect((await send(body)).status).toBe(202);
  });
});

describe('a message about', () => {
  it.each(['v1.something.else', 'v2.export-job.created', 'v1.vendor.created'])(
    'the event %s is stored [D1.32, D1.33]',
    async (eventType) => {
      expect((await send(jobCreated(mine.companyId, {}, { eventType }))).status).toBe(202);
      expect(await readQuarantined()).toEqual({ accepted: [eventType], aside: [] });
    },
  );

  it.each([
    ['names no company', { id: 'urn:platform:user:7', size: 7 }],
    ['has no UUIDs', { companyId: 7, id: 'urn:platform:user:7' }],
    ['is a list', []],
    ['is null', null],
  ])('an event that is not handled, and whose data %s, is stored and ignored [D1.32]', async (_, data) => {
    const payload = { eventId: randomUUID(), eventType: 'v1.user.deleted', data };
    expect((await send(text(JSON.stringify({ payload })))).status).toBe(202);
    expect(await readQuarantined()).toEqual({ accepted: ['v1.user.deleted'], aside: [] });
  });

  it('an event that is not handled, without data, gets 400 [D1.31]', async () => {
    expect((await send(jobCreated(mine.companyId, {}, { eventType: 'v1.user.deleted', data: undefined }))).status).toBe(
      400,
    );
  });

  it('a job whose id is a UUID of no version is accepted [D1.34]', async () => {
    expect((await send(jobCreated(mine.companyId, { id: '11111111-1111-1111-1111-111111111111' }))).status).toBe(202);
  });

  it('another tenant’s company gets 422, and that tenant gets nothing of it [D1.35]', async () => {
    const other = await storeInstallation(connector, 'Other');
    expect((await send(jobCreated(other.companyId))).status).toBe(422);
    expect(await readQuarantined()).toEqual({
      accepted: [],
      aside: [{ reason: 'foreign-company', deliveries: 1 }],
    });
    expect(await readQuarantined(other)).toEqual({ accepted: [], aside: [] });
  });

  it('a company of the same organization that is not connected is accepted and quarantined [D1.36]', async () => {
    await connector.admin.query(
      `UPDATE installation SET access_level = 'organization', platform_organization_id = $2 WHERE id = $1`,
      [mine.id, randomUUID()],
    );
    expect((await send(jobCreated(randomUUID()))).status).toBe(202);
    expect(await readQuarantined()).toEqual({
      accepted: [],
      aside: [{ reason: 'company-not-mapped', deliveries: 1 }],
    });
    const { rows } = await connector.admin.query(
      `SELECT extract(epoch FROM start_after - created_on)::int AS after FROM pgboss.job
       WHERE name = 'refuse-unconnected-job' AND data ->> 'installationId' = $1`,
      [mine.id],
    );
    expect(rows).toEqual([{ after: 30 }]);
  });

  it('another company of the organization gets 422 with a credential for one company [D1.35]', async () => {
    await connector.admin.query('UPDATE installation SET platform_organization_id = $2 WHERE id = $1', [
      mine.id,
      randomUUID(),
    ]);
    expect((await send(jobCreated(randomUUID()))).status).toBe(422);
  });

  it('another organization’s company is refused, also with an organization’s credential [D1.35]', async () => {
    const other = await storeInstallation(connector, 'Other');
    const level = `UPDATE installation SET access_level = 'organization', platform_organization_id = $2 WHERE id = $1`;
    await connector.admin.query(level, [mine.id, randomUUID()]);
    await connector.admin.query(level, [other.id, randomUUID()]);
    expect((await send(jobCreated(other.companyId))).status).toBe(422);
  });

  it('a company whose organization the platform has not named is not taken for another organization’s [D1.36]', async () => {
    const other = await storeInstallation(connector, 'Other');
    await connector.admin.query(
      `UPDATE installation SET access_level = 'organization', platform_organization_id = $2 WHERE id = $1`,
      [mine.id, randomUUID()],
    );
    expect((await send(jobCreated(other.companyId))).status).toBe(202);
    expect(await readQuarantined()).toMatchObject({ aside: [{ reason: 'company-not-mapped' }] });
  });

  it.each([
    { data: { expiresIn: 0 }, row: 'D1.37' },
    { data: { expiresIn: -1 }, row: 'D1.37' },
    { data: { expiresIn: 1e12 }, row: 'D1.37' },
    { data: { expiresIn: 'soon' }, row: 'D1.37' },
    { data: { numberOfItems: 0 }, row: 'D1.38' },
    { data: { numberOfItems: 1e9 }, row: 'D1.38' },
    { data: { status: 'completed' }, row: 'D1.39' },
    { data: { anything: { else: [1, 2, 3] } }, row: 'D1.40' },
  ])(
    'a job with $data is accepted: the job is read from the platform, not from the message [$row]',
    async ({ data }) => {
      expect((await send(jobCreated(mine.companyId, data))).status).toBe(202);
    },
  );
});

describe('a repeated message', () => {
  it('with the same body changes nothing [D1.41]', async () => {
    const body = jobCreated(mine.companyId);
    expect((await send(body, 'msg_same')).status).toBe(202);
    expect((await send(body, 'msg_same')).status).toBe(200);
    expect(await readQuarantined()).toEqual({ accepted: ['v1.export-job.created'], aside: [] });
  });

  it('with another body gets 409, and the first one stays [D1.42]', async () => {
    const first = jobCreated(mine.companyId);
    expect((await send(first, 'msg_conflict')).status).toBe(202);
    expect((await send(jobCreated(mine.companyId), 'msg_conflict')).status).toBe(409);
    const { rows } = await connector.admin.query('SELECT body FROM notification WHERE installation_id = $1', [mine.id]);
    expect(rows).toEqual([{ body: first }]);
    expect((await readQuarantined()).aside).toEqual([{ reason: 'conflicting-body', deliveries: 1 }]);
  });

  it('with another id and the same event is a duplicate [D1.43]', async () => {
    const body = jobCreated(mine.companyId);
    expect((await send(body, 'msg_one')).status).toBe(202);
    expect((await send(body, 'msg_two')).status).toBe(200);
    expect((await readQuarantined()).accepted).toHaveLength(1);
  });
});

describe('many messages', () => {
  it('five hundred valid ones at once are all accepted, as are another tenant’s [D1.44]', async () => {
    const other = await storeInstallation(connector, 'Neighbor');
    const bursts = Array.from({ length: 500 }, () => send(jobCreated(mine.companyId)));
    const neighbor = send(jobCreated(other.companyId), 'msg_neighbor', other);
    expect(new Set((await Promise.all(bursts)).map(({ status }) => status))).toEqual(new Set([202]));
    expect((await neighbor).status).toBe(202);
    expect((await readQuarantined()).accepted).toHaveLength(500);
  });

  it('five hundred forged ones get 401 each and write nothing [D1.45]', async () => {
    const forger = { ...mine, secret: `whsec_${Buffer.alloc(24, 3).toString('base64')}` };
    const forged = Array.from({ length: 500 }, () => send(jobCreated(mine.companyId), `msg_${randomUUID()}`, forger));
    expect(new Set((await Promise.all(forged)).map(({ status }) => status))).toEqual(new Set([401]));
    expect(await readQuarantined()).toEqual({ accepted: [], aside: [] });
  });
});

describe('the environment', () => {
  it('an unavailable database gives 503 with Retry-After [D1.46]', async () => {
    const database = await createTestDatabase();
    const address = new URL(database.url);
    const proxy = await TcpProxy.start({ host: address.hostname, port: Number(address.port) });
    address.host = `127.0.0.1:${proxy.port.toString()}`;
    const cutOff = await startConnectorApp({ DATABASE_URL: address.toString() });
    const there = await storeInstallation(cutOff);
    await proxy.close();
    const { headers, body } = signedBy(there);
    const url = `/webhooks/${there.endpointToken}`;
    const answer = await cutOff.app.inject({ method: 'POST', url, headers, payload: body });
    await cutOff.close();
    await database.drop();
    expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
  });

  it('a forwarded address is not trusted: it neither grants nor denies anything [D1.47]', async () => {
    const message = signedBy(mine, jobCreated(mine.companyId), 'msg_forwarded', nowSeconds());
    const headers = {
      ...message.headers,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'evil.example',
    };
    const path = `/webhooks/${mine.endpointToken}`;
    expect((await exchange(port, { path, headers, body: message.body })).status).toBe(202);
  });

  it('an operator’s token does not replace the signature', async () => {
    const message = signedBy(mine);
    const headers = {
      ...message.headers,
      'webhook-signature': 'v1,x',
      authorization: `Bearer ${OPERATOR_TOKEN}`,
    };
    const path = `/webhooks/${mine.endpointToken}`;
    expect((await exchange(port, { path, headers, body: message.body })).status).toBe(401);
  });
});
