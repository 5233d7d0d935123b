import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CompanyOwnership } from '../../../../src/connector/exports/stores/company-ownership.js';
import { PreviewReader } from '../../../../src/connector/review/preview.reader.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { startedOnce } from '../../../support/started-once.js';
import { purchase } from '../exports/exports-harness.js';
import { ReviewHarness, type ReviewTenant } from './review-harness.js';

const harness = startedOnce(() => ReviewHarness.start());
let tenant: ReviewTenant;
let job: FakeJob;
let preview: Readonly<Record<string, unknown>>;

beforeEach(async () => {
  harness.erp.restore();
  harness.platform.restore();
  tenant = await harness.addTenant();
  job = await harness.addJob(tenant, [purchase(tenant.companyId)]);
  preview = (await harness.send(tenant, 'POST', '/previews', { jobId: job.id, mappingVersion: 1 })).body;
});

const commit = () =>
  harness.send(tenant, 'POST', `/previews/${String(preview['id'])}/commit`, { digest: preview['digest'] });

// The commit restricts the job to what was previewed: a job that begins without that may post something else.
describe('committing the preview of a pending job is refused', () => {
  it('when a worker has begun the job while the preview was compared', async () => {
    const findPosted = harness.erp.findPosted.bind(harness.erp);
    harness.erp.findPosted = async (...call) => {
      harness.erp.findPosted = findPosted;
      const found = await findPosted(...call);
      await harness.processQueue(tenant);
      return found;
    };
    expect(await commit()).toMatchObject({ status: 409, body: { type: 'urn:problem:job-running' } });
    expect(job.status).toBe('completed');
  });

  it('when a worker has the company and may begin it at any moment', async () => {
    const { installationId, companyId } = tenant;
    const ownership = harness.app.get(CompanyOwnership, { strict: false });
    const refused = await ownership.whileOwner(installationId, companyId, commit);
    expect(refused?.result).toMatchObject({ status: 409, body: { type: 'urn:problem:job-running' } });
    expect((await commit()).status).toBe(202);
    await harness.processQueue(tenant);
    expect(job.status).toBe('completed');
  });
});

it('the preview of the beginning of a job is compared with no more of the job', async () => {
  const long = await harness.addJob(
    tenant,
    Array.from({ length: 250 }, () => purchase(tenant.companyId)),
  );
  const { body } = await harness.send(tenant, 'POST', '/previews', { jobId: long.id, limit: 20 });
  harness.platform.calls.length = 0;
  const committed = await harness.send(tenant, 'POST', `/previews/${String(body['id'])}/commit`, {
    digest: body['digest'],
  });
  expect(committed.status).toBe(202);
  expect(harness.platform.calls).toEqual(['item-data']);
});

it('an Idempotency-Key stays in use when what was made cannot be read: no second one is made', async () => {
  const reader = harness.app.get(PreviewReader, { strict: false });
  const timedOut = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  jest.spyOn(reader, 'count').mockRejectedValueOnce(timedOut);
  const make = async () => {
    const response = await harness.app.inject({
      method: 'POST',
      url: '/api/v1/previews',
      headers: { authorization: `Bearer ${tenant.tokens.bookkeeper}`, 'idempotency-key': 'once' },
      payload: { jobId: job.id },
    });
    return response.statusCode;
  };
  expect([await make(), await make()]).toEqual([503, 409]);
  const { rows } = await harness.admin.query('SELECT FROM preview WHERE installation_id = $1', [tenant.installationId]);
  expect(rows).toHaveLength(2);
});
