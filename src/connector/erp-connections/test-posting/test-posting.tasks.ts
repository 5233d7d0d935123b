import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../../kernel/ids.js';
import type { TaskDefinition } from '../../tasks/task-definition.js';

interface FinishTestPostingsTask {
  readonly installationId: InstallationId;
}

/** Takes back what a test has posted before it was interrupted. */
export const finishTestPostingsTask: TaskDefinition<FinishTestPostingsTask> = {
  kind: 'finish-test-postings',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 2,
};
