import { beforeEach, expect, it } from '@jest/globals';
import { isNotReached, losesRequest, postsWithoutResponse } from '../../../support/fake-erp.js';
import { startedOnce } from '../../../support/started-once.js';
import { ReviewHarness, type ReviewTenant } from '../review/review-harness.js';

// The entry of a connection test must not stay in the books, whatever became of the response to it.

const harness = startedOnce(() => ReviewHarness.start());
let tenant: ReviewTenant;

beforeEach(async () => {
  harness.erp.restore();
  tenant = await harness.addTenant();
  const settings = { place: tenant.installationId, password: 'of-the-accounting-system' };
  await harness.send(
    tenant,
    'PUT',
    '/erp-connection',
    { kind: 'fake', settings, confirmChange: true },
    { as: 'admin' },
  );
});

/** What is said of the entry, and how often it counts in the books. */
async function tested() {
  const keys: string[] = [];
  harness.erp.onPost = (groups) => {
    keys.push(...groups.map(({ key }) => key));
    return Promise.resolve();
  };
  const request = { erpCompanyId: harness.erp.companyId, testEntry: { debit: '5410', credit: '1935' } };
  const { body } = await harness.send(tenant, 'POST', '/erp-connection/test', request, { as: 'admin' });
  const checks = body['checks'] as readonly {
    readonly check: string;
    readonly state: string;
    readonly detail: string;
  }[];
  const { state, detail } = checks.find(({ check }) => check === 'posting') ?? {};
  const [key = ''] = keys;
  return { key, state, detail, standing: harness.erp.revisionsOf(key).filter(({ reversed }) => !reversed).length };
}

it('a test entry whose response was lost is taken back, and proves that entries are taken', async () => {
  harness.erp.script.push(postsWithoutResponse);
  expect(await tested()).toMatchObject({
    standing: 0,
    state: 'works',
    detail: 'A test entry was posted and taken back.',
  });
});

it('a test entry of which nothing is known is named, so that it can be searched for', async () => {
  harness.erp.script.push(losesRequest);
  const { key, state, detail } = await tested();
  expect([state, detail]).toEqual(['fails', expect.stringContaining(key)]);
});

it('a test entry that was not sent is not reported as one that may be there', async () => {
  harness.erp.script.push(isNotReached);
  const { key, state, detail } = await tested();
  expect([state, detail]).toEqual(['fails', expect.stringContaining('did not take a test entry: connection refused')]);
  expect(harness.erp.reversals.flat()).not.toContain(key);
});
