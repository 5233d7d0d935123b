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
    private readonly exportStores: ExportStores,
    private readonly installationsService: InstallationsService,
    private readonly mappingService: MappingService,
    private readonly recognizeReexport: RecognizeReexport,
    private readonly relayOutbox: RelayOutbox,
    private readonly taskQueue: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * @param platformStatus `in_progress` is a job that was begun before: it is resumed without a second `started`
   * @returns the job as it is now: running, with its mapping version and ERP company
   */
  async startOrResume(job: ExportJob, lease: CompanyLease, platformStatus: string): Promise<ExportJob> {
    const installation = await this.installationsService.find(job.installationId);
    const latest = await this.mappingService.latest(job.installationId);
    const erpCompanyId = installation?.erpCompanyId;
    const pinned = await this.recognizeReexport.findPinnedPlan(job);
    const mappingVersion = pinned?.mappingVersion ?? latest?.version;
    const at = this.clock.now();
    await this.exportStores.fenced('start job', lease, async (tx) => {
      await this.exportStores.exportJobRepository.start(tx, job, { mappingVersion, erpCompanyId, at });
      const { installationId } = job;
      await this.taskQueue.send(tx, checkDriftTask, { installationId }, installationId);
      if (platformStatus === 'pending') {
        await this.exportStores.outboxRepository.add(tx, job, 'started', { event: 'started' }, at);
      }
    });
    await this.relayOutbox.deliverAll(job, lease);
    return { ...job, state: 'running', mappingVersion, erpCompanyId };
  }
}
