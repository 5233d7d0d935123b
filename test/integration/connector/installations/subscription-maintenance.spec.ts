import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { RecordIntake } from '../../../../src/connector/installations/record-intake.js';
import { PlatformApi } from '../../../../src/connector/platform/platform-api.js';
import { SubscriptionRepository } from '../../../../src/connector/installations/subscription/subscription.repository.js';
import type { StoredInstallation } from '../../../support/connector-app.js';
import { toCompanyId, toInstallationId } from '../../../../src/kernel/ids.js';
import { respondingWith } from '../../../support/servers/misbehaving-server.js';
import type { PlatformCompanyData, SubscriptionData } from '../../../support/platform/platform-server.js';
import { at, companyUrn, ConnectHarness } from './connect-harness.js';
import { signedBy } from '../webhooks/webhook-sender.js';
import { startedOnce } from '../../../support/started-once.js';

// Exactly one subscription per customer, at our address (S15, S16; I33).

const harness = startedOnce(() => ConnectHarness.start());
let company: PlatformCompanyData;
let id: string;

beforeEach(async () => {
  harness.platform.restore();
  harness.platform.subscriptions.clear();
  company = harness.platform.addCompany();
  id = await harness.connect(companyUrn(company.id));
  harness.platform.seen.length = 0;
});

/** The one subscription the platform has. */
function only(): SubscriptionData {
  const [subscription, ...others] = harness.platform.subscriptions.values();
  if (subscription === undefined || others.length > 0) {
    throw new Error(`there are ${harness.platform.subscriptions.size.toString()} subscriptions`);
  }
  return subscription;
}

/** What the platform would send now. */
async function deliver(
  subscription: SubscriptionData,
  secret = subscription.secret,
  headers = subscription.customHeaders,
): Promise<number> {
  const endpointToken = subscription.endpointUrl.split('/').at(-1) ?? '';
  const installation: StoredInstallation = {
    id: toInstallationId(id),
    companyId: toCompanyId(company.id),
    endpointToken,
    secret,
  };
  const message = signedBy(installation);
  const answer = await harness.connector.app.inject({
    method: 'POST',
    url: `/webhooks/${endpointToken}`,
    headers: { ...message.headers, ...headers },
    payload: message.body,
  });
  return answer.statusCode;
}

/** As a platform that shows a secret once, and has shown it. */
function hideSecretOf(subscriptionId: string, body: unknown = { type: 'NOT_FOUND', message: 'it was shown' }): void {
  const hidden = respondingWith(404, body);
  harness.platform.next(`GET /v1/subscriptions/${subscriptionId}/secret`, hidden, hidden, hidden);
}

const shown = async () => (await harness.call('GET', '/api/v1/subscription', { token: await harness.token(id) })).json;

const ROTATION = '/api/v1/subscription/secret-rotation';
const EVENTS = ['v1.export-job.created', 'v1.vendor.created'];

const claimDue = () =>
  harness.connector.runtime.database.acrossInstallations('test', (tx) =>
    harness.get(SubscriptionRepository).claimMaintenanceDue(tx, 100),
  );

describe('the subscription', () => {
  it('is created with the credential of the connection, for the export and the vendor event, with our own header', () => {
    expect(only()).toMatchObject({
      eventTypes: EVENTS,
      status: 'ACTIVE',
      customHeaders: { 'x-connector-key': expect.stringMatching(/^[\w-]{32}$/) },
    });
  });

  it('delivers, and only with the second factor', async () => {
    const wrong = { 'x-connector-key': 'x'.repeat(32) };
    expect(await deliver(only())).toBe(202);
    expect(await deliver(only(), only().secret, {})).toBe(401);
    expect(await deliver(only(), only().secret, wrong)).toBe(401);
  });

  it.each([400, 403, 422])(
    'is for the export event alone where the platform responds %d to the vendor event',
    async (status) => {
      harness.platform.subscriptions.clear();
      harness.platform.next('POST /v1/subscriptions', respondingWith(status, '{}'));
      await harness.maintainSubscription(id);
      expect(only()).toMatchObject({ status: 'ACTIVE', eventTypes: ['v1.export-job.created'] });
      expect(await deliver(only())).toBe(202);
    },
  );

  it('is maintained without creating a second one', async () => {
    const before = only();
    await harness.maintainSubscription(id);
    expect(only()).toEqual(before);
    expect(harness.platform.calls()).not.toContain('POST /v1/subscriptions');
  });

  it('that was deleted, disabled or changed is restored by the next maintenance', async () => {
    const before = only();
    harness.platform.subscriptions.set(before.id, {
      ...before,
      status: 'INACTIVE',
      eventTypes: ['v1.vendor.created'],
    });
    await harness.maintainSubscription(id);
    expect(only()).toMatchObject({ status: 'ACTIVE', eventTypes: EVENTS });
    harness.platform.subscriptions.clear();
    await harness.maintainSubscription(id);
    expect(only().endpointUrl).toBe(before.endpointUrl);
    expect(await deliver(only())).toBe(202);
  });

  it('is due again after a day, or a quarter of an hour after a failure', async () => {
    const dueIn = () =>
      harness.row(
        `SELECT round(extract(epoch FROM next_maintenance_at - now()) / 60)::int AS minutes FROM subscription
         WHERE installation_id = $1`,
        id,
      );
    expect(await dueIn()).toEqual({ minutes: 24 * 60 });
    await harness.admin.query('UPDATE subscription SET next_maintenance_at = now() WHERE installation_id = $1', [id]);
    expect(await claimDue()).toEqual([id]);
    expect(await claimDue()).toEqual([]);
    expect(await dueIn()).toEqual({ minutes: 15 });
  });

  it('is due soon after a long gap of the intake', async () => {
    await harness.admin.query(
      `INSERT INTO intake_heartbeat (last_beat_at) VALUES (now() - interval '11 minutes')
       ON CONFLICT (singleton) DO UPDATE SET last_beat_at = EXCLUDED.last_beat_at`,
    );
    await harness.get(RecordIntake).record();
    expect(
      await harness.row(
        `SELECT next_maintenance_at <= now() + interval '15 minutes' AS soon FROM subscription WHERE installation_id = $1`,
        id,
      ),
    ).toEqual({ soon: true });
  });

  it.each(['whsec_', '', 'whsec_c2hvcnQ=', 'no secret'])(
    'with the secret %j from the platform is refused [D1.23]',
    async (secret) => {
      const before = await harness.row('SELECT secret FROM subscription WHERE installation_id = $1', id);
      only().secret = secret;
      await expect(harness.maintainSubscription(id)).rejects.toThrow('signing secret');
      expect(await harness.row('SELECT secret FROM subscription WHERE installation_id = $1', id)).toEqual(before);
    },
  );

  it.each([
    ['in its usual form', { type: 'NOT_FOUND', message: 'it was shown' }],
    ['without a body, as none is declared', ''],
    ['in the form of its framework', { status: 404, error: 'Not Found' }],
  ])('keeps the secret that is stored where the platform shows it once only and says so %s', async (_, body) => {
    const { id: kept } = only();
    hideSecretOf(kept, body);
    await harness.maintainSubscription(id);
    expect([only().id, await deliver(only())]).toEqual([kept, 202]);
  });

  it('is replaced where a run was interrupted before it had stored a secret that is shown once only', async () => {
    const { id: lost } = only();
    await harness.admin.query(
      'UPDATE subscription SET platform_subscription_id = NULL, secret = NULL WHERE installation_id = $1',
      [id],
    );
    hideSecretOf(lost);
    await harness.maintainSubscription(id);
    expect(only().id).not.toBe(lost);
    expect(await deliver(only())).toBe(202);
  });
});

describe('other subscriptions', () => {
  it('at our address are deleted', async () => {
    const kept = only();
    harness.platform.addSubscription(kept.endpointUrl);
    await harness.maintainSubscription(id);
    expect(only().id).toBe(kept.id);
  });

  it('that a request delivered twice has created are deleted at once', async () => {
    harness.platform.subscriptions.clear();
    const platformApi = harness.get(PlatformApi);
    const create = platformApi.createSubscription.bind(platformApi);
    const creating = jest.spyOn(platformApi, 'createSubscription').mockImplementation(async (...request) => {
      await create(...request);
      return create(...request);
    });
    await harness.maintainSubscription(id);
    creating.mockRestore();
    expect(await shown()).toMatchObject({ platformSubscriptionId: only().id });
    expect(await deliver(only())).toBe(202);
  });

  it('of which another run has deleted ours before we knew its secret are looked at again', async () => {
    harness.platform.subscriptions.clear();
    const platformApi = harness.get(PlatformApi);
    const create = platformApi.createSubscription.bind(platformApi);
    const creating = jest.spyOn(platformApi, 'createSubscription').mockImplementationOnce(async (...request) => {
      const created = await create(...request);
      harness.platform.subscriptions.delete(created.id);
      return created;
    });
    await harness.maintainSubscription(id);
    creating.mockRestore();
    expect(await deliver(only())).toBe(202);
  });

  it('at an address of ours without an installation are deleted', async () => {
    const kept = only();
    harness.platform.addSubscription(`http://localhost:3000/webhooks/${'x'.repeat(32)}`);
    await harness.maintainSubscription(id);
    expect(only().id).toBe(kept.id);
  });

  it('at another host’s or installation’s address are not touched', async () => {
    const sibling = harness.platform.addCompany();
    await harness.connect(companyUrn(sibling.id));
    const strangers = [
      harness.platform.addSubscription('https://elsewhere.example/webhooks/abc'),
      harness.platform.addSubscription('http://localhost:3000.evil.example/webhooks/abc'),
      harness.platform.addSubscription('http://localhost:3000/webhooks/abc/def'),
    ];
    await harness.maintainSubscription(id);
    expect([...harness.platform.subscriptions.keys()]).toEqual(
      expect.arrayContaining(strangers.map((stranger) => stranger.id)),
    );
    expect(harness.platform.subscriptions.size).toBe(5);
  });
});

describe('a rotation of the secret', () => {
  const rotate = async () => harness.call('POST', ROTATION, { token: await harness.token(id) });

  it('leaves one subscription with a new secret; the old one is accepted for a day and no longer', async () => {
    const before = only();
    expect((await rotate()).status).toBe(202);
    await harness.maintainSubscription(id);
    const after = only();
    expect(after.secret).not.toBe(before.secret);
    expect(after.id).not.toBe(before.id);
    expect([await deliver(after), await deliver(after, before.secret)]).toEqual([202, 202]);
    expect(await shown()).toMatchObject({
      rotationRequestedAt: null,
      previousSecretUntil: expect.any(String),
    });
    await harness.admin.query('UPDATE subscription SET previous_secret_until = now() WHERE installation_id = $1', [id]);
    expect([await deliver(after), await deliver(after, before.secret)]).toEqual([202, 401]);
  });

  it.each([
    ['before the platform made the second subscription', 'POST /v1/subscriptions'],
    ['before the new secret was read', undefined],
    ['before the first one was deleted', 'DELETE'],
  ])('that is interrupted %s is completed by the next maintenance, and loses no message', async (_, call) => {
    const before = only();
    await rotate();
    harness.platform.next(
      call === 'DELETE' ? `DELETE /v1/subscriptions/${before.id}` : (call ?? 'POST /v1/subscriptions'),
      ...(call === undefined ? [] : [respondingWith(418, { type: 'CUT', message: '' })]),
    );
    if (call === undefined) {
      const made = harness.platform.addSubscription(before.endpointUrl);
      harness.platform.next(
        `GET /v1/subscriptions/${made.id}/secret`,
        respondingWith(418, { type: 'CUT', message: '' }),
      );
    }
    await expect(harness.maintainSubscription(id)).rejects.toThrow();
    expect(await deliver(before)).toBe(202);
    await harness.maintainSubscription(id);
    expect(only().id).not.toBe(before.id);
    expect([await deliver(only()), await deliver(only(), before.secret)]).toEqual([202, 202]);
  });

  it('that the task and the schedule carry out at the same time leaves one subscription, which delivers', async () => {
    const before = only();
    await rotate();
    // Neither has seen what the other creates.
    const platformApi = harness.get(PlatformApi);
    const create = platformApi.createSubscription.bind(platformApi);
    const both = Promise.withResolvers<undefined>();
    const creating = jest.spyOn(platformApi, 'createSubscription').mockImplementation(async (...request) => {
      if (creating.mock.calls.length === 2) {
        both.resolve(undefined);
      }
      await both.promise;
      return create(...request);
    });
    await Promise.all([harness.maintainSubscription(id), harness.maintainSubscription(id)]);
    creating.mockRestore();
    expect(only().id).not.toBe(before.id);
    expect([await deliver(only()), await deliver(only(), before.secret)]).toEqual([202, 202]);
    expect(await shown()).toMatchObject({ platformSubscriptionId: only().id, rotationRequestedAt: null });
  });

  it('loses none of many messages that arrive meanwhile', async () => {
    const before = only();
    await rotate();
    const deliveries = Array.from({ length: 100 }, () => deliver(before));
    await harness.maintainSubscription(id);
    deliveries.push(...Array.from({ length: 100 }, () => deliver(only())), deliver(only(), before.secret));
    expect(new Set(await Promise.all(deliveries))).toEqual(new Set([202]));
  });
});

describe('the requested status of a subscription', () => {
  const want = async (body: object, role: 'viewer' | 'bookkeeper' | 'admin' = 'admin') =>
    harness.call('PUT', '/api/v1/subscription', { token: await harness.token(id, role), body });

  it('is what the platform has in the end, also if a run with the status before is the last to send it', async () => {
    const platformApi = harness.get(PlatformApi);
    const update = platformApi.updateSubscription.bind(platformApi);
    const updating = jest.spyOn(platformApi, 'updateSubscription').mockImplementationOnce(async (...request) => {
      await want({ status: 'INACTIVE' });
      await harness.maintainSubscription(id);
      return update(...request);
    });
    await harness.maintainSubscription(id);
    updating.mockRestore();
    expect(only().status).toBe('INACTIVE');
    expect(await shown()).toMatchObject({ wantedStatus: 'INACTIVE', confirmedStatus: 'INACTIVE' });
  });

  it.each([
    ['status', () => want({ status: 'INACTIVE' })],
    ['secret', async () => harness.call('POST', ROTATION, { token: await harness.token(id) })],
  ])('or a new %s is due at once, also if it is wanted while a run is at its end', async (_, change) => {
    harness.platform.addSubscription(only().endpointUrl);
    const platformApi = harness.get(PlatformApi);
    const remove = platformApi.deleteSubscription.bind(platformApi);
    const removing = jest.spyOn(platformApi, 'deleteSubscription').mockImplementationOnce(async (...request) => {
      expect((await change()).status).toBe(202);
      await remove(...request);
    });
    await harness.maintainSubscription(id);
    removing.mockRestore();
    // The task that was queued with it may be lost; the schedule goes by this.
    expect(await claimDue()).toEqual([id]);
  });

  it('is sent to the platform in the background', async () => {
    const answer = await want({ status: 'INACTIVE' });
    expect([answer.status, at(answer.json, 'wantedStatus'), at(answer.json, 'confirmedStatus')]).toEqual([
      202,
      'INACTIVE',
      'ACTIVE',
    ]);
    await harness.maintainSubscription(id);
    expect(only().status).toBe('INACTIVE');
    expect(await shown()).toMatchObject({ wantedStatus: 'INACTIVE', confirmedStatus: 'INACTIVE' });
  });

  it.each([{}, { status: 'PAUSED' }, { status: null }, { status: 'ACTIVE', more: 1 }])(
    'cannot be set to %j',
    async (body) => {
      expect((await want(body)).status).toBe(400);
    },
  );

  it('does not exist before the first subscription', async () => {
    const other = harness.platform.addCompany();
    harness.platform.resource = companyUrn(other.id);
    const reply = await harness.returnFromPlatform(await harness.begin());
    const fresh = /<code>([0-9a-f-]{36})/.exec(reply.text)?.[1] ?? randomUUID();
    const token = await harness.token(fresh);
    expect((await harness.call('GET', '/api/v1/subscription', { token })).status).toBe(404);
    expect((await harness.call('PUT', '/api/v1/subscription', { token, body: { status: 'ACTIVE' } })).status).toBe(404);
    expect((await harness.call('POST', ROTATION, { token })).status).toBe(404);
  });
});
