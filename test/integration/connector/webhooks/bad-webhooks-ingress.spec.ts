import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import { DataKeyRepository } from '../../../../src/connector/installations/credentials/data-key.repository.js';
import { SubscriptionRepository } from '../../../../src/connector/installations/subscription/subscription.repository.js';
import {
  createToken,
  startConnectorApp,
  storeInstallation,
  type ConnectorUnderTest,
  type StoredInstallation,
} from '../../../support/connector-app.js';
import { signWebhook } from '../../../support/signed-webhook.js';
import { exchange, jobCreated, nowSeconds, signedBy } from './webhook-sender.js';

// Bad inputs at the webhook endpoint, row by row, against the running app (D1.1 to D1.24).

const UNVERIFIED = {
  type: 'urn:problem:not-authenticated',
  title: 'Not authenticated',
  status: 401,
  detail: 'The message could not be verified.',
};

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

const newToken = () => createToken(connector, mine.id, 'bookkeeper');

const path = () => `/webhooks/${mine.endpointToken}`;

async function send(message = signedBy(mine), headers: Readonly<Record<string, string | readonly string[]>> = {}) {
  return exchange(port, { path: path(), headers: { ...message.headers, ...headers }, body: message.body });
}

/** Everything a message may change. */
async function stored(): Promise<number> {
  const { rows } = await connector.admin.query<{ count: number }>(
    `SELECT (SELECT count(*)::int FROM notification) + (SELECT count(*)::int FROM quarantined_notification)
       + (SELECT count(*)::int FROM pgboss.job WHERE name = 'handle-notification') AS count`,
  );
  return rows[0]?.count ?? -1;
}

/** The response is the one 401 for everything that cannot be verified, and nothing is stored. */
async function expectUnverified(sending: () => ReturnType<typeof send>): Promise<void> {
  const before = await stored();
  const answer = await sending();
  expect({ status: answer.status, body: JSON.parse(answer.body) as unknown }).toEqual({
    status: 401,
    body: { ...UNVERIFIED, instance: expect.stringMatching(/^urn:request:/) },
  });
  expect(await stored()).toBe(before);
}

/** The response on a connection over which exactly these bytes are sent. */
async function rawExchange(bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  return readAll(socket);
}

async function readAll(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket) {
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}

describe('a method other than POST [D1.1]', () => {
  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'])('%s gets 405 and Allow [D1.1]', async (method) => {
    const answer = await exchange(port, { method, path: path() });
    expect([answer.status, answer.headers['allow']]).toEqual([405, 'POST']);
  });

  it('TRACE is not served at all [D1.1]', async () => {
    const answer = await rawExchange(`TRACE ${path()} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 (404|405|501) /);
  });
});

describe('an address', () => {
  it.each(['nobody', `endpoint-${randomUUID()}`, 'x'.repeat(299)])(
    'that is unknown gets 404: %.20s [D1.2]',
    async (token) => {
      const { headers, body } = signedBy(mine);
      expect((await exchange(port, { path: `/webhooks/${token}`, headers, body })).status).toBe(404);
    },
  );

  it('of an uninstalled installation gets 410, signed or not [D1.3]', async () => {
    await connector.admin.query(`UPDATE installation SET state = 'uninstalled' WHERE id = $1`, [mine.id]);
    await connector.admin.query(`DELETE FROM data_key WHERE installation_id = $1`, [mine.id]);
    const before = await stored();
    expect((await send()).status).toBe(410);
    expect((await send(signWebhook('whsec_eHh4eHh4eHh4eHh4eHh4eHh4', 'x', 1, Buffer.from('x')))).status).toBe(410);
    expect(await stored()).toBe(before);
  });

  it.each(['//', '/..%2f', '/%252e%252e%252f', '/./../'])('with %s in it is not found [D1.48]', async (trick) => {
    const { headers, body } = signedBy(mine);
    const target = `/webhooks${trick}${mine.endpointToken}`;
    expect((await exchange(port, { path: target, headers, body })).status).toBe(404);
  });
});

describe('a body', () => {
  it.each(['text/xml', 'application/json; charset=utf-16', 'application/jsonx', 'text/plain'])(
    'of the type %s gets 415 [D1.4]',
    async (type) => {
      expect((await send(signedBy(mine), { 'content-type': type })).status).toBe(415);
    },
  );

  it('without a type gets 415 [D1.4]', async () => {
    const { headers, body } = signedBy(mine);
    const untyped = Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'content-type'));
    expect((await exchange(port, { path: path(), headers: untyped, body })).status).toBe(415);
  });

  it.each([64 * 1024 + 1, 300 * 1024])('of %d bytes gets 413 [D1.5]', async (bytes) => {
    const before = await stored();
    expect((await send(signedBy(mine, Buffer.alloc(bytes, 'x')))).status).toBe(413);
    expect(await stored()).toBe(before);
  });

  it('in endless chunks is cut off [D1.5]', async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`POST ${path()} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`);
    socket.write('transfer-encoding: chunked\r\n\r\n');
    const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
    const endless = setInterval(() => socket.writable && socket.write(chunk), 1);
    socket.on('error', () => undefined);
    const answer = await readAll(socket).catch(() => '');
    clearInterval(endless);
    // What is written after the answer may break the connection before the answer is read; that it ends is the point.
    expect(answer === '' || answer.startsWith('HTTP/1.1 413 ')).toBe(true);
  });

  it('that is compressed gets 415 and is not inflated [D1.6]', async () => {
    expect((await send(signedBy(mine), { 'content-encoding': 'gzip' })).status).toBe(415);
  });

  it('with both a length and chunks gets 400 from the parser [D1.7]', async () => {
    const both = 'content-length: 4\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n';
    const answer = await rawExchange(`POST ${path()} HTTP/1.1\r\nhost: localhost\r\n${both}`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  it('that arrives slowly gets 408 after five seconds; others are served meanwhile, and a slow file upload continues [D1.8]', async () => {
    const file = connect(port, '127.0.0.1');
    file.write(`POST /api/v1/mapping/rules/import?mode=merge HTTP/1.1\r\nhost: localhost\r\n`);
    file.write(`authorization: Bearer ${await newToken()}\r\nconnection: close\r\n`);
    file.write('content-type: text/csv\r\ncontent-length: 30\r\n\r\nsubject,source,target\n');
    const read = readAll(file);
    const dribbling = Array.from({ length: 50 }, () => {
      const socket = connect(port, '127.0.0.1');
      socket.on('error', () => undefined);
      socket.write(`POST ${path()} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`);
      socket.write('content-length: 1000\r\n\r\n{');
      return readAll(socket);
    });
    expect((await send()).status).toBe(202);
    for (const answer of await Promise.all(dribbling)) {
      expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    }
    file.write('account,');
    // The whole of it is looked at: without an ETag it is refused.
    expect(await read).toMatch(/^HTTP\/1\.1 428 /);
  });
});

describe('a webhook header', () => {
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('%s is required [D1.9]', async (name) => {
    const { headers, body } = signedBy(mine);
    const rest = Object.fromEntries(Object.entries(headers).filter(([one]) => one !== name));
    await expectUnverified(() => exchange(port, { path: path(), headers: rest, body }));
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('%s must not be repeated [D1.10]', async (name) => {
    const message = signedBy(mine);
    const value = message.headers[name] ?? '';
    await expectUnverified(() => send(message, { [name]: [value, value] }));
  });

  it.each(['a.b', 'a b', 'x'.repeat(129), 'ü', ''])('with the id %.10j is refused [D1.11]', async (id) => {
    await expectUnverified(() => {
      const message = signWebhook(mine.secret, id, nowSeconds(), jobCreated(mine.companyId));
      return send({
        ...message,
        headers: { ...message.headers, 'webhook-id': Buffer.from(id).toString('latin1') },
      });
    });
  });

  it('with a line break in the id is refused by the parser [D1.11]', async () => {
    const lines = `POST ${path()} HTTP/1.1\r\nhost: localhost\r\nwebhook-id: a\rb\r\nconnection: close\r\n\r\n`;
    expect(await rawExchange(lines)).toMatch(/^HTTP\/1\.1 400 /);
  });

  it.each(['hello', '', '-1', '1e9', '0x10', '1768471200abc', '1768471200.9', '1'.repeat(31), Date.now().toString()])(
    'with the timestamp %j is refused [D1.12]',
    async (timestamp) => {
      await expectUnverified(() => send(signedBy(mine), { 'webhook-timestamp': timestamp }));
    },
  );
});

describe('a timestamp', () => {
  it('of 301 s ago gets 401, and schedules a poll when the signature is right [D1.13]', async () => {
    await connector.admin.query(`UPDATE installation SET next_poll_at = now() + interval '1 hour' WHERE id = $1`, [
      mine.id,
    ]);
    expect((await send(signedBy(mine, undefined, undefined, nowSeconds() - 302))).status).toBe(401);
    const { rows } = await connector.admin.query(
      `SELECT next_poll_at <= now() AS due FROM installation WHERE id = $1`,
      [mine.id],
    );
    expect(rows).toEqual([{ due: true }]);
  });

  it.each([-298, 298])('%d s away is accepted [D1.14]', async (offset) => {
    expect((await send(signedBy(mine, undefined, undefined, nowSeconds() + offset))).status).toBe(202);
  });

  it('of 301 s ahead gets 401 [D1.15]', async () => {
    expect((await send(signedBy(mine, undefined, undefined, nowSeconds() + 303))).status).toBe(401);
  });

  it.each([
    [30, 202],
    [34, 401],
  ])('of %d h ago gets %d when it means the generation [D1.16]', async (hours, status) => {
    await connector.admin.query(`UPDATE subscription SET timestamp_meaning = 'generation' WHERE installation_id = $1`, [
      mine.id,
    ]);
    const at = nowSeconds() - hours * 3_600;
    expect((await send(signedBy(mine, undefined, undefined, at))).status).toBe(status);
  });
});

describe('a signature', () => {
  const right = (message = signedBy(mine)) => message.headers['webhook-signature'] ?? '';

  it.each([
    ['empty', () => ''],
    ['only a version', () => 'v1'],
    ['without a value', () => 'v1,'],
    ['without a version', () => right().slice(2)],
    ['cut', () => right().slice(0, 20)],
    ['url-safe', () => right().replaceAll('+', '-').replaceAll('/', '_').replace('=', '~')],
    ['not Base64', () => 'v1,????'],
    ['of zeros', () => `v1,${Buffer.alloc(32).toString('base64')}`],
  ])('of the form %s is refused [D1.17]', async (_, signature) => {
    await expectUnverified(() => send(signedBy(mine), { 'webhook-signature': signature() }));
  });

  it.each(['v2,', 'v1a,', 'V1,'])('that is right but labeled %s is refused [D1.18]', async (label) => {
    const message = signedBy(mine);
    await expectUnverified(() => send(message, { 'webhook-signature': right(message).replace('v1,', label) }));
  });

  it('that is right in a list with wrong ones is accepted [D1.19]', async () => {
    const message = signedBy(mine);
    const wrong = `v1,${Buffer.alloc(32, 1).toString('base64')}`;
    const list = `${wrong} v2,x ${right(message)} ${wrong}`;
    expect((await send(message, { 'webhook-signature': list })).status).toBe(202);
  });

  it('behind eight wrong ones, or a thousand, is not checked [D1.20]', async () => {
    const message = signedBy(mine);
    const wrong = `v1,${Buffer.alloc(32, 1).toString('base64')} `;
    await expectUnverified(() => send(message, { 'webhook-signature': `${wrong.repeat(8)}${right(message)}` }));
    await expectUnverified(() => send(message, { 'webhook-signature': 'v1,a '.repeat(1_000) + right(message) }));
  });

  it('in a header of more than 4 kB is not checked [D1.20]', async () => {
    const message = signedBy(mine);
    const long = `${right(message)} ${'x'.repeat(4_096)}`;
    await expectUnverified(() => send(message, { 'webhook-signature': long }));
  });

  it.each([
    ['inside', '1 minute', 202],
    ['after', '-1 minute', 401],
  ])('with the previous secret is accepted only inside the overlap: %s [D1.21]', async (_, left, status) => {
    await rotatedAway(left);
    expect((await send()).status).toBe(status);
  });

  it('with another tenant’s secret is refused [D1.22]', async () => {
    const other = await storeInstallation(connector, 'Other');
    await expectUnverified(() => send(signedBy({ ...mine, secret: other.secret })));
  });

  it('is never valid while the secret is unknown [D1.23]', async () => {
    await connector.admin.query(`UPDATE subscription SET secret = NULL WHERE installation_id = $1`, [mine.id]);
    await expectUnverified(() => send());
    await expectUnverified(() => send({ ...signedBy(mine), body: Buffer.alloc(0) }));
  });

  it('of a body that was serialized again is refused [D1.24]', async () => {
    const message = signedBy(mine);
    const spaced = Buffer.from(JSON.stringify(JSON.parse(message.body.toString()), null, 1));
    await expectUnverified(() => send({ ...message, body: spaced }));
  });
});

/** Makes the secret of `mine` the previous one, valid for so long. */
async function rotatedAway(left: string): Promise<void> {
  const subscriptions = new SubscriptionRepository(new DataKeyRepository(connector.runtime.keys));
  await connector.runtime.database.inInstallation('rotate', mine.id, (tx) =>
    subscriptions.confirm(tx, mine.id, randomUUID(), `whsec_${Buffer.alloc(24, 9).toString('base64')}`),
  );
  await connector.admin.query(
    `UPDATE subscription SET previous_secret_until = now() + $2::interval WHERE installation_id = $1`,
    [mine.id, left],
  );
}
