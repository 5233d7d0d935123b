import { installationPayload, type InstallationTask, type TaskDefinition } from '../tasks/task-definition.js';

/** Subscribe, link the ERP company and activate, after the customer's consent. */
export const finishConnectionTask: TaskDefinition<InstallationTask> = {
  kind: 'finish-connection',
  payload: installationPayload,
  concurrency: 2,
};

/** Create or correct the platform's subscription. */
export const maintainSubscriptionTask: TaskDefinition<InstallationTask> = {
  kind: 'maintain-subscription',
  payload: installationPayload,
  concurrency: 2,
};
