import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

/** A customer consented: subscribe, link and activate in the background. */
export const finishConnectionTask: TaskDefinition<{ installationId: InstallationId }> = {
  kind: 'finish-connection',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 2,
};
