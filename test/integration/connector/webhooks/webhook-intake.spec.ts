import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { SubscriptionReader } from '../../../../src/connector/installations/subscription/subscription.reader.js';
import { SubscriptionRepository } from '../../../../src/connector/installations/subscription/subscription.repository.js';
import { startConnectorApp, storeInstallation, type StoredInstallation } from '../../../support/connector-app.js';
import { signWebhook, type SignedWebhook } from '../../../support/signed-webhook.js';
import { startedOnce } from '../../../support/started-once.js';
import { connectAsAdmin } from '../../../support/test-database.js';

const connector = startedOnce(startConnectorApp);
let mine: StoredInstallation;
const admin = startedOnce(() => connectAsAdmin(connector.server.url, 'public'));

beforeEach(async () => {
  mine = await storeInstallation(connector);
});

const now = () => Math.floor(Date.now() / 1_000);

function jobCreated(
  changes: { readonly companyId?: string; readonly eventId?: string; readonly jobId?: string } = {},
): Buffer {
  const { companyId = mine.companyId, eventId = randomUUID(), jobId = randomUUID() } = changes;
  const data = {
    id: jobId,
    companyId,
    createdAt: '2026-11-20T10:00:00Z',
    expiresIn: 3600,
    numberOfItems: 1,
    status: 'pending',
  };
  return Buffer.from(JSON.stringify({ payload: { data, eventId, eventType: 'v1.export-job.created' } }));
}

function signed(body = jobCreated(), id = `msg_${randomUUID()}`, at = now(), secret = mine.secret): SignedWebhook {
  return signWebhook(secret, id, at, body);
}

async function send({ headers, body }: SignedWebhook, path = `/webhooks/${mine.endpointToken}`) {
  const answer = await connector.app.inject({ method: 'POST', url: path, headers, payload: body });
  return { status: answer.statusCode, type: answer.headers['content-type'], body: answer.body };
}

/** Everything a webhook may change: the inbox and the waiting tasks. */
async function state(): Promise<{ readonly notifications: number; readonly tasks: number }> {
  const count = async (statement: string) => (await admin.query<{ count: number }>(statement)).rows[0]?.count ?? -1;
  return {
    notifications: await count('SELECT count(*)::int AS count FROM connector.notification'),
    tasks: await count(`SELECT count(*)::int AS count FROM pgboss.job WHERE name = 'handle-notification'`),
  };
}

describe('an accepted notification', () => {
  it('is stored with its task before the 2xx', async () => {
    const before = await state();
    expect((await send(signed())).status).toBe(202);
    expect(await state()).toEqual({ notifications: before.notifications + 1, tasks: before.tasks + 1 });
  });

  it('sent a hundred times at once is stored once', async () => {
    const before = await state();
    const message = signed();
    const answers = await Promise.all(Array.from({ length: 100 }, () => send(message)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([...Array<number>(99).fill(200), 202]);
    expect(await state()).toEqual({ notifications: before.notifications + 1, tasks: before.tasks + 1 });
  });

  it('of an event that was stored under another id changes nothing', async () => {
    const body = jobCreated();
    expect((await send(signed(body, 'msg_one'))).status).toBe(202);
    const before = await state();
    expect((await send(signed(body, 'msg_two'))).status).toBe(200);
    expect(await state()).toEqual(before);
  });

  it('with an id that was used for another body is a conflict, and the first one stays', async () => {
    expect((await send(signed(jobCreated(), 'msg_same'))).status).toBe(202);
    const before = await state();
    expect((await send(signed(jobCreated(), 'msg_same'))).status).toBe(409);
    expect(await state()).toEqual(before);
  });

  it('of an unknown type is stored', async () => {
    const payload = {
      data: { companyId: mine.companyId },
      eventId: randomUUID(),
      eventType: 'v9.something.else',
    };
    expect((await send(signed(Buffer.from(JSON.stringify({ payload }))))).status).toBe(202);
  });

  it('may have its payload at the top level', async () => {
    const payload = {
      data: { companyId: mine.companyId },
      eventId: randomUUID(),
      eventType: 'v1.export-job.created',
    };
    expect((await send(signed(Buffer.from(JSON.stringify(payload))))).status).toBe(202);
  });
});

describe('a secret that verified a message', () => {
  const OTHER = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
  const change = (statement: string) => admin.query(`UPDATE connector.${statement}`, [mine.id]);

  /** The secret is another one, and the one before is not accepted any more. */
  async function replaceSecret(): Promise<void> {
    const subscriptions = connector.app.get(SubscriptionRepository, { strict: false });
    await connector.runtime.database.inInstallation('replace secret', mine.id, (tx) =>
      subscriptions.confirm(tx, mine.id, randomUUID(), OTHER),
    );
    await change('subscription SET previous_secret_until = now() WHERE installation_id = $1');
  }

  beforeEach(async () => {
    expect((await send(signed())).status).toBe(202);
  });

  it('verifies nothing once it was replaced, and the new one does', async () => {
    await replaceSecret();
    const before = await state();
    expect((await send(signed())).status).toBe(401);
    expect(await state()).toEqual(before);
    expect((await send(signed(jobCreated(), 'msg_new', now(), OTHER))).status).toBe(202);
    expect((await send(signed())).status).toBe(401);
  });

  it('stores none of several concurrent messages once it was replaced', async () => {
    await replaceSecret();
    const before = await state();
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(signed())));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401]));
    expect(await state()).toEqual(before);
  });

  it('quarantines no malformed message once it was replaced', async () => {
    await replaceSecret();
    expect((await send(signed(Buffer.from('{}')))).status).toBe(401);
    const { rows } = await admin.query('SELECT FROM connector.quarantined_notification WHERE installation_id = $1', [
      mine.id,
    ]);
    expect(rows).toEqual([]);
  });

  it('is valid no longer than the previous secret is accepted', async () => {
    const subscriptions = connector.app.get(SubscriptionRepository, { strict: false });
    const { database } = connector.runtime;
    await database.inInstallation('replace secret', mine.id, (tx) =>
      subscriptions.confirm(tx, mine.id, randomUUID(), OTHER),
    );
    await change(
      `subscription SET previous_secret_until = clock_timestamp() + interval '2 s' WHERE installation_id = $1`,
    );
    const endpoint = await connector.app.get(SubscriptionReader, { strict: false }).findEndpoint(mine.endpointToken);
    expect(endpoint?.signingKeys).toHaveLength(2);
    const isUnchanged = () =>
      database.inInstallation('ask', mine.id, async (tx) => (await endpoint?.isUnchanged(tx)) ?? false);
    expect(await isUnchanged()).toBe(true);
    const ended = `SELECT FROM connector.subscription WHERE installation_id = $1 AND previous_secret_until < clock_timestamp()`;
    while ((await admin.query(ended, [mine.id])).rowCount === 0);
    expect(await isUnchanged()).toBe(false);
  });

  it('verifies nothing of an uninstalled installation', async () => {
    await change(`installation SET state = 'uninstalled' WHERE id = $1`);
    expect((await send(signed())).status).toBe(410);
  });

  it('requires our own header as soon as the platform has confirmed it', async () => {
    const subscriptions = connector.app.get(SubscriptionRepository, { strict: false });
    await connector.runtime.database.inInstallation('confirm header', mine.id, async (tx) => {
      await subscriptions.reserveHeader(tx, mine.id, 'our-own-header');
      await subscriptions.markMaintained(tx, mine.id, 'ACTIVE');
    });
    expect((await send(signed())).status).toBe(401);
  });
});

describe('a message that is not verified', () => {
  const refusals: readonly (readonly [string, () => SignedWebhook])[] = [
    ['without headers', () => ({ body: jobCreated(), headers: { 'content-type': 'application/json' } })],
    ['with a forged signature', () => ({ ...signed(), body: jobCreated() })],
    [
      'signed with another tenant’s secret',
      () => signed(jobCreated(), 'msg_x', now(), `whsec_${Buffer.alloc(24, 1).toString('base64')}`),
    ],
    ['301 seconds old', () => signed(jobCreated(), 'msg_old', now() - 302)],
    ['from the future', () => signed(jobCreated(), 'msg_future', now() + 302)],
    ['that is not JSON and not signed', () => ({ ...signed(), body: Buffer.from('{"payload":') })],
    ['re-serialized on the way', () => ({ ...signed(), body: Buffer.from(`${jobCreated().toString()} `) })],
  ];

  it.each(refusals)('%s gets the same 401 and changes nothing in the inbox', async (_, make) => {
    const before = await state();
    const answer = await send(make());
    expect(answer.status).toBe(401);
    expect(answer.type).toContain('application/problem+json');
    expect(JSON.parse(answer.body)).toMatchObject({
      type: 'urn:problem:not-authenticated',
      title: 'Not authenticated',
      status: 401,
      detail: 'The message could not be verified.',
    });
    expect((await state()).notifications).toBe(before.notifications);
  });

  it('because it is too old schedules a poll', async () => {
    const before = await state();
    await send(signed(jobCreated(), 'msg_late', now() - 4_000));
    expect(await state()).toEqual({ notifications: before.notifications, tasks: before.tasks + 1 });
  });
});

describe('a signed message that is malformed', () => {
  const bodies: readonly (readonly [string, () => Buffer])[] = [
    ['empty', () => Buffer.alloc(0)],
    ['null', () => Buffer.from('null')],
    ['a list', () => Buffer.from('[]')],
    ['a number', () => Buffer.from('1')],
    ['truncated', () => jobCreated().subarray(0, 40)],
    ['trailing garbage', () => Buffer.concat([jobCreated(), Buffer.from('x')])],
    ['NaN', () => Buffer.from('{"payload": NaN}')],
    ['a byte order mark', () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), jobCreated()])],
    ['invalid UTF-8', () => Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])],
    ['duplicate keys', () => Buffer.from('{"payload":{"eventId":"a","eventId":"b"}}')],
    ['ten thousand levels deep', () => Buffer.from('['.repeat(10_000) + ']'.repeat(10_000))],
    [
      'without an event id',
      () => Buffer.from(JSON.stringify({ payload: { data: { companyId: mine.companyId }, eventType: 'x' } })),
    ],
    [
      'with a job id that is none',
      () =>
        Buffer.from(
          jobCreated()
            .toString()
            .replace(/"id":"[^"]*"/, '"id":"{7}"'),
        ),
    ],
  ];

  it.each(bodies)('%s gets 400 and changes nothing', async (_, make) => {
    const before = await state();
    expect((await send(signed(make()))).status).toBe(400);
    expect(await state()).toEqual(before);
  });

  it('of another tenant’s company gets 422 and changes nothing', async () => {
    const other = await storeInstallation(connector, 'Other');
    const before = await state();
    expect((await send(signed(jobCreated({ companyId: other.companyId })))).status).toBe(422);
    expect(await state()).toEqual(before);
  });
});

describe('the webhook endpoint', () => {
  it.each(['GET', 'PUT', 'DELETE', 'PATCH'] as const)('responds to %s with 405 and Allow', async (method) => {
    const answer = await connector.app.inject({ method, url: `/webhooks/${mine.endpointToken}` });
    expect([answer.statusCode, answer.headers.allow]).toEqual([405, 'POST']);
  });

  it('responds to an unknown address with 404', async () => {
    expect((await send(signed(), '/webhooks/endpoint-of-nobody')).status).toBe(404);
  });

  it.each([
    ['text/xml', undefined],
    ['application/json; charset=utf-16', undefined],
    ['application/json', 'gzip'],
  ])('responds to %s with encoding %s with 415', async (type, encoding) => {
    const message = signed();
    const headers = {
      ...message.headers,
      'content-type': type,
      ...(encoding === undefined ? {} : { 'content-encoding': encoding }),
    };
    expect((await send({ ...message, headers })).status).toBe(415);
  });

  it.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'application/json ; charset=utf-8',
  ])('takes %s', async (type) => {
    const message = signed();
    expect((await send({ ...message, headers: { ...message.headers, 'content-type': type } })).status).toBe(202);
  });

  it('responds to more than 64 kB with 413', async () => {
    expect((await send(signed(Buffer.alloc(64 * 1024 + 1, 'x')))).status).toBe(413);
  });
});
