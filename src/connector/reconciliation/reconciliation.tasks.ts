import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

/** Processes the due runs of one installation. */
export const processReconciliationsTask: TaskDefinition<{ readonly installationId: InstallationId }> = {
  kind: 'process-due-reconciliations',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 1,
};
