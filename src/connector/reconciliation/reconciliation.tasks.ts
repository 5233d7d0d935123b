import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

/** Work off what is due of one installation. */
export const runReconciliationsTask: TaskDefinition<{ readonly installationId: InstallationId }> = {
  kind: 'run-reconciliations',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 1,
};
