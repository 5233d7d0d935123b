import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

interface InstallationTask {
  readonly installationId: InstallationId;
}
const payload = z.object({ installationId: z.uuid().transform(toInstallationId) });

/** Subscribe, link the ERP company and activate, after the customer's consent. */
export const finishConnectionTask: TaskDefinition<InstallationTask> = {
  kind: 'finish-connection',
  payload,
  concurrency: 2,
};

/** Create or correct the platform's subscription. */
export const maintainSubscriptionTask: TaskDefinition<InstallationTask> = {
  kind: 'maintain-subscription',
  payload,
  concurrency: 2,
};
