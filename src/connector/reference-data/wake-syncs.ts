import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import type { InstallationId } from '../../kernel/ids.js';
import { InstallationsService } from '../installations/installations.service.js';
import { TaskQueue } from '../tasks/task-queue.js';
import type { SyncKind } from './domain/sync-plan.js';
import { nextTurn } from './domain/sync-turn.js';
import { runSyncsTask } from './reference-data.tasks.js';
import { RequestSyncs } from './request-syncs.js';
import { SyncRunRepository } from './sync-run.repository.js';
import { SyncTurnRepository } from './sync-turn.repository.js';

/** Everything, in the order the parts build upon each other. */
export const WHOLE: readonly SyncKind[] = ['tax-codes', 'accounts', 'tags', 'vendors'];
/** Most installations one tick takes; the rest has its turn at the next one. */
const LIMIT = 200;

/** Sees whose turn it is, and which runs nobody works on although they are due. */
@Injectable()
export class WakeSyncs {
  constructor(
    private readonly database: TenantDatabase,
    private readonly turns: SyncTurnRepository,
    private readonly runs: SyncRunRepository,
    private readonly installations: InstallationsService,
    private readonly requests: RequestSyncs,
    private readonly tasks: TaskQueue,
    private readonly clock: Clock,
  ) {}

  async run(): Promise<void> {
    const due = await this.database.acrossInstallations('find due syncs', (tx) =>
      this.turns.findDue(tx, LIMIT),
    );
    for (const installationId of due) {
      await this.takeTurn(installationId);
    }
    const idle = await this.database.acrossInstallations('find idle syncs', (tx) =>
      this.runs.findIdle(tx, LIMIT),
    );
    for (const installationId of idle) {
      await this.database.inInstallation('wake sync', installationId, (tx) =>
        this.tasks.send(tx, runSyncsTask, { installationId }, installationId),
      );
    }
  }

  /** Asks for all runs of an active installation whose turn has come; one that has just been connected has it at once. */
  async takeTurn(installationId: InstallationId): Promise<void> {
    const installation = await this.installations.find(installationId);
    if (installation?.state !== 'active') {
      return;
    }
    const { companyId } = installation;
    const next = nextTurn(installationId, this.clock.now());
    await this.database.inInstallation('take sync turn', installationId, async (tx) => {
      const turn = await this.turns.take(tx, installationId, next);
      if (turn !== undefined) {
        const reason = turn === 'first' ? 'connected' : 'schedule';
        await this.requests.inTransaction(tx, { installationId, companyId }, WHOLE, reason);
      }
    });
  }
}
