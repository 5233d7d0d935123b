import { expect, it } from '@jest/globals';
import { FakeErp } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';
import { startedOnce } from '../../../support/started-once.js';
import { ExportsHarness, purchases } from './exports-harness.js';

// An ERP that declares what it takes: 40 requests in fifty minutes, and two lines in an entry.

const limits = { requestsPerMinute: 1, requestsPerGroup: 1, linesPerEntry: 2 };
const exports = startedOnce(() => ExportsHarness.start(new OneErp(new FakeErp(), undefined, limits)));

it('a job that cannot end in time says so when it begins, and is exported all the same', async () => {
  const tenant = await exports.addTenant();
  const [short, long] = [40, 41].map((count) => exports.addJob(tenant, purchases(tenant.companyId, count)));
  const jobs = [await short, await long];
  await exports.processQueue(tenant);
  const notices = await exports.admin.query<{ items: number; state: string; notice: string | null }>(
    `SELECT number_of_items AS items, state, notice FROM export_job WHERE installation_id = $1 ORDER BY number_of_items`,
    [tenant.installationId],
  );
  expect(jobs).toHaveLength(2);
  expect(notices.rows).toEqual([
    { items: 40, state: 'completed', notice: null },
    {
      items: 41,
      state: 'completed',
      notice: expect.stringMatching(/^This export has 41 entries, .* about 41 requests\. It takes 1 in a minute/),
    },
  ]);
});
