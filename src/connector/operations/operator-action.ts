import { sql } from '../../foundation/database/sql.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';

/** What an operator did by hand; a trigger puts it into the customer's audit log, with the operator's name. */
export interface OperatorAction {
  readonly id: string;
  readonly action: 'paused' | 'resumed' | 'job-retried' | 'task-replayed' | 'message-replayed';
  /** The company, the job, the kind of the task, or the message. */
  readonly target: string;
  readonly reason?: string;
}

export async function recordAction(
  tx: Tx,
  installationId: InstallationId,
  { id, action, target, reason }: OperatorAction,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO operator_action (installation_id, id, action, target, reason)
    VALUES (${installationId}, ${id}, ${action}, ${target}, ${reason ?? null})`);
}
