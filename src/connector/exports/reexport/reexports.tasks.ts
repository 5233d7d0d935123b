import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import type { TaskDefinition } from '../../tasks/task-definition.js';

export interface RequestReexportTask {
  readonly installationId: InstallationId;
  readonly id: string;
}

/** Request the export job of a re-export from the platform. */
export const requestReexportTask: TaskDefinition<RequestReexportTask> = {
  kind: 'request-reexport',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId), id: z.uuid() }),
  concurrency: 2,
};
