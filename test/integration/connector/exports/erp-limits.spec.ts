import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { localizeProblem } from '../../../../src/connector/messages/texts.js';
import { FakeErp } from '../../../support/fake-erp.js';
import { OneErp } from '../../../support/one-erp.js';
import { startedOnce } from '../../../support/started-once.js';
import { ExportsHarness, fetched, purchases } from './exports-harness.js';

// An ERP that declares what it takes: 40 requests in fifty minutes, and two lines in an entry.

const limits = { requestsPerMinute: 1, requestsPerGroup: 1, linesPerEntry: 2 };
const erp = new FakeErp();
const exports = startedOnce(() => ExportsHarness.start(new OneErp(erp, undefined, limits)));

it('a job that cannot end in time reports that when it begins, and is exported nevertheless', async () => {
  const tenant = await exports.addTenant();
  const [short, long] = [40, 41].map((count) => exports.addJob(tenant, purchases(tenant.companyId, count)));
  const jobs = [await short, await long];
  await exports.processQueue(tenant);
  const notices = await exports.admin.query<{ items: number; state: string; notice: string | null }>(
    `SELECT number_of_items AS items, state, notice FROM export_job WHERE installation_id = $1 ORDER BY number_of_items`,
    [tenant.installationId],
  );
  expect(jobs).toHaveLength(2);
  const shown = notices.rows.map(({ notice, ...row }) => ({ ...row, notice: notice && localizeProblem('en', notice) }));
  expect(shown).toEqual([
    { items: 40, state: 'completed', notice: null },
    {
      items: 41,
      state: 'completed',
      notice: expect.stringMatching(/^This export has 41 entries, .* about 41 requests\. It takes 1 in a minute/),
    },
  ]);
});

it('an entry with more lines is posted in parts, which are in the record and in the ERP', async () => {
  const tenant = await exports.addTenant();
  const lines = [
    { amount: '6000', account: '6110' },
    { amount: '4000', account: '6540' },
  ];
  const item = fetched(tenant.companyId, randomUUID(), itemOf({ type: 'card_purchase', amount: '10000', lines }));
  await exports.addJob(tenant, [item]);
  await exports.processQueue(tenant);
  const [group] = erp.store.inspect([item.accountingEntryId]).get(item.accountingEntryId) ?? [];
  const posted = group?.entries.map((entry) => entry.lines.map((line) => [line.accountCode, line.amountMinor]));
  expect(group?.entries.map(({ role, part = 1 }) => [role, part])).toEqual([
    ['entry', 1],
    ['entry', 2],
  ]);
  expect(posted).toEqual([
    [
      ['6110', 6000n],
      ['1935', -6000n],
    ],
    [
      ['6540', 4000n],
      ['1935', -4000n],
    ],
  ]);
});
