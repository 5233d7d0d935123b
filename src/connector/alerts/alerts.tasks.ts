import { z } from 'zod';
import { toInstallationId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

interface RaiseAlertsTask {
  readonly installationId: InstallationId;
}

/** Raises and sends the alerts of an installation whose administrator has switched them on. */
export const raiseAlertsTask: TaskDefinition<RaiseAlertsTask> = {
  kind: 'raise-alerts',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 4,
};
