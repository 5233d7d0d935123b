import { expect } from '@jest/globals';
import type { ConformanceRow } from '../conformance-row.js';
import { at, unknownId, type Platform } from '../platform.js';

const REQUEST = { endpointUrl: 'https://example.com/webhook', eventTypes: ['v1.export-job.created'] };
const subscribe = (platform: Platform, extra: object = {}) =>
  platform.create('/v1/subscriptions', { ...REQUEST, ...extra }, '/v1/subscriptions');

export const SUBSCRIPTION_ROWS: readonly ConformanceRow[] = [
  {
    fact: 'a subscription is created with 200, and is active',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => {
      const answer = await platform.call('POST', '/v1/subscriptions', { body: REQUEST });
      const id = String(at(answer.body, 'data', 'id'));
      await platform.call('DELETE', `/v1/subscriptions/${id}`);
      return [answer.status, at(answer.body, 'data')];
    },
    expected: [200, expect.objectContaining({ ...REQUEST, status: 'ACTIVE', createdAt: expect.any(String) })],
  },
  {
    fact: 'the answer to a creation tells endpointAuth without its credentials, beside data or in it',
    source: 'P2.1, P12',
    needs: 'write',
    observe: async (platform) => {
      const credentials = { username: 'me', password: 'secret' };
      const body = { ...REQUEST, endpointAuth: { type: 'BASIC', credentials } };
      const answer = await platform.call('POST', '/v1/subscriptions', { body });
      await platform.call('DELETE', `/v1/subscriptions/${String(at(answer.body, 'data', 'id'))}`);
      return [
        at(answer.body, 'endpointAuth', 'type') ?? at(answer.body, 'data', 'endpointAuth', 'type'),
        JSON.stringify(answer.body).includes('secret'),
      ];
    },
    expected: ['BASIC', false],
  },
  {
    fact: 'a subscription is updated, with all its fields in data',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => {
      const id = await subscribe(platform);
      const body = { ...REQUEST, status: 'INACTIVE', customHeaders: { 'x-key': 'value' } };
      return at((await platform.call('PUT', `/v1/subscriptions/${id}`, { body })).body, 'data');
    },
    expected: expect.objectContaining({ status: 'INACTIVE', customHeaders: { 'x-key': 'value' } }),
  },
  {
    fact: 'an update without status makes a subscription active',
    source: 'P2.1 (default ACTIVE)',
    needs: 'write',
    observe: async (platform) => {
      const id = await subscribe(platform, { status: 'INACTIVE' });
      const answer = await platform.call('PUT', `/v1/subscriptions/${id}`, { body: REQUEST });
      return at(answer.body, 'data', 'status');
    },
    expected: 'ACTIVE',
  },
  ...['endpointUrl', 'eventTypes'].map((field) => ({
    fact: `a subscription needs ${field}`,
    source: 'P2.1',
    needs: 'write' as const,
    observe: async (platform: Platform) =>
      (await platform.call('POST', '/v1/subscriptions', { body: { ...REQUEST, [field]: undefined } })).status,
    expected: 400,
  })),
  {
    fact: 'an event type must not stand twice',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => {
      const eventTypes = [...REQUEST.eventTypes, ...REQUEST.eventTypes];
      return (await platform.call('POST', '/v1/subscriptions', { body: { ...REQUEST, eventTypes } })).status;
    },
    expected: 400,
  },
  {
    fact: 'the signing secret is whsec_ and Base64',
    source: 'P2.4',
    needs: 'write',
    observe: async (platform) => {
      const id = await subscribe(platform);
      return at((await platform.call('GET', `/v1/subscriptions/${id}/secret`)).body, 'data', 'secretKey');
    },
    expected: expect.stringMatching(/^whsec_[A-Za-z0-9+/]+=*$/),
  },
  {
    fact: 'a subscription is deleted with 204, and is not listed any more',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => {
      const id = await platform.create('/v1/subscriptions', REQUEST);
      const { status } = await platform.call('DELETE', `/v1/subscriptions/${id}`);
      const listed = JSON.stringify((await platform.call('GET', '/v1/subscriptions?limit=100')).body);
      return [status, listed.includes(id)];
    },
    expected: [204, false],
  },
  {
    fact: 'what was done to a subscription is listed',
    source: 'P2.1, activities',
    needs: 'write',
    observe: async (platform) => {
      const id = await subscribe(platform);
      const answer = await platform.call('GET', `/v1/subscriptions/${id}/activities?operation_types=CREATE`);
      return at(answer.body, 'data');
    },
    expected: [
      expect.objectContaining({
        operationType: 'CREATE',
        actorUrn: expect.any(String),
        description: expect.any(String),
      }),
    ],
  },
  {
    fact: 'subscriptions are listed by event type',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => {
      const id = await subscribe(platform);
      const list = async (type: string) =>
        JSON.stringify((await platform.call('GET', `/v1/subscriptions?limit=100&event_types=${type}`)).body);
      return [(await list('v1.export-job.created')).includes(id), (await list('v1.vendor.created')).includes(id)];
    },
    expected: [true, false],
  },
  {
    fact: 'an unknown subscription is answered 404',
    source: 'P2.1',
    needs: 'read',
    observe: async (platform) => (await platform.call('GET', `/v1/subscriptions/${unknownId()}`)).status,
    expected: 404,
  },
  ...['deletedAt', 'deletedBy'].map((field) => ({
    fact: `a deleted subscription is answered with ${field}`,
    source: 'P2.1',
    needs: 'write' as const,
    observe: async (platform: Platform) => {
      const path = `/v1/subscriptions/${await platform.create('/v1/subscriptions', REQUEST)}`;
      const before = at((await platform.call('GET', path)).body, 'data', field);
      await platform.call('DELETE', path);
      return [before, at((await platform.call('GET', path)).body, 'data', field)];
    },
    expected: [undefined, expect.any(String)],
  })),
  {
    fact: 'an endpointAuth is NONE by default',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => {
      const path = `/v1/subscriptions/${await subscribe(platform)}`;
      return at((await platform.call('GET', path)).body, 'data', 'endpointAuth', 'type');
    },
    expected: 'NONE',
  },
  {
    fact: 'the answer to an update tells endpointAuth inside data',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => {
      const path = `/v1/subscriptions/${await subscribe(platform)}`;
      const { body } = await platform.call('PUT', path, {
        body: { ...REQUEST, endpointAuth: { type: 'NONE' } },
      });
      return [at(body, 'data', 'endpointAuth', 'type'), at(body, 'endpointAuth')];
    },
    expected: ['NONE', undefined],
  },
  {
    fact: 'subscriptions are listed by status',
    source: 'P2.1',
    needs: 'write',
    observe: async (platform) => {
      const id = await subscribe(platform, { status: 'INACTIVE' });
      const list = async (status: string) =>
        JSON.stringify((await platform.call('GET', `/v1/subscriptions?limit=100&status=${status}`)).body);
      return [(await list('INACTIVE')).includes(id), (await list('ACTIVE')).includes(id)];
    },
    expected: [true, false],
  },
];
