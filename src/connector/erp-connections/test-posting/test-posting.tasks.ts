import { installationPayload, type InstallationTask, type TaskDefinition } from '../../tasks/task-definition.js';

/** Takes back what a test has posted before it was interrupted. */
export const finishTestPostingsTask: TaskDefinition<InstallationTask> = {
  kind: 'finish-test-postings',
  payload: installationPayload,
  concurrency: 2,
};
