import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Tx } from '../../../foundation/database/transaction.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { TaskQueue } from '../../tasks/task-queue.js';
import { ReexportRepository, type ReexportRequest, type ReexportView } from './reexport.repository.js';
import { requestReexportTask } from './reexports.tasks.js';

/** Entries of one re-export. */
export const MAX_REEXPORTED_ENTRIES = 10_000;

@Injectable()
export class QueueReexport {
  constructor(
    private readonly reexportRepository: ReexportRepository,
    private readonly taskQueue: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * A worker soon requests the job from the platform and follows it to its verdict.
   * @param tx of the installation: the re-export exists exactly when it commits
   */
  async queue(tx: Tx, installationId: InstallationId, request: ReexportRequest): Promise<ReexportView> {
    const id = randomUUID();
    const reexport = await this.reexportRepository.add(tx, installationId, id, request, this.clock.now());
    if (request.exportJobId === undefined) {
      await this.taskQueue.send(tx, requestReexportTask, { installationId, id }, id);
    }
    return reexport;
  }
}
