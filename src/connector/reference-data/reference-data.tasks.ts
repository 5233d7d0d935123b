import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

export interface ProcessSyncsTask {
  readonly installationId: InstallationId;
}

/** Work off an installation's due runs. A first run takes as long as the request budget allows, so it has few places. */
export const processSyncsTask: TaskDefinition<ProcessSyncsTask> = {
  kind: 'process-due-syncs',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 2,
};
