import { installationPayload, type InstallationTask, type TaskDefinition } from '../tasks/task-definition.js';

/** Processes the due runs of one installation. */
export const processReconciliationsTask: TaskDefinition<InstallationTask> = {
  kind: 'process-due-reconciliations',
  payload: installationPayload,
  concurrency: 1,
};
