import { installationPayload, type InstallationTask, type TaskDefinition } from '../tasks/task-definition.js';

/** Processes an installation's due runs. The request budget limits a first run, so more workers would only wait. */
export const processSyncsTask: TaskDefinition<InstallationTask> = {
  kind: 'process-due-syncs',
  payload: installationPayload,
  concurrency: 2,
};
