import { installationPayload, type InstallationTask, type TaskDefinition } from '../tasks/task-definition.js';

/** Raises and sends the alerts of an installation whose administrator has switched them on. */
export const raiseAlertsTask: TaskDefinition<InstallationTask> = {
  kind: 'raise-alerts',
  payload: installationPayload,
  concurrency: 4,
};
