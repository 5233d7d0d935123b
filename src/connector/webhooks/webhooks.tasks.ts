import { z } from 'zod';
import { toInstallationId, toWebhookId, type InstallationId, type WebhookId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

export interface NotificationTask {
  readonly installationId: InstallationId;
  /** Undefined: no message, only a hint that one was missed. */
  readonly webhookId?: WebhookId | undefined;
}

export interface UnconnectedJobTask {
  readonly installationId: InstallationId;
  readonly exportJobId: string;
}

/** A job of a company of the organization that is not connected has to have a verdict. */
export const refuseUnconnectedJobTask: TaskDefinition<UnconnectedJobTask> = {
  kind: 'refuse-unconnected-job',
  payload: z.object({
    installationId: z.guid().transform(toInstallationId),
    exportJobId: z.guid(),
  }),
  concurrency: 1,
};

/** A notification was stored. `handle-notification.ts` maps its event type to a use case: this feature knows no event. */
export const handleNotificationTask: TaskDefinition<NotificationTask> = {
  kind: 'handle-notification',
  payload: z.object({
    installationId: z.guid().transform(toInstallationId),
    webhookId: z.string().transform(toWebhookId).optional(),
  }),
  concurrency: 4,
};
