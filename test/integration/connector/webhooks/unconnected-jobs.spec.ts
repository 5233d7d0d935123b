import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { RefuseUnconnectedJob } from '../../../../src/connector/exports/reporting/refuse-unconnected-job.js';
import { PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import { startedOnce } from '../../../support/started-once.js';
import { ExportsHarness, purchases, type Tenant } from '../exports/exports-harness.js';

// Jobs of companies of an organization that no person has connected (D1.36).

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  tenant = await exports.addTenant();
});

const refuse = (exportJobId: string) => exports.get(RefuseUnconnectedJob).refuse(tenant.installationId, exportJobId);

describe('a job of a company that is not connected', () => {
  it('fails with what to do, once', async () => {
    const job = exports.platform.addJob(randomUUID(), purchases(tenant.companyId, 2));
    await refuse(job.id);
    await refuse(job.id);
    expect(job.events).toEqual([
      {
        event: 'failed',
        failureReasonType: 'missing_configuration',
        failureReason: expect.stringContaining('Connect the company in the connector, then export again.'),
      },
    ]);
    expect(exports.erp.posts).toEqual([]);
  });

  it('has its verdict although the response is lost', async () => {
    const job = exports.platform.addJob(randomUUID(), purchases(tenant.companyId, 1));
    const lost = new Set<string>(['failed']);
    exports.platform.after = (call) => {
      if (lost.delete(call)) {
        throw new NoResponse('the response is lost', true);
      }
    };
    await refuse(job.id);
    expect(job.events.map(({ event }) => event)).toEqual(['failed']);
    expect(lost.size).toBe(0);
  });

  it('has its verdict once the platform is there again, whatever it has taken before', async () => {
    const job = exports.platform.addJob(randomUUID(), purchases(tenant.companyId, 1));
    exports.platform.before = (call) => {
      if (call === 'failed') {
        throw new NoResponse('away', false);
      }
    };
    await expect(refuse(job.id)).rejects.toThrow('away');
    exports.platform.restore();
    await refuse(job.id);
    expect(job.events.map(({ event }) => event)).toEqual(['failed']);
  });

  it('is started first where the platform takes no verdict before', async () => {
    const job = exports.platform.addJob(randomUUID(), purchases(tenant.companyId, 1));
    exports.platform.before = (call) => {
      if (call === 'failed' && job.status === 'pending') {
        throw new PlatformRefusal(422, 'VALIDATION_FAILED', 'The job has not started.', undefined);
      }
    };
    await refuse(job.id);
    expect(job.events.map(({ event }) => event)).toEqual(['started', 'failed']);
  });

  it('is left to the integration that has started it', async () => {
    const job = exports.platform.addJob(randomUUID(), purchases(tenant.companyId, 1), { status: 'in_progress' });
    await refuse(job.id);
    expect(job.events).toEqual([]);
  });

  it('is left to its own run where the company was connected meanwhile', async () => {
    const job = exports.platform.addJob(tenant.companyId, purchases(tenant.companyId, 1));
    await refuse(job.id);
    expect(job.events).toEqual([]);
  });

  it('that the platform does not know needs nothing', async () => {
    await expect(refuse(randomUUID())).resolves.toBeUndefined();
  });
});
