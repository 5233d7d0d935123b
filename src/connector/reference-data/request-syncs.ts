import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Tx } from '../../foundation/database/transaction.js';
import { Clock } from '../../kernel/clock.js';
import type { CompanyKey } from '../../kernel/ids.js';
import { TaskQueue } from '../tasks/task-queue.js';
import type { SyncKind } from './domain/sync-plan.js';
import type { SyncReason } from './domain/sync-run.js';
import { processSyncsTask } from './reference-data.tasks.js';
import { SyncRunRepository } from './sync-run.repository.js';

/** How a person wants runs to be. */
export interface SyncOptions {
  /** Only planned. */
  readonly isPreview?: boolean;
  /** So many records may be archived, even if it is more than a fifth of a list. */
  readonly confirmedArchives?: number;
}

/** Requests runs and wakes a worker for them, in the transaction of the change that makes them necessary. */
@Injectable()
export class RequestSyncs {
  constructor(
    private readonly syncRunRepository: SyncRunRepository,
    private readonly taskQueue: TaskQueue,
    private readonly clock: Clock,
  ) {}

  /**
   * @param options `inSeconds`: not before; an open run keeps its own time where that is sooner
   * @returns ids of the open runs, in the order of `kinds`: each kind has one open run at a time
   */
  async request(
    tx: Tx,
    { installationId, companyId }: CompanyKey,
    kinds: readonly SyncKind[],
    reason: SyncReason,
    { isPreview = false, inSeconds = 0, confirmedArchives = 0 }: SyncOptions & { readonly inSeconds?: number } = {},
  ): Promise<readonly string[]> {
    const ids: string[] = [];
    const at = this.clock.now();
    for (const kind of kinds) {
      const request = { id: randomUUID(), companyId, kind, isPreview, inSeconds, reason, at, confirmedArchives };
      ids.push(await this.syncRunRepository.request(tx, installationId, request));
    }
    await this.taskQueue.send(tx, processSyncsTask, { installationId }, installationId);
    return ids;
  }
}
