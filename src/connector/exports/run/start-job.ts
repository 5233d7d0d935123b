import { Injectable } from '@nestjs/common';
import { InstallationReader } from '../../installations/installation.reader.js';
import { MappingReader } from '../../mapping/mapping.reader.js';
import type { ExportJob } from '../domain/export-job.js';
import { RecognizeReexport } from '../reexport/recognize-reexport.js';
import { RelayOutbox } from '../reporting/relay-outbox.js';
import type { PinnedPlan } from '../reexport/reexport.repository.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { RecordJobStart } from './record-job-start.js';

/** A job after its start, with its pinned mapping version and ERP company. */
export interface StartedJob {
  readonly job: ExportJob;
  /** The plan it is restricted to, where it commits a preview. */
  readonly readPlan: () => Promise<PinnedPlan | undefined>;
}

/** Starts the job on the platform and pins its configuration. */
@Injectable()
export class StartJob {
  constructor(
    private readonly installationReader: InstallationReader,
    private readonly mappingReader: MappingReader,
    private readonly recognizeReexport: RecognizeReexport,
    private readonly recordJobStart: RecordJobStart,
    private readonly relayOutbox: RelayOutbox,
  ) {}

  /**
   * Delivers what an earlier run could not, or starts a job that has not started.
   * @param platformStatus a job that is `in_progress` is resumed without a second `started`
   * @throws JobClosed, PlatformRefusal, NoResponse, AuthorizationLost, LeaseLost
   */
  async startOrDeliver(job: ExportJob, lease: CompanyLease, platformStatus: string): Promise<StartedJob> {
    if (job.state !== 'detected') {
      await this.relayOutbox.deliverAll(job, lease);
      return { job, readPlan: () => this.recognizeReexport.findPinnedPlan(job) };
    }
    const installation = await this.installationReader.find(job.installationId);
    const latest = await this.mappingReader.latestSettings(job.installationId);
    const plan = await this.recognizeReexport.findPinnedPlan(job);
    const pinned = {
      mappingVersion: plan?.mappingVersion ?? latest?.version,
      erpCompanyId: installation?.erpCompanyId,
    };
    const started = await this.recordJobStart.recordStart(job, lease, pinned, platformStatus === 'pending');
    await (started === undefined
      ? this.relayOutbox.deliverAll(job, lease)
      : this.relayOutbox.deliver(job, lease, [started]));
    return { job: { ...job, ...pinned, state: 'running' }, readPlan: () => Promise.resolve(plan) };
  }
}
