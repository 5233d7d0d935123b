import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
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

// Messages that are signed and yet bad, row by row, against the running app (spec: reliability §d1 rows 25 to 47).

let connector: ConnectorUnderTest;
let admin: pg.Client;
let port: number;
let mine: StoredInstallation;

beforeAll(async () => {
  connector = await startConnectorApp();
  await connector.app.listen(0, '127.0.0.1');
  port = Number(new URL(await connector.app.getUrl()).port);
  admin = new pg.Client({ connectionString: connector.server.url, options: '-c search_path=connector' });
  await admin.connect();
});
afterAll(async () => {
  await admin.end();
  await connector.close();
});
beforeEach(async () => {
  mine = await storeInstallation(connector);
});

async function send(body: Buffer, id = `msg_${randomUUID()}`, installation = mine) {
  const message = signedBy(installation, body, id);
  const path = `/webhooks/${installation.endpointToken}`;
  return exchange(port, { path, headers: message.headers, body: message.body });
}

/** Event types accepted, and the reasons of what is kept aside. */
async function readQuarantined({ id } = mine) {
  const accepted = await admin.query<{ event_type: string }>(
    'SELECT event_type FROM notification WHERE installation_id = $1 ORDER BY received_at',
    [id],
  );
  const aside = await admin.query<{ reason: string; deliveries: number }>(
    'SELECT reason, deliveries FROM quarantined_notification WHERE installation_id = $1 ORDER BY received_at',
    [id],
  );
  return { accepted: accepted.rows.map((row) => row.event_type), aside: aside.rows };
}

const text = (body: string) => Buffer.from(body);
const MALFORMED = { accepted: [], aside: [{ reason: 'malformed', deliveries: 1 }] };

describe('a signed body that is none', () => {
  const bodies: readonly (readonly [row: string, what: string, body: () => Buffer])[] = [
    ['d1.25', 'invalid UTF-8', () => Buffer.concat([text('{"a":"'), Buffer.from([0xff, 0xfe]), text('"}')])],
    ['d1.26', 'nothing', () => Buffer.alloc(0)],
    ['d1.26', 'null', () => text('null')],
    ['d1.26', 'a list', () => text('[]')],
    ['d1.26', 'a text', () => text('"x"')],
    ['d1.26', 'a number', () => text('1')],
    ['d1.27', 'half a document', () => jobCreated(mine.companyId).subarray(0, 40)],
    ['d1.27', 'garbage behind', () => Buffer.concat([jobCreated(mine.companyId), text('x')])],
    ['d1.27', 'NaN', () => text('{"payload":NaN}')],
    ['d1.27', 'a comment', () => text('{"payload":{}/* */}')],
    [
      'd1.27',
      'a byte order mark',
      () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), jobCreated(mine.companyId)]),
    ],
    ['d1.28', 'a key twice', () => text('{"payload":{"eventId":"a","eventId":"b"}}')],
    ['d1.30', 'ten thousand levels', () => text('['.repeat(10_000) + ']'.repeat(10_000))],
    ['d1.31', 'no payload', () => text('{}')],
    ['d1.31', 'no data', () => jobCreated(mine.companyId, {}, { data: undefined })],
    ['d1.31', 'no eventId', () => jobCreated(mine.companyId, {}, { eventId: undefined })],
    ['d1.31', 'no eventType', () => jobCreated(mine.companyId, {}, { eventType: undefined })],
    ['d1.34', 'a job id that is none', () => jobCreated(mine.companyId, { id: '7' })],
    [
      'd1.34',
      'a nil job id',
      () => jobCreated(mine.companyId, { id: '00000000-0000-0000-0000-000000000000' }),
    ],
    ['d1.34', 'a job id in braces', () => jobCreated(mine.companyId, { id: `{${randomUUID()}}` })],
  ];

  it.each(bodies)('%s %s: 400, kept aside, and the next message is taken', async (_, __, body) => {
    const answer = await send(body());
    expect([answer.status, answer.headers['content-type']]).toEqual([400, 'application/problem+json']);
    expect(await readQuarantined()).toEqual(MALFORMED);
    expect((await send(jobCreated(mine.companyId))).status).toBe(202);
  });

  it('d1.31 sent nine times is kept once and counted', async () => {
    const body = text('{"payload":{}}');
    for (let attempt = 1; attempt <= 9; attempt += 1) {
      expect((await send(body, 'msg_poison')).status).toBe(400);
    }
    expect(await readQuarantined()).toEqual({
      accepted: [],
      aside: [{ reason: 'malformed', deliveries: 9 }],
    });
  });

  it('d1.29 with keys that reach for a prototype changes none', async () => {
    const payload = `{"eventId":"e","eventType":"v1.export-job.created","data":{"companyId":"${mine.companyId}"},`;
    for (const poison of ['"__proto__":{"polluted":1}', '"constructor":{"prototype":{"polluted":1}}']) {
      const { status } = await send(text(`{"payload":${payload}${poison}}}`));
      expect([202, 200, 400]).toContain(status);
      expect(Reflect.get({}, 'polluted')).toBeUndefined();
    }
  });

  it('d1.34 with ids in capitals is read as if they were small', async () => {
    const body = jobCreated(mine.companyId.toUpperCase(), { id: randomUUID().toUpperCase() });
    expect((await send(body)).status).toBe(202);
  });
});

describe('a message about', () => {
  it.each(['v1.something.else', 'v2.export-job.created', 'v1.vendor.created'])(
    'd1.32 d1.33 the event %s is stored and ignored',
    async (eventType) => {
      expect((await send(jobCreated(mine.companyId, {}, { eventType }))).status).toBe(202);
      expect(await readQuarantined()).toEqual({ accepted: [eventType], aside: [] });
    },
  );

  it('d1.35 another tenant’s company gets 422, and that tenant has nothing of it', async () => {
    const other = await storeInstallation(connector, 'Other');
    expect((await send(jobCreated(other.companyId))).status).toBe(422);
    expect(await readQuarantined()).toEqual({
      accepted: [],
      aside: [{ reason: 'foreign-company', deliveries: 1 }],
    });
    expect(await readQuarantined(other)).toEqual({ accepted: [], aside: [] });
  });

  it('d1.36 a company of the same organization that is not connected is accepted and parked', async () => {
    await admin.query(
      `UPDATE installation SET access_level = 'organisation', platform_organization_id = $2 WHERE id = $1`,
      [mine.id, randomUUID()],
    );
    expect((await send(jobCreated(randomUUID()))).status).toBe(202);
    expect(await readQuarantined()).toEqual({
      accepted: [],
      aside: [{ reason: 'company-not-mapped', deliveries: 1 }],
    });
  });

  it('d1.35 another company of the organization gets 422 where the credential is for one company', async () => {
    await admin.query('UPDATE installation SET platform_organization_id = $2 WHERE id = $1', [
      mine.id,
      randomUUID(),
    ]);
    expect((await send(jobCreated(randomUUID()))).status).toBe(422);
  });

  it('d1.35 another organization’s company is refused though the credential is an organization’s', async () => {
    const other = await storeInstallation(connector, 'Other');
    const level = `UPDATE installation SET access_level = 'organisation', platform_organization_id = $2 WHERE id = $1`;
    await admin.query(level, [mine.id, randomUUID()]);
    await admin.query(level, [other.id, randomUUID()]);
    expect((await send(jobCreated(other.companyId))).status).toBe(422);
  });

  it.each([
    ['d1.37', { expiresIn: 0 }],
    ['d1.37', { expiresIn: -1 }],
    ['d1.37', { expiresIn: 1e12 }],
    ['d1.37', { expiresIn: 'soon' }],
    ['d1.38', { numberOfItems: 0 }],
    ['d1.38', { numberOfItems: 1e9 }],
    ['d1.39', { status: 'completed' }],
    ['d1.40', { anything: { else: [1, 2, 3] } }],
  ])('%s a job with %j is accepted: the platform is asked, not the message', async (_, data) => {
    expect((await send(jobCreated(mine.companyId, data))).status).toBe(202);
  });
});

describe('a message that comes again', () => {
  it('d1.41 with the same body changes nothing', async () => {
    const body = jobCreated(mine.companyId);
    expect((await send(body, 'msg_same')).status).toBe(202);
    expect((await send(body, 'msg_same')).status).toBe(200);
    expect(await readQuarantined()).toEqual({ accepted: ['v1.export-job.created'], aside: [] });
  });

  it('d1.42 with another body gets 409, and the first one stands', async () => {
    const first = jobCreated(mine.companyId);
    expect((await send(first, 'msg_conflict')).status).toBe(202);
    expect((await send(jobCreated(mine.companyId), 'msg_conflict')).status).toBe(409);
    const { rows } = await admin.query('SELECT body FROM notification WHERE installation_id = $1', [mine.id]);
    expect(rows).toEqual([{ body: first }]);
    expect((await readQuarantined()).aside).toEqual([{ reason: 'conflicting-body', deliveries: 1 }]);
  });

  it('d1.43 under another id, of the same event, is no second one', async () => {
    const body = jobCreated(mine.companyId);
    expect((await send(body, 'msg_one')).status).toBe(202);
    expect((await send(body, 'msg_two')).status).toBe(200);
    expect((await readQuarantined()).accepted).toHaveLength(1);
  });
});

describe('many messages', () => {
  it('d1.44 five hundred valid ones at once are all taken, and a neighbor’s too', async () => {
    const other = await storeInstallation(connector, 'Neighbor');
    const bursts = Array.from({ length: 500 }, () => send(jobCreated(mine.companyId)));
    const neighbor = send(jobCreated(other.companyId), 'msg_neighbor', other);
    expect(new Set((await Promise.all(bursts)).map(({ status }) => status))).toEqual(new Set([202]));
    expect((await neighbor).status).toBe(202);
    expect((await readQuarantined()).accepted).toHaveLength(500);
  });

  it('d1.45 five hundred forged ones get 401 each and write nothing', async () => {
    const forger = { ...mine, secret: `whsec_${Buffer.alloc(24, 3).toString('base64')}` };
    const forged = Array.from({ length: 500 }, () =>
      send(jobCreated(mine.companyId), `msg_${randomUUID()}`, forger),
    );
    expect(new Set((await Promise.all(forged)).map(({ status }) => status))).toEqual(new Set([401]));
    expect(await readQuarantined()).toEqual({ accepted: [], aside: [] });
  });
});

describe('the surroundings', () => {
  it('d1.46 a database that is away is told with 503 and Retry-After', async () => {
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

  it('d1.47 a forwarded address is not believed: it lets nobody in and keeps nobody out', async () => {
    const message = signedBy(mine, jobCreated(mine.companyId), 'msg_forwarded', nowSeconds());
    const headers = {
      ...message.headers,
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'evil.example',
    };
    const path = `/webhooks/${mine.endpointToken}`;
    expect((await exchange(port, { path, headers, body: message.body })).status).toBe(202);
  });

  it('d1 nothing of an operator’s token helps at this door', async () => {
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
