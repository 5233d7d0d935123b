import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { at, exportItem, listAt, SimulatorHarness, textAt } from './simulator-harness.js';
import { WebhookReceiver } from '../../support/servers/webhook-receiver.js';
import { startedOnce } from '../../support/started-once.js';

const simulator = startedOnce(() => SimulatorHarness.start());
let receiver: WebhookReceiver;
let token: string;
let companyId: string;

beforeEach(async () => {
  receiver = await WebhookReceiver.start();
  companyId = await simulator.addCompany();
  const key = await simulator.control('POST', '/api-keys', { companyId });
  token = textAt(key, 'apiKey');
});
afterEach(async () => {
  await receiver.stop();
  await simulator.control('POST', '/reset');
});

const call = (method: string, path: string, body?: unknown) =>
  simulator.call(method, path, { token, ...(body === undefined ? {} : { body }) });
const subscribe = async (extra: object = {}) => {
  const answer = await call('POST', '/v1/subscriptions', {
    endpointUrl: `${receiver.url}/hooks?x=1`,
    eventTypes: ['v1.export-job.created'],
    ...extra,
  });
  return textAt(answer.body, 'data', 'id');
};
const secretOf = async (id: string) =>
  textAt((await call('GET', `/v1/subscriptions/${id}/secret`)).body, 'data', 'secretKey');
const triggerExport = async () => {
  await simulator.addItems(companyId, [exportItem(-100)]);
  return simulator.triggerExport(companyId);
};
const delivery = async () => at(await simulator.control('GET', `/deliveries?company_id=${companyId}`), 0);
/** Waits until the simulator has written down so many attempts. */
const attempts = async (count: number) => {
  for (;;) {
    const shown = await delivery();
    if (shown !== undefined && listAt(shown, 'attempts').length >= count) {
      return shown;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
};

describe('subscriptions', () => {
  const request = {
    endpointUrl: 'https://example.com/hook',
    eventTypes: ['v1.export-job.created', 'v1.vendor.created'],
    customHeaders: { 'x-key': 'value' },
    endpointAuth: { type: 'BASIC', credentials: { username: 'u', password: 'p' } },
  };

  it('are created with the two objects beside data and updated with them inside', async () => {
    const created = await call('POST', '/v1/subscriptions', request);
    expect(created.status).toBe(200);
    const id = textAt(created.body, 'data', 'id');
    expect(created.body).toEqual({
      data: {
        id,
        status: 'ACTIVE',
        eventTypes: request.eventTypes,
        endpointUrl: request.endpointUrl,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
      endpointAuth: { type: 'BASIC' },
      customHeaders: { 'x-key': 'value' },
    });
    const updated = await call('PUT', `/v1/subscriptions/${id}`, { ...request, status: 'INACTIVE' });
    expect(at(updated.body, 'data')).toMatchObject({
      id,
      status: 'INACTIVE',
      endpointAuth: { type: 'BASIC' },
      customHeaders: { 'x-key': 'value' },
    });
  });

  it('are not listed by an event type that is given twice [P2.1]', async () => {
    const once = '/v1/subscriptions?event_types=v1.export-job.created';
    expect((await call('GET', once)).status).toBe(200);
    const twice = await call('GET', `${once}&event_types=v1.export-job.created`);
    expect([twice.status, at(twice.body, 'type')]).toEqual([400, 'PARAMETER_VALIDATION_FAILED']);
  });

  it('are active where the status is null, as without one', async () => {
    const answer = await call('POST', '/v1/subscriptions', { ...request, status: null });
    expect([answer.status, at(answer.body, 'data', 'status')]).toEqual([200, 'ACTIVE']);
  });

  it.each([
    ['an unknown event type', { eventTypes: ['v1.export.job-created'] }],
    ['no event type', { eventTypes: [] }],
    ['an event type twice', { eventTypes: ['v1.vendor.created', 'v1.vendor.created'] }],
    ['no address', { endpointUrl: undefined }],
    ['a relative address', { endpointUrl: '/hook' }],
    ['another scheme', { endpointUrl: 'ftp://example.com/' }],
    ['an unknown status', { status: 'PAUSED' }],
    ['a header that breaks out', { customHeaders: { 'x-key': 'a\r\nb: c' } }],
    ['Basic without credentials', { endpointAuth: { type: 'BASIC' } }],
    ['Basic with a token alone', { endpointAuth: { type: 'BASIC', credentials: { token: 't' } } }],
  ])('are refused with %s', async (_case, change) => {
    const answer = await call('POST', '/v1/subscriptions', { ...request, ...change });
    expect([answer.status, at(answer.body, 'type')]).toEqual([400, 'VALIDATION_FAILED']);
  });

  it.each([
    ['no type', {}, 'NONE'],
    ['no type, and credentials', { credentials: { username: 'u' } }, 'NONE'],
    ['NONE and no credentials', { type: 'NONE', credentials: null }, 'NONE'],
    ['BASIC and a user alone', { type: 'BASIC', credentials: { username: 'u' } }, 'BASIC'],
    ['BASIC and a password alone', { type: 'BASIC', credentials: { password: 'p', token: null } }, 'BASIC'],
  ])('take an endpointAuth of %s: all of its fields are optional [P2.1]', async (_case, endpointAuth, type) => {
    const answer = await call('POST', '/v1/subscriptions', { ...request, endpointAuth });
    expect([answer.status, at(answer.body, 'endpointAuth', 'type')]).toEqual([200, type]);
  });

  it('that are deleted while they are updated stay deleted', async () => {
    for (let round = 0; round < 20; round += 1) {
      const path = `/v1/subscriptions/${textAt((await call('POST', '/v1/subscriptions', request)).body, 'data', 'id')}`;
      await Promise.all([
        call('PUT', path, request),
        call('PUT', path, request),
        call('DELETE', path),
        call('PUT', path, request),
      ]);
      expect(at((await call('GET', path)).body, 'data', 'deletedAt')).toEqual(expect.any(String));
    }
  });

  it('of an installation that is deleted at the same moment do not outlive it', async () => {
    const connected = await simulator.addCompany();
    let { accessToken } = await simulator.connect(connected);
    for (let round = 0; round < 10; round += 1) {
      const subscribe = () => simulator.call('POST', '/v1/subscriptions', { token: accessToken, body: request });
      await Promise.all([
        subscribe(),
        simulator.call('DELETE', '/v1/installations/me', { token: accessToken }),
        subscribe(),
        subscribe(),
      ]);
      ({ accessToken } = await simulator.connect(connected));
      const { body } = await simulator.call('GET', '/v1/subscriptions', { token: accessToken });
      expect(at(body, 'data')).toEqual([]);
    }
  });

  it('require read access to the resources of their events', async () => {
    const key = await simulator.control('POST', '/api-keys', { companyId, scopes: ['export-jobs:read'] });
    const narrow = { token: textAt(key, 'apiKey'), body: request };
    expect((await simulator.call('POST', '/v1/subscriptions', narrow)).status).toBe(403);
  });

  it('have a secret and activities, and are soft-deleted', async () => {
    const id = await subscribe();
    expect(await secretOf(id)).toMatch(/^whsec_[A-Za-z0-9+/]{32,}=*$/);
    expect((await call('DELETE', `/v1/subscriptions/${id}`)).status).toBe(204);
    expect(listAt((await call('GET', '/v1/subscriptions')).body, 'data')).toEqual([]);
    const kept = await call('GET', `/v1/subscriptions/${id}`);
    expect(at(kept.body, 'data', 'deletedBy')).toBe(`urn:platform:company:${companyId}`);
    expect((await call('DELETE', `/v1/subscriptions/${id}`)).status).toBe(404);
    const activities = await call('GET', `/v1/subscriptions/${id}/activities?operation_types=DELETE`);
    expect(listAt(activities.body, 'data')).toHaveLength(1);
    expect(at(activities.body, 'data', 0)).toMatchObject({
      subscriptionId: id,
      operationType: 'DELETE',
      description: 'Subscription deleted',
    });
  });

  it('are listed by status and event type, and visible to their owner only', async () => {
    const id = await subscribe();
    await subscribe({ status: 'INACTIVE', eventTypes: ['v1.vendor.created'] });
    const listed = async (query: string) =>
      listAt((await call('GET', `/v1/subscriptions${query}`)).body, 'data').length;
    expect(await listed('')).toBe(2);
    expect(await listed('?status=ACTIVE')).toBe(1);
    expect(await listed('?event_types=v1.vendor.created')).toBe(1);
    const sorted = await call('GET', '/v1/subscriptions?sorting_keys=createdAt&sorting_order=DESC&limit=1');
    expect(at(sorted.body, 'data', 0, 'status')).toBe('INACTIVE');
    const activities = `/v1/subscriptions/${id}/activities?sorting_keys=createdAt`;
    expect(listAt((await call('GET', activities)).body, 'data')).toHaveLength(1);
    await call('PUT', `/v1/subscriptions/${id}`, request);
    const updated = await call('GET', '/v1/subscriptions?sorting_keys=updatedAt&sorting_order=DESC&limit=1');
    expect(at(updated.body, 'data', 0, 'id')).toBe(id);
    const key = await simulator.control('POST', '/api-keys', { companyId });
    const other = await simulator.call('GET', `/v1/subscriptions/${id}`, { token: textAt(key, 'apiKey') });
    expect(other.status).toBe(404);
  });
});

describe('notifications', () => {
  it('are signed over the bytes that are sent', async () => {
    const id = await subscribe({
      customHeaders: { 'x-key': 'value', 'User-Agent': 'of the subscription' },
      endpointAuth: { type: 'BASIC', credentials: { username: 'me', password: 'secret:1' } },
    });
    const jobId = await triggerExport();
    await receiver.arrivals(1);
    const [{ headers, text } = { headers: {}, text: '' }] = receiver.received;
    const verified = new Webhook(await secretOf(id)).verify(text, {
      'webhook-id': String(headers['webhook-id']),
      'webhook-timestamp': String(headers['webhook-timestamp']),
      'webhook-signature': String(headers['webhook-signature']),
    });
    expect(verified).toEqual({
      payload: {
        eventType: 'v1.export-job.created',
        eventId: expect.any(String),
        data: {
          id: jobId,
          companyId,
          createdAt: expect.any(String),
          createdBy: null,
          expiresIn: 3600,
          numberOfItems: 1,
          status: 'pending',
          lastUpdatedAt: expect.any(String),
        },
      },
    });
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'x-key': 'value',
      'user-agent': 'of the subscription',
      authorization: `Basic ${Buffer.from('me:secret:1').toString('base64')}`,
    });
    expect(at(await attempts(1), 'state')).toBe('acknowledged');
  });

  it('follow the whole schedule with one id and body', async () => {
    receiver.status = 500;
    await subscribe();
    await triggerExport();
    const DELAYS = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
    for (const [index, seconds] of DELAYS.entries()) {
      const shown = await attempts(index + 1 + (index === 0 ? 1 : 0));
      expect(at(shown, 'state')).toBe('due');
      if (seconds > 0) {
        const before = receiver.received.length;
        await simulator.control('POST', '/clock', { advanceSeconds: seconds - 3 });
        expect(receiver.received).toHaveLength(before);
        await simulator.control('POST', '/clock', { advanceSeconds: 3 });
        await receiver.arrivals(before + 1);
      }
    }
    const last = await attempts(9);
    expect(at(last, 'state')).toBe('given_up');
    expect(receiver.received).toHaveLength(9);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
  });

  it('follow the shorter schedule when set so', async () => {
    await simulator.control('PUT', '/settings', { retrySchedule: 'eight_attempts' });
    receiver.status = 500;
    await subscribe();
    await triggerExport();
    for (let count = 1; count <= 8; count += 1) {
      await attempts(count);
      await simulator.control('POST', '/clock', { advanceSeconds: 36_000 });
    }
    expect(at(await attempts(8), 'state')).toBe('given_up');
    expect(receiver.received).toHaveLength(8);
  });

  it.each([
    ['a redirect', 302],
    ['a broken connection', undefined],
  ])('count %s as a failure', async (_case, status) => {
    receiver.status = status;
    await subscribe();
    await triggerExport();
    const shown = await attempts(2);
    expect(at(shown, 'state')).toBe('due');
    expect(at(shown, 'attempts', 0, 'status')).toBe(status ?? null);
  });

  it('continue after a restart', async () => {
    receiver.status = 503;
    await subscribe();
    await triggerExport();
    await attempts(2);
    receiver.status = 204;
    await simulator.restart();
    await simulator.control('POST', '/clock', { advanceSeconds: 5 });
    expect(at(await attempts(3), 'state')).toBe('acknowledged');
  });

  it('are not sent to an inactive or deleted subscription, nor retried', async () => {
    const id = await subscribe();
    await call('DELETE', `/v1/subscriptions/${id}`);
    await triggerExport();
    expect(await delivery()).toBeUndefined();
    receiver.status = 500;
    const later = await subscribe();
    await simulator.control('POST', `/export-jobs/${await currentJob()}/cancel`);
    await triggerExport();
    await attempts(2);
    await call('PUT', `/v1/subscriptions/${later}`, {
      endpointUrl: receiver.url,
      eventTypes: ['v1.export-job.created'],
      status: 'INACTIVE',
    });
    await simulator.control('POST', '/clock', { advanceSeconds: 5 });
    for (;;) {
      if (at(await delivery(), 'state') === 'skipped') {
        break;
      }
    }
    expect(receiver.received).toHaveLength(2);
  });

  it('reach a subscription of the whole organization', async () => {
    const organizationId = '5d1f7c52-7b39-4a0e-9a2c-0a4b7a3e0001';
    companyId = await simulator.addCompany({ organizationId });
    const key = await simulator.control('POST', '/api-keys', { organizationId });
    token = textAt(key, 'apiKey');
    await subscribe();
    await triggerExport();
    await receiver.arrivals(1);
    expect((await call('GET', `/v3/export-jobs?company_id=${companyId}`)).status).toBe(200);
  });

  it('are sent again on request with the same id', async () => {
    await subscribe();
    await triggerExport();
    const shown = await attempts(1);
    const webhookId = textAt(shown, 'webhookId');
    const outcome = await simulator.control('POST', `/deliveries/${webhookId}/resend`);
    expect(outcome).toMatchObject({ status: 200, failure: null });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([webhookId, webhookId]);
    expect(at(await delivery(), 'attempts', 1, 'manual')).toBe(true);
  });
});

async function currentJob(): Promise<string> {
  const jobs = await call('GET', '/v3/export-jobs?statuses=pending');
  return textAt(jobs.body, 'data', 0, 'id');
}
