import { z } from 'zod';
import { installationPayload, type InstallationTask, type TaskDefinition } from '../../tasks/task-definition.js';

export type RequestReexportTask = InstallationTask & { readonly id: string };

/** Request the export job of a re-export from the platform. */
export const requestReexportTask: TaskDefinition<RequestReexportTask> = {
  kind: 'request-reexport',
  payload: installationPayload.extend({ id: z.guid() }),
  concurrency: 2,
};
