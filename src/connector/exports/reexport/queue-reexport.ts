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

const ENDED: readonly string[] = [
  'completed',
  'completed_with_errors',
  'failed',
  'expired',
  'closed_by_platform',
  'refused',
];

/** Whether it may still get a job, or its job has not ended. */
export function isUnderWay({ state }: Pick<ReexportView, 'state'>): boolean {
  return !ENDED.includes(state);
}

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

  /**
   * The re-export of an issue that has not ended.
   * @param tx keeps others from requesting one of this issue until it ends
   */
  async findUnderWay(tx: Tx, installationId: InstallationId, issueKey: string): Promise<ReexportView | undefined> {
    const newest = await this.reexportRepository.lockNewest(tx, installationId, issueKey);
    return newest !== undefined && isUnderWay(newest) ? newest : undefined;
  }
}
