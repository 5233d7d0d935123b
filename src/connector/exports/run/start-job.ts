import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import { InstallationsService } from '../../installations/installations.service.js';
import { MappingService } from '../../mapping/mapping.service.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { type CompanyLease } from '../stores/company-lease.repository.js';
import type { ExportJob } from '../domain/export-job.js';
import { checkDriftTask } from '../exports.tasks.js';
import { RecognizeReexport } from '../reexport/recognize-reexport.js';
import { RelayOutbox } from '../reporting/relay-outbox.js';
import { ExportStores } from '../stores/export-stores.js';

/** Claims the job on the platform and pins what it is mapped with. */
@Injectable()
export class StartJob {
  constructor(
    private readonly stores: ExportStores,
    private readonly installations: InstallationsService,
    private readonly mapping: MappingService,
    private readonly reexports: RecognizeReexport,
    private readonly relay: RelayOutbox,
    private readonly tasks: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * @param platformStatus `in_progress` is a job that was begun before: it is resumed without a second `started`
   * @returns the job as it is now: running, with its mapping version and ERP company
   */
  async run(job: ExportJob, lease: CompanyLease, platformStatus: string): Promise<ExportJob> {
    const installation = await this.installations.find(job.installationId);
    const latest = await this.mapping.latest(job.installationId);
    const erpCompanyId = installation?.erpCompanyId;
    const pinned = await this.reexports.run(job);
    const mappingVersion = pinned?.mappingVersion ?? latest?.version;
    const at = this.clock.now();
    await this.stores.fenced('start job', lease, async (tx) => {
      await this.stores.jobs.start(tx, job, { mappingVersion, erpCompanyId, at });
      const { installationId } = job;
      await this.tasks.send(tx, checkDriftTask, { installationId }, installationId);
      if (platformStatus === 'pending') {
        await this.stores.outbox.add(tx, job, 'started', { event: 'started' }, at);
      }
    });
    await this.relay.run(job, lease);
    return { ...job, state: 'running', mappingVersion, erpCompanyId };
  }
}
