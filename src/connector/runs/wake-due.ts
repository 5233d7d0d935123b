import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import { inSpan } from '../../foundation/tracing/tracing.js';
import type { InstallationId } from '../../kernel/ids.js';
import { eachInTurn } from './each-in-turn.js';
import type { TaskDefinition } from '../tasks/task-definition.js';
import { TaskQueue } from '../tasks/task-queue.js';

interface Due {
  readonly installationId: InstallationId;
}

/** Finds what is due, over all tenants; the next tick finds the rest of a longer list. */
type FindDue<Found> = (tx: Tx, limit: number) => Promise<readonly Found[]>;

/** Per tick and kind. */
const MAX_DUE = 200;

/** One tick of the schedule: finds what is due, and handles each in a transaction of its own installation. */
@Injectable()
export class WakeDue {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly taskQueue: TaskQueue,
  ) {}

  /**
   * Sends one task for each installation that is due.
   * @param subject what is due, for the labels of the transactions
   */
  async wakeInstallations(
    subject: string,
    find: FindDue<InstallationId>,
    task: TaskDefinition<Due>,
    limit = MAX_DUE,
  ): Promise<void> {
    const findPayloads = async (tx: Tx) => (await find(tx, limit)).map((installationId) => ({ installationId }));
    await this.wakeEach(subject, findPayloads, task, ({ installationId }) => installationId);
  }

  /**
   * Sends one task for each that is due.
   * @param keyOf of tasks with the same key at most one waits
   */
  async wakeEach<Payload extends Due>(
    subject: string,
    find: FindDue<Payload>,
    task: TaskDefinition<Payload>,
    keyOf: (due: Payload) => string,
  ): Promise<void> {
    await this.forEach(subject, find, (tx, due) => this.taskQueue.send(tx, task, due, keyOf(due)));
  }

  /**
   * One that fails does not keep the others from their turn: it would be found first by every tick.
   * @param handle in a transaction of the installation
   * @throws the first failure, after all others were handled; at once where the database is away
   */
  async forEach<Found extends Due>(
    subject: string,
    find: FindDue<Found>,
    handle: (tx: Tx, due: Found) => Promise<unknown>,
    limit = MAX_DUE,
  ): Promise<void> {
    const found = await this.tenantDatabase.acrossInstallations(`find due ${subject}`, (tx) => find(tx, limit));
    await eachInTurn(found, async (due) => {
      const { installationId } = due;
      // Of nothing that came in: the trace of what the schedule finds begins here.
      await inSpan(`wake ${subject}`, { attributes: { 'installation.id': installationId } }, () =>
        this.tenantDatabase.inInstallation(`wake ${subject}`, installationId, (tx) => handle(tx, due)),
      );
    });
  }
}
