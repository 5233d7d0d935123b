import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { sql } from '../../foundation/database/sql.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { isUuid, type InstallationId } from '../../kernel/ids.js';
import { TaskQueue } from '../tasks/task-queue.js';
import { ReplayNotification, type NotificationReplay } from '../webhooks/replay-notification.js';
import { recordAction } from './operator-action.js';

export type DeadLetterReplay = NotificationReplay | { readonly outcome: 'sent' };

const LETTER = /^(task|message)\.([0-9a-f-]{36})$/;

/** Gives what was given up another try. */
@Injectable()
export class ReplayDeadLetter {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly taskQueue: TaskQueue,
    private readonly replayNotification: ReplayNotification,
  ) {}

  /** @param letterId as the list of dead letters names it */
  async replay(installationId: InstallationId, letterId: string): Promise<DeadLetterReplay> {
    const [, kind, id = ''] = LETTER.exec(letterId) ?? [];
    if (!isUuid(id)) {
      return { outcome: 'unknown' };
    }
    return kind === 'task' ? this.sendTask(installationId, id) : this.ingestMessage(installationId, id);
  }

  /** One that fails again comes back to the list. */
  private async sendTask(installationId: InstallationId, id: string): Promise<DeadLetterReplay> {
    return this.tenantDatabase.inInstallation('replay task', installationId, async (tx) => {
      const task = await tx.maybeOne<{ kind: string; payload: object }>(sql`
        DELETE FROM failed_task WHERE installation_id = ${installationId} AND id = ${id} RETURNING kind, payload`);
      if (task === undefined) {
        return { outcome: 'unknown' };
      }
      const definition = { kind: task.kind, payload: z.object({}), concurrency: 1 };
      await this.taskQueue.send(tx, definition, task.payload, `replay ${id}`);
      await recordAction(tx, installationId, { id: randomUUID(), action: 'task-replayed', target: task.kind });
      return { outcome: 'sent' };
    });
  }

  private async ingestMessage(installationId: InstallationId, id: string): Promise<DeadLetterReplay> {
    const replayed = await this.replayNotification.replay(installationId, `quarantine.${id}`);
    if (replayed.outcome !== 'unknown') {
      await this.tenantDatabase.inInstallation('record replay', installationId, (tx) =>
        recordAction(tx, installationId, { id: randomUUID(), action: 'message-replayed', target: id }),
      );
    }
    return replayed;
  }
}
