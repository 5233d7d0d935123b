import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

export interface ProcessSyncsTask {
  readonly installationId: InstallationId;
}

/** Processes an installation's due runs. The request budget limits a first run, so more workers would only wait. */
export const processSyncsTask: TaskDefinition<ProcessSyncsTask> = {
  kind: 'process-due-syncs',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 2,
};
