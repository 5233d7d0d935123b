// Kind of task → use case. Start reading here: everything a worker ever does stands in this table.
import type { AlertsService } from './alerts/alerts.service.js';
import { raiseAlertsTask } from './alerts/alerts.tasks.js';
import type { ExportsService } from './exports/exports.service.js';
import { checkDriftTask, detectExportJobsTask, companyQueueTasksByLane } from './exports/exports.tasks.js';
import type { ReexportsService } from './exports/reexport/reexports.service.js';
import { requestReexportTask } from './exports/reexport/reexports.tasks.js';
import type { InDoubtPostingsService } from './exports/in-doubt/in-doubt-postings.service.js';
import { lookUpInDoubtPostingsTask } from './exports/in-doubt/in-doubt-postings.tasks.js';
import { recordWorkerHeartbeat } from './health/worker-heartbeat.repository.js';
import type { InstallationsService } from './installations/installations.service.js';
import { maintainSubscriptionTask, finishConnectionTask } from './installations/installations.tasks.js';
import {
  rotateKeysTask,
  wakeSubscriptionMaintenanceTask,
  deleteOldBodiesTask,
  pollPlatformTask,
  sweepTask,
  wakeAlertsTask,
  wakeForLookUpsTask,
  wakeDriftChecksTask,
  wakeReexportsTask,
  wakeReconciliationsTask,
  wakeSyncsTask,
} from './schedule.js';
import type { ReconciliationService } from './reconciliation/reconciliation.service.js';
import { processReconciliationsTask } from './reconciliation/reconciliation.tasks.js';
import type { ReferenceDataService } from './reference-data/reference-data.service.js';
import { processSyncsTask } from './reference-data/reference-data.tasks.js';
import { handler, type TaskHandler } from './tasks/task-definition.js';
import type { TaskQueue } from './tasks/task-queue.js';
import type { TenantDatabase } from '../foundation/database/tenant-database.js';
import type { InstallationId } from '../kernel/ids.js';
import type { DriftService } from './review/drift.service.js';
import type { WebhooksService } from './webhooks/webhooks.service.js';
import { handleNotificationTask, type NotificationTask } from './webhooks/webhooks.tasks.js';

export interface UseCases {
  readonly database: TenantDatabase;
  readonly tasks: TaskQueue;
  readonly installations: InstallationsService;
  readonly webhooks: WebhooksService;
  readonly exports: ExportsService;
  readonly referenceData: ReferenceDataService;
  readonly reconciliation: ReconciliationService;
  readonly alerts: AlertsService;
  readonly reexports: ReexportsService;
  readonly drift: DriftService;
  readonly inDoubtPostings: InDoubtPostingsService;
  /** Seconds between two looks at one company that no webhook told of. */
  readonly pollSeconds: number;
}

/** Most installations one tick takes; the rest has its turn at the next one. */
const POLL_LIMIT = 200;
/** Most subscriptions one tick looks after: three requests each, which leaves room for the exports. */
const MAINTENANCE_LIMIT = 20;
/** Where an export is under way another one is likely (F1). */
const POLL_SECONDS_WITH_OPEN_JOBS = 120;

/** Every kind of task there is; both processes create the queues, workers also take from them. */
export const TASK_KINDS: readonly string[] = [
  finishConnectionTask.kind,
  maintainSubscriptionTask.kind,
  handleNotificationTask.kind,
  detectExportJobsTask.kind,
  companyQueueTasksByLane.short.kind,
  companyQueueTasksByLane.long.kind,
  companyQueueTasksByLane.urgent.kind,
  lookUpInDoubtPostingsTask.kind,
  pollPlatformTask.kind,
  sweepTask.kind,
  processSyncsTask.kind,
  wakeSyncsTask.kind,
  processReconciliationsTask.kind,
  wakeReconciliationsTask.kind,
  raiseAlertsTask.kind,
  wakeAlertsTask.kind,
  wakeSubscriptionMaintenanceTask.kind,
  rotateKeysTask.kind,
  deleteOldBodiesTask.kind,
  wakeForLookUpsTask.kind,
  requestReexportTask.kind,
  wakeReexportsTask.kind,
  checkDriftTask.kind,
  wakeDriftChecksTask.kind,
];

export function taskHandlers(use: UseCases): readonly TaskHandler[] {
  return [
    handler(finishConnectionTask, ({ installationId }) => finishConnection(use, installationId)),
    handler(handleNotificationTask, (task) => handleNotification(use, task)),
    handler(detectExportJobsTask, ({ installationId }) => detect(use, installationId)),
    handler(companyQueueTasksByLane.short, (task, signal) =>
      use.exports.processQueueOf(task, 'short', signal),
    ),
    handler(companyQueueTasksByLane.long, (task, signal) => use.exports.processQueueOf(task, 'long', signal)),
    handler(companyQueueTasksByLane.urgent, (task, signal) =>
      use.exports.processQueueOf(task, 'urgent', signal),
    ),
    handler(lookUpInDoubtPostingsTask, (task, signal) => use.inDoubtPostings.lookUpDue(task, signal)),
    handler(pollPlatformTask, () => pollPlatform(use)),
    handler(sweepTask, () => sweep(use)),
    handler(processSyncsTask, ({ installationId }, signal) =>
      use.referenceData.processSyncsOf(installationId, signal),
    ),
    handler(wakeSyncsTask, () => use.referenceData.wake()),
    handler(processReconciliationsTask, ({ installationId }, signal) =>
      use.reconciliation.processDue(installationId, signal),
    ),
    handler(wakeReconciliationsTask, () => use.reconciliation.wake()),
    handler(raiseAlertsTask, ({ installationId }, signal) => use.alerts.raise(installationId, signal)),
    handler(wakeAlertsTask, () => use.alerts.wake()),
    handler(maintainSubscriptionTask, ({ installationId }) =>
      use.installations.maintainSubscription(installationId),
    ),
    handler(wakeSubscriptionMaintenanceTask, () => wakeSubscriptionMaintenance(use)),
    handler(rotateKeysTask, (_, signal) => use.installations.rotateKeys(signal)),
    handler(deleteOldBodiesTask, async () => {
      await use.webhooks.deleteOldBodies();
      await use.alerts.deleteOld();
    }),
    handler(requestReexportTask, (task) => use.reexports.requestExportJob(task)),
    handler(checkDriftTask, async ({ installationId }) => {
      await use.drift.check(installationId);
    }),
    handler(wakeDriftChecksTask, () => use.drift.wake()),
    handler(wakeReexportsTask, () => use.reexports.wake()),
    handler(wakeForLookUpsTask, () => use.inDoubtPostings.wake()),
  ];
}

/** The most frequent task also says that a worker is there. */
async function sweep(use: UseCases): Promise<void> {
  await use.exports.sweep();
  await use.database.acrossInstallations('beat worker', recordWorkerHeartbeat);
}

async function wakeSubscriptionMaintenance(use: UseCases): Promise<void> {
  for (const id of await use.installations.claimSubscriptionsDue(MAINTENANCE_LIMIT)) {
    await use.database.inInstallation('care for subscription', id, (tx) =>
      use.tasks.send(tx, maintainSubscriptionTask, { installationId: id }, id),
    );
  }
}

/** Once it is connected, the platform gets to know what the ERP has. */
async function finishConnection(use: UseCases, installationId: InstallationId): Promise<void> {
  try {
    await use.installations.finishConnection(installationId);
  } catch (error) {
    // What waits on the platform meanwhile gets its verdict all the same; if that fails too, this error says enough.
    await use.exports.detect(installationId).catch(() => 0);
    throw error;
  }
  await use.referenceData.requestFirstSync(installationId);
}

/** Event type → use case. A type we did not subscribe to is stored and otherwise ignored. */
async function handleNotification(use: UseCases, task: NotificationTask): Promise<void> {
  const eventType = await use.webhooks.eventTypeOf(task);
  switch (eventType) {
    case 'v1.export-job.created':
    case undefined: // Only a hint: look for ourselves.
      return detect(use, task.installationId);
    case 'v1.vendor.created':
      return use.referenceData.requestDraftSync(task.installationId);
    default:
      return;
  }
}

/** A look at the platform that also sets when the next one is due. */
async function detect(use: UseCases, installationId: InstallationId): Promise<void> {
  await use.installations.poll(installationId, async () => {
    const openJobs = await use.exports.detect(installationId);
    return openJobs === 0 ? use.pollSeconds : Math.min(use.pollSeconds, POLL_SECONDS_WITH_OPEN_JOBS);
  });
}

/**
 * The safety net under the webhooks and the queue: every company is looked at now and then, and at once after a hint,
 * whatever message or task was lost.
 */
async function pollPlatform(use: UseCases): Promise<void> {
  for (const { id, state } of await use.installations.claimDue(POLL_LIMIT)) {
    const task = state === 'active' ? detectExportJobsTask : finishConnectionTask;
    await use.database.inInstallation('poll', id, (tx) =>
      use.tasks.send(tx, task, { installationId: id }, id),
    );
  }
}
