import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { at, exportItem, listAt, SimulatorHarness, textAt } from './simulator-harness.js';
import { WebhookReceiver, type ReceivedNotification } from '../../support/servers/webhook-receiver.js';
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
const subscribe = async () => {
  const answer = await call('POST', '/v1/subscriptions', {
    endpointUrl: receiver.url,
    eventTypes: ['v1.export-job.created'],
  });
  return textAt(answer.body, 'data', 'id');
};
const secretOf = async (id: string) =>
  textAt((await call('GET', `/v1/subscriptions/${id}/secret`)).body, 'data', 'secretKey');
const triggerExport = async () => {
  await simulator.addItems(companyId, [exportItem(-100)]);
  return simulator.triggerExport(companyId);
};
const nextExport = async (jobId: string) => {
  await simulator.control('POST', `/export-jobs/${jobId}/cancel`);
  return simulator.triggerExport(companyId);
};
const deliveries = async () =>
  listAt(await simulator.control('GET', `/deliveries?company_id=${companyId}`)).toReversed();
/** Waits until so many attempts of the first notification are written down. */
const attempts = async (count: number) => {
  for (;;) {
    const [shown] = await deliveries();
    if (shown !== undefined && listAt(shown, 'attempts').length >= count) {
      return shown;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
};
const settings = (changes: object) => simulator.control('PUT', '/settings', changes);
const header = (headers: IncomingHttpHeaders, name: string) => String(headers[name]);
const jobIdOf = ({ text }: ReceivedNotification) => at(JSON.parse(text), 'payload', 'data', 'id');
const verifies = (secret: string, { headers, text }: ReceivedNotification) => {
  try {
    new Webhook(secret).verify(text, {
      'webhook-id': header(headers, 'webhook-id'),
      'webhook-timestamp': header(headers, 'webhook-timestamp'),
      'webhook-signature': header(headers, 'webhook-signature'),
    });
    return true;
  } catch {
    return false;
  }
};
const received = (index: number): ReceivedNotification => {
  const found = receiver.received[index];
  if (found === undefined) {
    throw new Error(`only ${receiver.received.length} notifications came`);
  }
  return found;
};

describe('a rotated webhook secret', () => {
  it('signs together with the previous one until the overlap ends', async () => {
    const id = await subscribe();
    const before = await secretOf(id);
    await simulator.control('POST', `/subscriptions/${id}/rotate-secret`, { overlapSeconds: 3_600 });
    const after = await secretOf(id);
    expect(after).not.toBe(before);
    const jobId = await triggerExport();
    await receiver.arrivals(1);
    expect(header(received(0).headers, 'webhook-signature').split(' ')).toHaveLength(2);
    expect([verifies(before, received(0)), verifies(after, received(0))]).toEqual([true, true]);
    await simulator.control('POST', '/clock', { advanceSeconds: 3_601 });
    await simulator.triggerExport(companyId);
    await receiver.arrivals(2);
    expect([verifies(before, received(1)), verifies(after, received(1))]).toEqual([false, true]);
    expect(jobIdOf(received(0))).toBe(jobId);
  });

  it('is given to an active subscription only', async () => {
    const id = await subscribe();
    await call('DELETE', `/v1/subscriptions/${id}`);
    const answer = await simulator.call('POST', `/control/subscriptions/${id}/rotate-secret`);
    expect(answer.status).toBe(404);
  });
});

describe('the webhook settings', () => {
  it('date a retry with the moment of the event when set so', async () => {
    await settings({ webhookTime: 'simulator', webhookTimestamp: 'generation' });
    receiver.status = 500;
    const id = await subscribe();
    await triggerExport();
    await attempts(2);
    await simulator.control('POST', '/clock', { advanceSeconds: 60 });
    await attempts(3);
    const stamps = receiver.received.map(({ headers }) => header(headers, 'webhook-timestamp'));
    expect(new Set(stamps).size).toBe(1);
    const [shown] = await deliveries();
    expect(Number(stamps[0])).toBe(Math.floor(Date.parse(textAt(shown, 'createdAt')) / 1000));
    expect(verifies(await secretOf(id), received(2))).toBe(true);
  });

  it('date a retry with its own moment otherwise', async () => {
    await settings({ webhookTime: 'simulator' });
    receiver.status = 500;
    await subscribe();
    await triggerExport();
    await attempts(2);
    await simulator.control('POST', '/clock', { advanceSeconds: 60 });
    await attempts(3);
    const [first, , third] = receiver.received.map(({ headers }) => Number(header(headers, 'webhook-timestamp')));
    expect(Number(third) - Number(first)).toBeGreaterThanOrEqual(60);
  });

  it('put the headers into the body, with a signature over the payload alone', async () => {
    await settings({ webhookBody: 'headers_and_payload' });
    const id = await subscribe();
    await triggerExport();
    await receiver.arrivals(1);
    const { headers, text } = received(0);
    const body: unknown = JSON.parse(text);
    expect(body instanceof Object ? Object.keys(body) : []).toEqual([
      'webhook-id',
      'webhook-timestamp',
      'webhook-signature',
      'payload',
    ]);
    expect(at(body, 'webhook-id')).toBe(headers['webhook-id']);
    const inner = {
      'webhook-id': textAt(body, 'webhook-id'),
      'webhook-signature': textAt(body, 'webhook-signature'),
    };
    const secret = await secretOf(id);
    expect(verifies(secret, received(0))).toBe(true);
    expect(
      verifies(secret, {
        headers: { ...inner, 'webhook-timestamp': String(at(body, 'webhook-timestamp')) },
        text: JSON.stringify({ payload: at(body, 'payload') }),
      }),
    ).toBe(true);
  });

  it('spread the delays within the jitter, the same for the same seed', async () => {
    await settings({ retryJitterPercent: 20, retryJitterSeed: 5 });
    receiver.status = 500;
    const delays: number[] = [];
    for (let round = 0; round < 2; round += 1) {
      await subscribe();
      await triggerExport();
      const shown = await attempts(2);
      const due = Date.parse(textAt(shown, 'nextAttemptAt'));
      delays.push(due - Date.parse(textAt(shown, 'attempts', 1, 'attemptedAt')));
      await simulator.control('POST', '/reset');
      await settings({ retryJitterPercent: 20, retryJitterSeed: 5 });
      companyId = await simulator.addCompany();
      token = textAt(await simulator.control('POST', '/api-keys', { companyId }), 'apiKey');
    }
    // 5 seconds and what seed 5 draws for the second attempt of the first delivery.
    expect(delays).toEqual([5_789, 5_789]);
  });
});

describe('five days of failures', () => {
  it('disable a subscription, and an update enables it again', async () => {
    receiver.status = 500;
    const id = await subscribe();
    let jobId = await triggerExport();
    await attempts(2);
    await simulator.control('POST', '/clock', { advanceSeconds: 4 * 86_400 });
    await attempts(3);
    expect(at((await call('GET', `/v1/subscriptions/${id}`)).body, 'data', 'status')).toBe('ACTIVE');
    await simulator.control('POST', '/clock', { advanceSeconds: 86_400 });
    await attempts(4);
    expect(at((await call('GET', `/v1/subscriptions/${id}`)).body, 'data', 'status')).toBe('INACTIVE');
    const activities = await call('GET', `/v1/subscriptions/${id}/activities?operation_types=UPDATE`);
    expect(at(activities.body, 'data', 0, 'description')).toBe('Subscription disabled: deliveries failed for 5 days');
    receiver.status = 200;
    await call('PUT', `/v1/subscriptions/${id}`, {
      endpointUrl: receiver.url,
      eventTypes: ['v1.export-job.created'],
    });
    const before = receiver.received.length;
    jobId = await simulator.triggerExport(companyId);
    await receiver.arrivals(before + 1);
    expect(receiver.received.map(jobIdOf)).toContain(jobId);
  });

  it('do not count after a success in between', async () => {
    receiver.status = 500;
    const id = await subscribe();
    const jobId = await triggerExport();
    await attempts(2);
    receiver.status = 200;
    await simulator.control('POST', '/clock', { advanceSeconds: 5 });
    await attempts(3);
    receiver.status = 500;
    await simulator.control('POST', '/clock', { advanceSeconds: 6 * 86_400 });
    expect(jobId).toBeDefined();
    await simulator.triggerExport(companyId);
    await receiver.arrivals(5);
    expect(at((await call('GET', `/v1/subscriptions/${id}`)).body, 'data', 'status')).toBe('ACTIVE');
  });
});

describe('webhook failures', () => {
  const fail = (body: object) => simulator.control('POST', '/webhook-failures', body);

  it('send a notification twice with one id', async () => {
    await fail({ effect: 'duplicate', times: 1 });
    await subscribe();
    await triggerExport();
    await attempts(2);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(receiver.received).toHaveLength(2);
    expect(await simulator.control('GET', '/webhook-failures')).toMatchObject([
      { effect: 'duplicate', hits: 1, timesLeft: 0 },
    ]);
  });

  it('let a later notification arrive first', async () => {
    await fail({ effect: 'reorder', delaySeconds: 30, times: 1 });
    await subscribe();
    const first = await triggerExport();
    for (;;) {
      if (at(await simulator.control('GET', '/webhook-failures'), 0, 'hits') === 1) {
        break;
      }
    }
    const second = await nextExport(first);
    await receiver.arrivals(1);
    await simulator.control('POST', '/clock', { advanceSeconds: 31 });
    await receiver.arrivals(2);
    expect(receiver.received.map(jobIdOf)).toEqual([second, first]);
  });

  it('resend a notification byte by byte', async () => {
    await fail({ effect: 'replay', times: 1 });
    await subscribe();
    await triggerExport();
    await attempts(2);
    expect(received(1).text).toBe(received(0).text);
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      expect(received(1).headers[name]).toBe(received(0).headers[name]);
    }
  });

  it.each(['wrong_secret', 'changed_body', 'old_timestamp', 'unsigned'])(
    'send a forged copy before the real one: %s',
    async (forgery) => {
      await fail({ effect: 'forge', forgery, times: 1 });
      const id = await subscribe();
      await triggerExport();
      await receiver.arrivals(2);
      const secret = await secretOf(id);
      expect([verifies(secret, received(0)), verifies(secret, received(1))]).toEqual([false, true]);
      expect(listAt(await attempts(1), 'attempts')).toHaveLength(1);
    },
  );

  it('drop the first ones', async () => {
    await fail({ effect: 'duplicate', skip: 1, times: 1 });
    await subscribe();
    const first = await triggerExport();
    await attempts(1);
    const second = await nextExport(first);
    await receiver.arrivals(3);
    expect(receiver.received.map(jobIdOf)).toEqual([first, second, second]);
  });

  it('can be removed', async () => {
    const added = await fail({ effect: 'duplicate' });
    await simulator.control('DELETE', `/webhook-failures/${String(at(added, 'id'))}`);
    expect(await simulator.control('GET', '/webhook-failures')).toEqual([]);
    await fail({ effect: 'replay' });
    await simulator.control('DELETE', '/webhook-failures');
    expect(await simulator.control('GET', '/webhook-failures')).toEqual([]);
  });
});

describe('a manual action', () => {
  it('replays an old attempt with its old timestamp', async () => {
    await settings({ webhookTime: 'simulator' });
    await subscribe();
    await triggerExport();
    const webhookId = textAt(await attempts(1), 'webhookId');
    await simulator.control('POST', '/clock', { advanceSeconds: 600 });
    expect(await simulator.control('POST', `/deliveries/${webhookId}/replay`)).toMatchObject({ status: 200 });
    expect(received(1).headers['webhook-timestamp']).toBe(received(0).headers['webhook-timestamp']);
    await simulator.control('POST', `/deliveries/${webhookId}/resend`);
    expect(received(2).headers['webhook-timestamp']).not.toBe(received(0).headers['webhook-timestamp']);
  });

  it('forges a notification, which is not an attempt', async () => {
    const id = await subscribe();
    await triggerExport();
    const webhookId = textAt(await attempts(1), 'webhookId');
    await simulator.control('POST', `/deliveries/${webhookId}/forge`, { forgery: 'changed_body' });
    expect(verifies(await secretOf(id), received(1))).toBe(false);
    expect(listAt(await attempts(1), 'attempts')).toHaveLength(1);
    const unknown = await simulator.call('POST', '/control/deliveries/msg_none/replay');
    expect(unknown.status).toBe(404);
  });
});
