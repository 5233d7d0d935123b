import type { ConformanceRow, RowNeed } from '../conformance-row.js';
import { item } from '../export-item.js';
import { at, type Platform } from '../platform.js';
import { anyScene, only, payload, scene } from '../webhook-scene.js';

const announcedJob = (platform: Platform) =>
  anyScene(platform, async (shown) => {
    await shown.export(1);
    return at(payload(only(shown)), 'data');
  });
const announcedVendor = (platform: Platform) =>
  scene(
    platform,
    async (shown) => {
      const path = `/companies/${await shown.customer.companyId()}/draft-vendors`;
      await shown.sandbox.control('POST', path, { name: 'New', defaultCurrency: 'EUR' });
      await shown.receiver.arrivals(1);
      return at(payload(only(shown)), 'data');
    },
    { eventTypes: ['v1.vendor.created'] },
  );

const shown = (what: string, source: string, fields: readonly string[], needs: RowNeed, read: typeof announcedJob) =>
  fields.map((field) => ({
    fact: `${what} is announced with ${field}`,
    source,
    needs,
    observe: async (platform: Platform) => Object.keys(Object.assign({}, await read(platform))).includes(field),
    expected: true,
  }));

export const ANNOUNCED_ROWS: readonly ConformanceRow[] = [
  ...shown(
    'a new job',
    'P1.3, P2.3',
    [...['id', 'companyId', 'createdAt', 'createdBy', 'expiresIn', 'numberOfItems', 'status'], 'lastUpdatedAt'],
    'webhook',
    announcedJob,
  ),
  ...shown(
    'a new vendor',
    'P2.3',
    [
      ...['id', 'companyId', 'name', 'country', 'registrationNumber', 'taxRegistrationNumber', 'code'],
      ...['state', 'defaultCurrency', 'createdBy', 'createdAt', 'updatedAt', 'deletedAt'],
    ],
    'sandbox',
    announcedVendor,
  ),
  {
    fact: 'every event has an id of its own',
    source: 'P2.5, P2.3',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(platform, async (heard) => {
        const jobId = await heard.export(1);
        await heard.customer.sendJobEvent(jobId, 'failed');
        await heard.sandbox.addItems(await heard.customer.companyId(), [item(2)]);
        await heard.export(2);
        const [first, second] = [only(heard, 0), only(heard, 1)];
        return [
          at(payload(first), 'eventId') !== at(payload(second), 'eventId'),
          first.headers['webhook-id'] !== second.headers['webhook-id'],
        ];
      }),
    expected: [true, true],
  },
  {
    fact: 'a subscription of an organization hears of all its companies',
    source: 'P2.1',
    needs: 'sandbox',
    observe: async (platform) =>
      scene(
        platform,
        async (heard) => {
          const companies = [await heard.customer.companyId(), heard.otherCompanyId];
          await heard.sandbox.addItems(heard.otherCompanyId, [item(2)]);
          const jobs = [];
          for (const companyId of companies) {
            jobs.push(await heard.sandbox.triggerExport(companyId));
          }
          await heard.receiver.arrivals(2);
          const companyIds = [only(heard, 0), only(heard, 1)].map((each) => at(payload(each), 'data', 'companyId'));
          return companies.every((id) => companyIds.includes(id));
        },
        {},
        200,
        'organisation',
      ),
    expected: true,
  },
];
