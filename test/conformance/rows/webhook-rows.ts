import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, type Platform } from '../platform.js';
import { anyScene, attempts, attemptsOf, only, payload, scene, secretOf, signed } from '../webhook-scene.js';

const MESSAGE: readonly ConformanceRow[] = [
  {
    fact: 'a notification is a POST of JSON with its id, its time and its signature in headers',
    source: 'P2.3',
    needs: 'webhook',
    observe: async (platform) =>
      anyScene(platform, async (shown) => {
        await shown.export(1);
        return [only(shown).method, only(shown).headers];
      }),
    expected: [
      'POST',
      expect.objectContaining({
        'content-type': expect.stringMatching(/^application\/json/),
        'webhook-id': expect.stringMatching(/^msg_/),
        'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
        'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$/),
      }),
    ],
  },
  {
    fact: 'the time of a notification is no more than five minutes off',
    source: 'P2.4 (tolerance)',
    needs: 'webhook',
    observe: async (platform) =>
      anyScene(platform, async (shown) => {
        await shown.export(1);
        const sentAt = Number(only(shown).headers['webhook-timestamp']) * 1_000;
        return Math.abs(Date.now() - sentAt) <= 300_000;
      }),
    expected: true,
  },
  {
    fact: 'its body is payload with data, eventId and eventType',
    source: 'P2.3',
    needs: 'webhook',
    observe: async (platform) =>
      anyScene(platform, async (shown) => {
        const jobId = await shown.export(1);
        const seen = payload(only(shown));
        return [only(shown).text.startsWith('{"payload":'), seen, at(seen, 'data', 'id') === jobId];
      }),
    expected: [
      true,
      { data: expect.any(Object), eventId: expect.any(String), eventType: 'v1.export-job.created' },
      true,
    ],
  },
  {
    fact: 'the job in it is as it was when the event was generated',
    source: 'P2.3, P1.3',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(platform, async (shown) => {
        const jobId = await shown.export(1);
        await shown.customer.sendJobEvent(jobId, 'started');
        await shown.sandbox.control('POST', `/deliveries/${String(only(shown).headers['webhook-id'])}/resend`);
        await shown.receiver.arrivals(2);
        return at(payload(only(shown, 1)), 'data');
      }),
    expected: expect.objectContaining({
      status: 'pending',
      expiresIn: 3600,
      numberOfItems: 1,
      companyId: expect.any(String),
      createdAt: expect.any(String),
    }),
  },
  {
    fact: 'the signature is HMAC-SHA256 over id, time and body with the decoded secret',
    source: 'P2.4',
    needs: 'webhook',
    observe: async (platform) =>
      anyScene(platform, async (shown) => {
        await shown.export(1);
        const { headers } = only(shown);
        return String(headers['webhook-signature'])
          .split(' ')
          .includes(signed(await secretOf(shown), only(shown)));
      }),
    expected: true,
  },
  {
    fact: 'after a rotation both secrets sign, separated by a space',
    source: 'P2.3 (list of signatures)',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(platform, async (shown) => {
        const before = await secretOf(shown);
        const rotation = { overlapSeconds: 3_600 };
        await shown.sandbox.control('POST', `/subscriptions/${shown.subscriptionId}/rotate-secret`, rotation);
        await shown.export(1);
        const signatures = String(only(shown).headers['webhook-signature']).split(' ');
        return [
          signatures.length,
          signatures.includes(signed(before, only(shown))),
          signatures.includes(signed(await secretOf(shown), only(shown))),
        ];
      }),
    expected: [2, true, true],
  },
  {
    fact: 'a message that is sent again has the same id and the same body',
    source: 'P2.3 (webhook-id)',
    needs: 'webhook',
    observe: async (platform) =>
      anyScene(
        platform,
        async (shown) => {
          await shown.export(2);
          const [first, second] = [only(shown, 0), only(shown, 1)];
          return [first.headers['webhook-id'] === second.headers['webhook-id'], first.text === second.text];
        },
        {},
        500,
      ),
    expected: [true, true],
  },
  {
    fact: 'custom headers go with every notification',
    source: 'P2.1 (customHeaders)',
    needs: 'webhook',
    observe: async (platform) =>
      anyScene(
        platform,
        async (shown) => {
          await shown.export(1);
          return only(shown).headers['x-key'];
        },
        { customHeaders: { 'x-key': 'value' } },
      ),
    expected: 'value',
  },
  {
    fact: 'an endpointAuth of type BASIC goes as Basic authorization',
    source: 'P2.1, P2.3',
    needs: 'webhook',
    observe: async (platform) =>
      anyScene(
        platform,
        async (shown) => {
          await shown.export(1);
          return only(shown).headers.authorization;
        },
        { endpointAuth: { type: 'BASIC', credentials: { username: 'me', password: 'secret' } } },
      ),
    expected: `Basic ${Buffer.from('me:secret').toString('base64')}`,
  },
  {
    fact: 'without endpointAuth there is no authorization',
    source: 'P2.1 (NONE)',
    needs: 'webhook',
    observe: async (platform) =>
      anyScene(platform, async (shown) => {
        await shown.export(1);
        return only(shown).headers.authorization;
      }),
    expected: undefined,
  },
  {
    fact: 'v1.vendor.created tells a draft that a person made',
    source: 'P2.2, P2.3',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(
        platform,
        async (shown) => {
          const path = `/companies/${await shown.customer.companyId()}/draft-vendors`;
          await shown.sandbox.control('POST', path, { name: 'New', defaultCurrency: 'EUR', country: 'DE' });
          await shown.receiver.arrivals(1);
          return payload(only(shown));
        },
        { eventTypes: ['v1.vendor.created'] },
      ),
    expected: {
      eventId: expect.any(String),
      eventType: 'v1.vendor.created',
      data: expect.objectContaining({ name: 'New', state: 'DRAFT', country: 'DE', defaultCurrency: 'EUR' }),
    },
  },
];

/** Seconds after a failed first attempt: P2.5. */
const DELAYS = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];

const DELIVERY: readonly ConformanceRow[] = [
  ...[200, 204, 299].map((status) => ({
    fact: `${status} acknowledges a notification`,
    source: 'P2.5',
    needs: 'sandbox' as const,
    observe: async (platform: Platform) =>
      scene(
        platform,
        async (shown) => {
          await shown.export(1);
          await attempts(shown, 1);
          await shown.sandbox.advance(10);
          return (await attemptsOf(shown)).length;
        },
        {},
        status,
      ),
    expected: 1,
  })),
  ...[302, 400, 404, 410, 429, 500, 503].map((status) => ({
    fact: `${status} is a failed delivery, which is tried again`,
    source: 'P2.5',
    needs: 'sandbox' as const,
    observe: async (platform: Platform) =>
      scene(
        platform,
        async (shown) => {
          await shown.export(2);
          const [first] = await attempts(shown, 2);
          return at(first, 'status');
        },
        {},
        status,
      ),
    expected: status,
  })),
  {
    fact: 'a failed delivery is tried again after each documented delay, and then no more',
    source: 'P2.5',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(
        platform,
        async (shown) => {
          await shown.export(1);
          for (const [index, delay] of DELAYS.entries()) {
            await attempts(shown, index + 1);
            await shown.sandbox.advance(delay);
          }
          const all = await attempts(shown, DELAYS.length + 1);
          await shown.sandbox.advance(86_400);
          const times = all.map((attempt) => Date.parse(String(at(attempt, 'attemptedAt'))));
          const waits = times.slice(1).map((time, index) => (time - (times[index] ?? 0)) / 1000);
          return [
            waits.map((wait, index) => wait >= (DELAYS[index] ?? 0) && wait < (DELAYS[index] ?? 0) + 5),
            (await attemptsOf(shown)).length,
          ];
        },
        {},
        500,
      ),
    expected: [DELAYS.map(() => true), DELAYS.length + 1],
  },
  {
    fact: 'an inactive subscription hears nothing',
    source: 'P2.1 (Subscription)',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(
        platform,
        async (shown) => {
          await shown.export(0);
          await shown.sandbox.advance(10);
          return shown.receiver.received.length;
        },
        { status: 'INACTIVE' },
      ),
    expected: 0,
  },
  {
    fact: 'a subscription that is deleted hears nothing more, retries included',
    source: 'P2.1 (delete)',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(
        platform,
        async (shown) => {
          await shown.export(2);
          await attempts(shown, 2);
          await shown.customer.call('DELETE', `/v1/subscriptions/${shown.subscriptionId}`);
          await shown.sandbox.advance(10);
          await shown.sandbox.advance(86_400);
          return shown.receiver.received.length;
        },
        {},
        500,
      ),
    expected: 2,
  },
  {
    fact: 'a subscription whose endpoint has failed for five days is disabled',
    source: 'P2.4',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(
        platform,
        async (shown) => {
          await shown.export(2);
          await attempts(shown, 2);
          await shown.sandbox.advance(5 * 86_400 + 1);
          await attempts(shown, 3);
          const { body } = await shown.customer.call('GET', `/v1/subscriptions/${shown.subscriptionId}`);
          return at(body, 'data', 'status');
        },
        {},
        500,
      ),
    expected: 'INACTIVE',
  },
  {
    fact: 'an event that is not subscribed to is not sent',
    source: 'P2.1 (eventTypes)',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(
        platform,
        async (shown) => {
          await shown.export(0);
          await shown.sandbox.advance(10);
          return shown.receiver.received.length;
        },
        { eventTypes: ['v1.vendor.created'] },
      ),
    expected: 0,
  },
];

export const WEBHOOK_ROWS: readonly ConformanceRow[] = [...MESSAGE, ...DELIVERY];
