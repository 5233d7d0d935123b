import { beforeEach, describe, expect, it } from '@jest/globals';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import type { ExportJobRequest } from '../../../../src/connector/platform/platform-api.js';
import { purchase } from '../exports/exports-harness.js';
import { ReviewHarness, type ReviewTenant } from './review-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const harness = startedOnce(() => ReviewHarness.start());
let tenant: ReviewTenant;

beforeEach(async () => {
  harness.erp.restore();
  harness.platform.restore();
  tenant = await harness.addTenant();
});

const failing = (account: string) => purchase(tenant.companyId, { account });
const resolve = (key: string) =>
  harness.send(tenant, 'POST', `/issues/${key}/resolution`, { rule: { target: '6110' } });
const latestReexport = async (key: string) =>
  (await harness.send(tenant, 'GET', `/issues/${key}`)).body['latestReexport'];

describe('the re-export of an issue', () => {
  it('is recognized by its job when the response to another request was lost as well', async () => {
    await harness.export(tenant, [failing('a'), failing('b')]);
    const createJob = harness.platform.createExportJob.bind(harness.platform);
    harness.platform.after = (call) => {
      if (call === 'create-job') throw new NoResponse('lost', true);
    };
    await resolve('account:a');
    await harness.requestReexports(tenant);
    harness.clock.freezeMinutes(1);
    await resolve('account:b');
    harness.platform.createExportJob = () => Promise.reject(new NoResponse('lost', true));
    await harness.requestReexports(tenant);
    harness.platform.restore();
    harness.platform.createExportJob = createJob;
    const lost = [...harness.platform.jobs.values()].find(
      ({ companyId, status }) => companyId === tenant.companyId && status === 'pending',
    );
    await harness.detect(tenant, lost?.id ?? '');
    await harness.processQueue(tenant);
    expect(await latestReexport('account:a')).toMatchObject({ state: 'completed', exportJobId: lost?.id });
    await harness.followUp(tenant);
    expect(await latestReexport('account:b')).toMatchObject({ state: 'completed', exportJobId: expect.any(String) });
  });

  it.each([false, true])('has the vendors as in the newest export of its entries: %s', async (isVendorBased) => {
    const [first, second] = [failing('a'), failing('a')].toSorted((one, other) =>
      one.accountingEntryId < other.accountingEntryId ? -1 : 1,
    );
    if (first === undefined || second === undefined) throw new Error('no items');
    const older = await harness.export(tenant, [first]);
    harness.clock.freezeMinutes(1);
    const newer = await harness.export(tenant, [second]);
    await harness.admin.query(
      `UPDATE export_job SET version = version + 1, vendor_based_bookkeeping = CASE id WHEN $1 THEN NOT $3 ELSE $3 END WHERE id IN ($1, $2)`,
      [older.id, newer.id, isVendorBased],
    );
    const requests: ExportJobRequest[] = [];
    const createJob = harness.platform.createExportJob.bind(harness.platform);
    harness.platform.createExportJob = (auth, request) => {
      requests.push(request);
      return createJob(auth, request);
    };
    await resolve('account:a');
    await harness.followUp(tenant);
    harness.platform.createExportJob = createJob;
    expect(requests).toMatchObject([{ vendorBasedBookkeeping: isVendorBased }]);
    expect(requests[0]?.accountingEntryIds).toHaveLength(2);
  });
});
