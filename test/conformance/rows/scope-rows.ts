import { connected } from '../authorization.js';
import type { ConformanceRow } from '../conformance-row.js';
import { DOCUMENTED_OPERATIONS, type DocumentedOperation } from '../documented-operations.js';
import { item } from '../export-item.js';
import { unknownId, type Platform } from '../platform.js';

const ALL = [...new Set(DOCUMENTED_OPERATIONS.flatMap(({ scopes }) => scopes))];

const scoped = DOCUMENTED_OPERATIONS.filter(({ scopes }) => scopes.length > 0);
/** Those that take no API key, only the access token of an OAuth grant. */
const OF_GRANTS = /:activate$|\/completions$/;
const unscoped = DOCUMENTED_OPERATIONS.filter(({ scopes }) => scopes.length === 0);

const called = async (
  platform: Platform,
  { operation }: DocumentedOperation,
  authorization?: string | null,
): Promise<number> => {
  const [method = '', path = ''] = operation.split(' ');
  const id = path.startsWith('/v1/companies') ? await platform.companyId() : unknownId();
  // Scopes are looked at before the request: an empty body is enough.
  const body = method === 'GET' || OF_GRANTS.test(operation) ? {} : { body: {} };
  const options = { ...body, ...(authorization === undefined ? {} : { authorization }) };
  return (await platform.call(method, path.replaceAll('*', id), options)).status;
};

export const SCOPE_ROWS: readonly ConformanceRow[] = [
  ...scoped.map((each) => ({
    fact: `${each.operation} needs a credential, with the scope ${each.scopes.join(' or ')} and no other`,
    source: `P0.3, P3.2; ${each.source}`,
    needs: 'sandbox' as const,
    observe: async ({ sandbox }: Platform) => {
      const without = await sandbox.customer({ scopes: ALL.filter((scope) => !each.scopes.includes(scope)) });
      const refused = await called(without, each);
      const accepted = [];
      for (const scope of each.scopes) {
        const only = await sandbox.withKey(await without.companyId(), [scope]);
        accepted.push([401, 403].includes(await called(only, each)));
      }
      return [await called(without, each, null), refused, accepted];
    },
    expected: [401, 403, each.scopes.map(() => false)],
  })),
  ...scoped.map((each) => ({
    fact: `${each.operation} is refused to a token of the company without ${each.scopes.join(' or ')}`,
    source: `P0.3; ${each.source}`,
    needs: 'narrow' as const,
    notWith: each.scopes,
    observe: (platform: Platform) => called(platform, each, `Bearer ${platform.address.narrowToken ?? ''}`),
    expected: 403,
  })),
  ...unscoped
    .filter(({ operation }) => OF_GRANTS.test(operation))
    .map((each) => ({
      fact: `${each.operation} needs a credential, which is an OAuth access token and no API key`,
      source: each.source,
      needs: 'sandbox' as const,
      observe: async (platform: Platform) => {
        const key = await platform.sandbox.customer();
        const { accessToken } = await connected(platform);
        return [
          await called(key, each, null),
          await called(key, each),
          await called(key, each, `Bearer ${accessToken}`),
        ];
      },
      expected: [401, 403, 200],
    })),
  ...unscoped
    .filter(({ operation }) => !OF_GRANTS.test(operation))
    .map((each) => ({
      fact: `${each.operation} needs a credential, but no scope of its own`,
      source: `P3.2; ${each.source}`,
      needs: 'sandbox' as const,
      observe: async ({ sandbox }: Platform) => {
        const customer = await sandbox.customer({ scopes: ['test:test'] });
        return [await called(customer, each, null), [401, 403].includes(await called(customer, each))];
      },
      expected: [401, false],
    })),
  ...['v1.export-job.created', 'v1.vendor.created'].map((eventType) => ({
    fact: `a subscription of ${eventType} needs read access to the API of the event`,
    source: 'P2.1',
    needs: 'sandbox' as const,
    observe: async ({ sandbox }: Platform) => {
      const scope = eventType.startsWith('v1.vendor') ? 'vendors:read' : 'export-jobs:read';
      const body = { endpointUrl: 'https://example.com/hook', eventTypes: [eventType] };
      const without = await sandbox.customer({ scopes: ALL.filter((each) => each !== scope) });
      const only = await sandbox.withKey(await without.companyId(), [scope]);
      return [
        (await without.call('POST', '/v1/subscriptions', { body })).status,
        (await only.call('POST', '/v1/subscriptions', { body })).status,
      ];
    },
    expected: [403, 200],
  })),
  {
    fact: 'a subscription of a company hears nothing of another one, and is not seen by it',
    source: 'P2.1',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const [one, other] = [await sandbox.customer(), await sandbox.customer()];
      const body = { endpointUrl: 'https://example.com/hook', eventTypes: ['v1.export-job.created'] };
      const id = await one.create('/v1/subscriptions', body);
      return (await other.call('GET', `/v1/subscriptions/${id}`)).status;
    },
    expected: 404,
  },
  {
    fact: 'a job of another company is not seen',
    source: 'P0.4 (EXPORT_NOT_FOUND)',
    needs: 'sandbox',
    observe: async ({ sandbox }) => {
      const one = await sandbox.customer({ items: [item(1)] });
      const jobId = await sandbox.triggerExport(await one.companyId());
      const other = await sandbox.customer();
      return (await other.call('GET', `/v3/export-jobs/${jobId}`)).status;
    },
    expected: 404,
  },
];
