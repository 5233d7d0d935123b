// Kind of task → use case. Start reading here: everything a worker ever does stands in this table.
import type { AlertsService } from './alerts/alerts.service.js';
import { raiseAlertsTask } from './alerts/alerts.tasks.js';
import type { ExportsService } from './exports/exports.service.js';
import { checkDriftTask, detectExportJobsTask, runExportJobsTasks } from './exports/exports.tasks.js';
import type { ReexportsService } from './exports/reexport/reexports.service.js';
import { requestReexportTask } from './exports/reexport/reexports.tasks.js';
import type { UncertainPostingsService } from './exports/in-doubt/uncertain-postings.service.js';
import { settleUncertainTask } from './exports/in-doubt/uncertain-postings.tasks.js';
import { beatWorker } from './health/worker-heartbeat.repository.js';
import type { InstallationsService } from './installations/installations.service.js';
import { careForSubscriptionTask, finishConnectionTask } from './installations/installations.tasks.js';
import {
  careForKeysTask,
  careForSubscriptionsTask,
  forgetOldBodiesTask,
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
import { runReconciliationsTask } from './reconciliation/reconciliation.tasks.js';
import type { ReferenceDataService } from './reference-data/reference-data.service.js';
import { runSyncsTask } from './reference-data/reference-data.tasks.js';
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
  readonly uncertainPostings: UncertainPostingsService;
  /** Seconds between two looks at one company that no webhook told of. */
  readonly pollSeconds: number;
}

/** Most installations one tick takes; the rest has its turn at the next one. */
const POLL_LIMIT = 200;
/** Most subscriptions one tick looks after: three requests each, which leaves room for the exports. */
const CARE_LIMIT = 20;
/** Where an export is under way another one is likely (spec: reliability §0 finding 1). */
const POLL_SECONDS_WITH_OPEN_JOBS = 120;

/** Every kind of task there is; both processes create the queues, workers also take from them. */
export const TASK_KINDS: readonly string[] = [
  finishConnectionTask.kind,
  careForSubscriptionTask.kind,
  handleNotificationTask.kind,
  detectExportJobsTask.kind,
  runExportJobsTasks.short.kind,
  runExportJobsTasks.long.kind,
  runExportJobsTasks.urgent.kind,
  settleUncertainTask.kind,
  pollPlatformTask.kind,
  sweepTask.kind,
  runSyncsTask.kind,
  wakeSyncsTask.kind,
  runReconciliationsTask.kind,
  wakeReconciliationsTask.kind,
  raiseAlertsTask.kind,
  wakeAlertsTask.kind,
  careForSubscriptionsTask.kind,
  careForKeysTask.kind,
  forgetOldBodiesTask.kind,
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
    handler(runExportJobsTasks.short, (task, signal) => use.exports.runJobsOf(task, 'short', signal)),
    handler(runExportJobsTasks.long, (task, signal) => use.exports.runJobsOf(task, 'long', signal)),
    handler(runExportJobsTasks.urgent, (task, signal) => use.exports.runJobsOf(task, 'urgent', signal)),
    handler(settleUncertainTask, (task, signal) => use.uncertainPostings.settle(task, signal)),
    handler(pollPlatformTask, () => pollPlatform(use)),
    handler(sweepTask, () => sweep(use)),
    handler(runSyncsTask, ({ installationId }, signal) =>
      use.referenceData.runSyncsOf(installationId, signal),
    ),
    handler(wakeSyncsTask, () => use.referenceData.wake()),
    handler(runReconciliationsTask, ({ installationId }, signal) =>
      use.reconciliation.runDueOf(installationId, signal),
    ),
    handler(wakeReconciliationsTask, () => use.reconciliation.wake()),
    handler(raiseAlertsTask, ({ installationId }, signal) => use.alerts.raise(installationId, signal)),
    handler(wakeAlertsTask, () => use.alerts.wake()),
    handler(careForSubscriptionTask, ({ installationId }) =>
      use.installations.careForSubscription(installationId),
    ),
    handler(careForSubscriptionsTask, () => careForSubscriptions(use)),
    handler(careForKeysTask, (_, signal) => use.installations.careForKeys(signal)),
    handler(forgetOldBodiesTask, async () => {
      await use.webhooks.forgetOldBodies();
      await use.alerts.forgetOld();
    }),
    handler(requestReexportTask, (task) => use.reexports.ask(task)),
    handler(checkDriftTask, async ({ installationId }) => {
      await use.drift.check(installationId);
    }),
    handler(wakeDriftChecksTask, () => use.drift.wake()),
    handler(wakeReexportsTask, () => use.reexports.wake()),
    handler(wakeForLookUpsTask, () => use.uncertainPostings.wake()),
  ];
}

/** The most frequent task also says that a worker is there. */
async function sweep(use: UseCases): Promise<void> {
  await use.exports.sweep();
  await use.database.acrossInstallations('beat worker', beatWorker);
}

async function careForSubscriptions(use: UseCases): Promise<void> {
  for (const id of await use.installations.takeCareDue(CARE_LIMIT)) {
    await use.database.inInstallation('care for subscription', id, (tx) =>
      use.tasks.send(tx, careForSubscriptionTask, { installationId: id }, id),
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
  await use.referenceData.connected(installationId);
}

/** Event type → use case. A type we did not subscribe to is stored and otherwise ignored. */
async function handleNotification(use: UseCases, task: NotificationTask): Promise<void> {
  const eventType = await use.webhooks.eventTypeOf(task);
  switch (eventType) {
    case 'v1.export-job.created':
    case undefined: // Only a hint: look for ourselves.
      return detect(use, task.installationId);
    case 'v1.vendor.created':
      return use.referenceData.vendorAppeared(task.installationId);
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
  for (const { id, state } of await use.installations.takeDue(POLL_LIMIT)) {
    const task = state === 'active' ? detectExportJobsTask : finishConnectionTask;
    await use.database.inInstallation('poll', id, (tx) =>
      use.tasks.send(tx, task, { installationId: id }, id),
    );
  }
}
