import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

interface InstallationTask {
  readonly installationId: InstallationId;
}
const payload = z.object({ installationId: z.uuid().transform(toInstallationId) });

/** A customer consented: subscribe, link and activate in the background. */
export const finishConnectionTask: TaskDefinition<InstallationTask> = {
  kind: 'finish-connection',
  payload,
  concurrency: 2,
};

/** The platform's subscription is to be what we want it to be. */
export const maintainSubscriptionTask: TaskDefinition<InstallationTask> = {
  kind: 'maintain-subscription',
  payload,
  concurrency: 2,
};
