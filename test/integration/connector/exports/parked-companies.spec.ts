import { beforeEach, describe, expect, it } from '@jest/globals';
import { ActivateInstallation } from '../../../../src/connector/activate-installation.js';
import { DetectExportJobs } from '../../../../src/connector/exports/run/detect-export-jobs.js';
import { FinishConnection } from '../../../../src/connector/installations/connect/finish-connection.js';
import { InstallationReader } from '../../../../src/connector/installations/installation.reader.js';
import { AuthorizationLost, PlatformRefusal } from '../../../../src/connector/platform/platform-error.js';
import { RequestScheduledSyncs } from '../../../../src/connector/reference-data/request-scheduled-syncs.js';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import type { FakeJob } from '../../../support/platform/fake-platform.js';
import { UNREACHABLE } from '../../../support/fake-erp.js';
import { ExportsHarness, purchases, type Tenant } from './exports-harness.js';
import { EndOpenJobs } from '../../../../src/connector/exports/run/end-open-jobs.js';
import { startedOnce } from '../../../support/started-once.js';

// Jobs of a company that leaves, or that no worker may act for any more, still get a verdict, as long as calls are possible.

const exports = startedOnce(() => ExportsHarness.start());
let tenant: Tenant;

beforeEach(async () => {
  exports.platform.restore();
  exports.erp.restore();
  tenant = await exports.addTenant();
});

const setState = (state: string) =>
  exports.admin.query('UPDATE installation SET state = $2 WHERE id = $1', [tenant.installationId, state]);
const uninstalling = async () => {
  const installation = await exports.get(InstallationReader).find(tenant.installationId);
  if (installation === undefined) {
    throw new Error('no installation');
  }
  await exports.get(EndOpenJobs).endBeforeUninstall(installation.id, installation.companyId);
};
/** Until a worker wants the company from its holder. */
const readRequests = async () => {
  for (let isAsked = false; !isAsked;) {
    const { rows } = await exports.admin.query<{ asked: boolean }>(
      `SELECT release_requested_until > '-infinity' AS asked FROM company_lease WHERE installation_id = $1`,
      [tenant.installationId],
    );
    isAsked = rows[0]?.asked ?? false;
  }
};
const verdict = (job: FakeJob) => job.events.at(-1);
const statuses = (job: FakeJob) => [...job.results.values()].map(({ status }) => status).sort();

const reportedAsExported = (job: FakeJob) =>
  [...job.results.values()].flatMap((one) => (one.status === 'successful' ? [one.accountingEntryId] : [])).sort();

/** A job of 150 items of which the first hundred are in the books, and the ERP is gone. */
async function halfPosted(): Promise<FakeJob> {
  const job = await exports.addJob(tenant, purchases(tenant.companyId, 150));
  exports.erp.onPost = () => {
    exports.erp.failure = exports.erp.posts.length > 1 ? UNREACHABLE : undefined;
    return Promise.resolve();
  };
  await exports.processQueue(tenant);
  return job;
}

describe('uninstalling while a job is open', () => {
  it('ends a job that has not started', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3));
    await uninstalling();
    expect(job.events.map(({ event }) => event)).toEqual(['started', 'failed']);
    expect(verdict(job)).toMatchObject({
      failureReasonType: 'authorization_failure',
      failureReason: expect.stringContaining('uninstalled while this export was open'),
    });
    expect(await exports.stateOf(job)).toBe('failed');
    expect(exports.erp.posts).toEqual([]);
  });

  it('reports what is in the books as exported, and the rest as failed', async () => {
    const job = await halfPosted();
    const posted = statuses(job).length;
    await uninstalling();
    expect(statuses(job).filter((status) => status === 'successful')).toHaveLength(posted);
    expect(job.results.size).toBe(150);
    expect(verdict(job)).toEqual({ event: 'completed_with_errors' });
  });

  it('takes the company from its worker, which reports what it was processing', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3_000));
    const posting = Promise.withResolvers<undefined>();
    exports.erp.onPost = async () => {
      posting.resolve(undefined);
      await readRequests();
    };
    const worker = exports.processQueue(tenant);
    await posting.promise;
    await Promise.all([worker, uninstalling()]);
    expect(new Set(statuses(job))).toEqual(new Set(['failed', 'successful']));
    expect(reportedAsExported(job)).toEqual(exports.erp.posts.flat().sort());
    expect(job.events.map(({ event }) => event)).toEqual(['started', 'completed_with_errors']);
  });

  it('continues without a verdict when the platform does not respond', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.before = () => {
      throw new NoResponse('connection refused', false);
    };
    await uninstalling();
    expect(await exports.stateOf(job)).toBe('detected');
    expect(await exports.claim(tenant)).toBeDefined();
  });

  it('ends the others when the platform gives none of one of them', async () => {
    const [stuck, other] = [
      await exports.addJob(tenant, purchases(tenant.companyId, 1)),
      await exports.addJob(tenant, purchases(tenant.companyId, 1)),
    ];
    exports.platform.before = (_, { id }) => {
      if (id === [stuck.id, other.id].toSorted()[0]) {
        throw new PlatformRefusal(403, 'FORBIDDEN', 'not yours', undefined);
      }
    };
    await uninstalling();
    const verdicts = [stuck, other].map((job) => verdict(job)?.event);
    expect(verdicts.toSorted()).toEqual(['failed', undefined]);
  });

  it('does nothing when no job is open', async () => {
    await uninstalling();
    expect(exports.platform.calls).toEqual([]);
  });
});

describe('a company that needs a new authorization', () => {
  it('has its job ended at once while the last token is valid', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 2));
    await setState('needs_reauthorization');
    await exports.processQueue(tenant);
    expect(verdict(job)).toMatchObject({
      failureReasonType: 'authorization_failure',
      failureReason: expect.stringContaining('connect the company again'),
    });
  });

  it('has what was posted before reported unchanged', async () => {
    const job = await halfPosted();
    const posted = statuses(job).length;
    await setState('needs_reauthorization');
    await exports.processQueueAgain(tenant);
    expect(statuses(job).filter((status) => status === 'successful')).toHaveLength(posted);
    expect(verdict(job)).toEqual({ event: 'completed_with_errors' });
  });

  it('has a job ended in the middle of its run, when the grant is revoked', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 3_000));
    exports.erp.onPost = async () => {
      await setState('needs_reauthorization');
    };
    await exports.processQueue(tenant);
    expect(new Set(statuses(job))).toEqual(new Set(['failed', 'successful']));
    expect(reportedAsExported(job)).toEqual(exports.erp.posts.flat().sort());
    expect(verdict(job)).toEqual({ event: 'completed_with_errors' });
  });

  it('detects a job that was created afterwards', async () => {
    const job = exports.platform.addJob(tenant.companyId, purchases(tenant.companyId, 1));
    await setState('needs_reauthorization');
    expect(await exports.get(DetectExportJobs).detect(tenant.installationId)).toBe(1);
    await exports.processQueue(tenant);
    expect(verdict(job)).toMatchObject({ event: 'failed', failureReasonType: 'authorization_failure' });
  });

  it('has its job ended in the connector with the reason when the platform cannot be notified', async () => {
    const job = await exports.addJob(tenant, purchases(tenant.companyId, 1));
    exports.platform.before = () => {
      throw new AuthorizationLost('the grant is revoked');
    };
    await exports.processQueue(tenant);
    exports.clock.passMinutes(62);
    await exports.processQueueAgain(tenant);
    expect(await exports.rows('export_job', job.id, 'state, failure_type, failure_reason, failure_messages')).toEqual([
      [
        'expired',
        'authorization_failure',
        expect.stringContaining('does not accept the connection any more'),
        [expect.objectContaining({ code: 'reason.job.verdict-not-sent' })],
      ],
    ]);
  });
});

describe('a company whose connection is not finished', () => {
  it('has a waiting job ended, even if finishing fails', async () => {
    tenant = await exports.addTenant({ erpCompany: false });
    await setState('authorized');
    const job = exports.platform.addJob(tenant.companyId, purchases(tenant.companyId, 1));
    const activateInstallation = new ActivateInstallation(
      exports.get(FinishConnection),
      exports.get(DetectExportJobs),
      exports.get(RequestScheduledSyncs),
    );
    await expect(activateInstallation.activate(tenant.installationId)).rejects.toThrow();
    await exports.processQueue(tenant);
    expect(verdict(job)).toMatchObject({ event: 'failed', failureReasonType: 'missing_configuration' });
  });
});
