// Pre-export checks (P9.3 step 2): a job whose mapping, ERP or ERP company is missing ends at once.
import { Injectable } from '@nestjs/common';
import { message, type Message } from '../../../kernel/message.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { MappingVersion } from '../../mapping/domain/mapping.js';
import type { Ownership } from '../../runs/lease.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { mayPost } from '../domain/deadline.js';
import type { ExportJob } from '../domain/export-job.js';
import { failedVerdict, type FailedVerdict, type JobFailureType } from '../domain/verdict.js';
import { FailedEntryReader } from '../issues/failed-entry.reader.js';
import { JobMasterData } from '../items/job-master-data.js';
import { WarnOfLongJob } from './warn-of-long-job.js';
import { RunEndedEarly } from './run-interruptions.js';
import type { JobRun } from './job-run.js';
import type { StartedJob } from './start-job.js';

interface Refused {
  readonly outcome: 'refused';
  readonly verdict: FailedVerdict;
}

interface Configured {
  readonly outcome: 'configured';
  readonly erpCompanyId: ErpCompanyId;
  readonly mapping: MappingVersion;
}

export type JobCheckResult = { readonly outcome: 'ready'; readonly run: JobRun } | Refused;

@Injectable()
export class CheckJob {
  constructor(
    private readonly erpConnections: ErpConnections,
    private readonly mappingReader: MappingReader,
    private readonly installationReader: InstallationReader,
    private readonly platformApi: PlatformApi,
    private readonly warnOfLongJob: WarnOfLongJob,
    private readonly failedEntryReader: FailedEntryReader,
  ) {}

  /** @throws ErpUnavailable; RunEndedEarly while the customer is paused and there is time to wait */
  async checkBeforeExport(
    { job, readPlan }: StartedJob,
    lease: CompanyLease,
    ownership: Ownership,
  ): Promise<JobCheckResult> {
    const configured = await this.checkConfiguration(job);
    if (configured.outcome === 'refused') {
      return configured;
    }
    const { erpCompanyId, mapping } = configured;
    const plan = await readPlan();
    const expected = plan && new Map(Object.entries(plan.expected));
    const erp = await this.erpConnections.open(job.installationId, erpCompanyId, ownership);
    const { masterData, isReused } = await erp.reuseMasterData();
    if (masterData === undefined) {
      return refused('invalid_configuration', message('reason.job.company-not-there'));
    }
    await this.warnOfLongJob.warnIfTooLong(job, lease, erp.capabilities.limits);
    const jobMasterData = new JobMasterData(erp, masterData, mapping, isReused);
    return {
      outcome: 'ready',
      run: {
        job,
        lease,
        erpCompanyId,
        erp,
        mappingVersion: mapping.version,
        expected,
        bookedByHand: await this.failedEntryReader.bookedByHand(job.installationId),
        masterData: jobMasterData,
        signal: ownership.signal,
      },
    };
  }

  private async checkConfiguration(job: ExportJob): Promise<Refused | Configured> {
    const { erpCompanyId, mappingVersion } = job;
    const installation = await this.installationReader.find(job.installationId);
    if (installation?.state === 'needs_reauthorization') {
      // The last access token is still valid for minutes: enough to send a verdict (H3).
      return refused('authorization_failure', message('reason.job.not-authorized'));
    }
    if (installation?.pause !== undefined) {
      if (mayPost(job, this.platformApi.platformNow())) {
        // The customer was paused after the job was claimed: the job waits like any new one.
        throw new RunEndedEarly(`exports of installation ${job.installationId} are paused`);
      }
      return refused('validation_failure', message('reason.job.paused', { text: installation.pause.reason }));
    }
    if (erpCompanyId === undefined) {
      return refused('missing_configuration', message('reason.job.not-linked'));
    }
    const mapping =
      mappingVersion === undefined
        ? undefined
        : await this.mappingReader.findVersion(job.installationId, mappingVersion);
    if (mapping === undefined) {
      return refused('missing_configuration', message('reason.job.not-configured'));
    }
    return { outcome: 'configured', erpCompanyId, mapping };
  }
}

function refused(failureReasonType: JobFailureType, reason: Message): Refused {
  return { outcome: 'refused', verdict: failedVerdict(failureReasonType, reason) };
}
