// The table of tasks: kind → use case, and what the schedule sends how often. Start reading here: a worker does nothing else.
// A new task is one row; its kind, its queue and its schedule follow from it.
import { TenantDatabase } from '../foundation/database/tenant-database.js';
import { ActivateInstallation } from './activate-installation.js';
import { raiseAlertsTask } from './alerts/alerts.tasks.js';
import { DeleteOldAlerts } from './alerts/delete-old-alerts.js';
import { ProcessDueAlerts } from './alerts/process-due-alerts.js';
import { WakeAlerts } from './alerts/wake-alerts.js';
import { ClearOldAddresses } from './audit/clear-old-addresses.js';
import { FinishTestPostings } from './erp-connections/test-posting/finish-test-postings.js';
import { finishTestPostingsTask } from './erp-connections/test-posting/test-posting.tasks.js';
import { checkDriftTask, companyQueueTasksByLane, detectExportJobsTask } from './exports/exports.tasks.js';
import { WakeDueExports } from './exports/run/wake-due-exports.js';
import { lookUpInDoubtPostingsTask } from './exports/in-doubt/in-doubt-postings.tasks.js';
import { LookUpInDoubtPostings } from './exports/in-doubt/look-up-in-doubt-postings.js';
import { RefuseUnconnectedJob } from './exports/reporting/refuse-unconnected-job.js';
import { requestReexportTask } from './exports/reexport/reexports.tasks.js';
import { RequestReexport } from './exports/reexport/request-reexport.js';
import { ProcessCompanyQueue } from './exports/run/process-company-queue.js';
import { HandleNotification } from './handle-notification.js';
import { recordWorkerHeartbeat } from './health/worker-heartbeat.repository.js';
import { RotateKeys } from './installations/credentials/rotate-keys.js';
import { finishConnectionTask, maintainSubscriptionTask } from './installations/installations.tasks.js';
import { MaintainSubscription } from './installations/subscription/maintain-subscription.js';
import { WakeSubscriptionMaintenance } from './installations/subscription/wake-subscription-maintenance.js';
import { PollInstallation } from './poll-installation.js';
import { ProcessDueReconciliations } from './reconciliation/process-due-reconciliations.js';
import { processReconciliationsTask } from './reconciliation/reconciliation.tasks.js';
import { WakeReconciliations } from './reconciliation/wake-reconciliations.js';
import { ProcessDueSyncs } from './reference-data/process-due-syncs.js';
import { processSyncsTask } from './reference-data/reference-data.tasks.js';
import { WakeSyncs } from './reference-data/wake-syncs.js';
import { DeleteOldPageEvents } from './page-events/delete-old-page-events.js';
import { ClearOldItems } from './exports/items/clear-old-items.js';
import { CheckDrift } from './review/check-drift.js';
import { FailedTasks } from './tasks/failed-tasks.js';
import { every, onTask, type TaskRow } from './tasks/task-definition.js';
import { WakePolls } from './wake-polls.js';
import { DeleteOldBodies } from './webhooks/delete-old-bodies.js';
import { handleNotificationTask, refuseUnconnectedJobTask } from './webhooks/webhooks.tasks.js';

/** Sent by features, in the transaction that makes the work. */
const ON_TASK: readonly TaskRow[] = [
  onTask(finishConnectionTask, ActivateInstallation, (use, task) => use.activate(task.installationId)),
  onTask(maintainSubscriptionTask, MaintainSubscription, (use, task) => use.maintain(task.installationId)),
  onTask(handleNotificationTask, HandleNotification, (use, task) => use.handleNotification(task)),
  onTask(refuseUnconnectedJobTask, RefuseUnconnectedJob, (use, task) =>
    use.refuse(task.installationId, task.exportJobId),
  ),
  onTask(detectExportJobsTask, PollInstallation, (use, task) => use.poll(task.installationId)),
  onTask(companyQueueTasksByLane.short, ProcessCompanyQueue, (use, task, signal) =>
    use.processUntilIdle(task, 'short', signal),
  ),
  onTask(companyQueueTasksByLane.long, ProcessCompanyQueue, (use, task, signal) =>
    use.processUntilIdle(task, 'long', signal),
  ),
  onTask(companyQueueTasksByLane.urgent, ProcessCompanyQueue, (use, task, signal) =>
    use.processUntilIdle(task, 'urgent', signal),
  ),
  onTask(lookUpInDoubtPostingsTask, LookUpInDoubtPostings, (use, task, signal) => use.lookUpDue(task, signal)),
  onTask(requestReexportTask, RequestReexport, (use, task) => use.requestIfCompanyFree(task)),
  onTask(checkDriftTask, CheckDrift, (use, task) => use.check(task.installationId)),
  onTask(processSyncsTask, ProcessDueSyncs, (use, task, signal) => use.processDue(task.installationId, signal)),
  onTask(processReconciliationsTask, ProcessDueReconciliations, (use, task, signal) =>
    use.processDue(task.installationId, signal),
  ),
  onTask(finishTestPostingsTask, FinishTestPostings, (use, task) => use.finishDue(task.installationId)),
  onTask(raiseAlertsTask, ProcessDueAlerts, (use, task, signal) => use.processDue(task.installationId, signal)),
];

/** Sent by the schedule, with the interval in milliseconds. The database decides what is due; these only ask often enough. */
const EVERY: readonly TaskRow[] = [
  // Short enough that a killed worker's job goes on elsewhere within 15 s: lease 10 s + this + pick-up.
  every(3_000, 'sweep', WakeDueExports, (use) => use.wakeIdleCompanies()),
  every(5_000, 'poll-platform', WakePolls, (use) => use.wakeDue()),
  every(5_000, 'wake-reexports', WakeDueExports, (use) => use.wakeReexports()),
  // The newest heartbeat says that some worker handles tasks.
  every(10_000, 'record-worker-heartbeat', TenantDatabase, (use) =>
    use.acrossInstallations('record worker heartbeat', recordWorkerHeartbeat),
  ),
  // Short enough that the key of an interrupted uninstall is destroyed within half a minute (I32).
  every(10_000, 'rotate-keys', RotateKeys, (use, signal) => use.rotate(signal)),
  every(15_000, 'wake-syncs', WakeSyncs, (use) => use.requestAndWake()),
  every(15_000, 'wake-alerts', WakeAlerts, (use) => use.wake()),
  every(30_000, 'wake-for-look-ups', WakeDueExports, (use) => use.wakeLookUps()),
  every(30_000, 'wake-reconciliations', WakeReconciliations, (use) => use.requestAndWake()),
  every(60_000, 'wake-test-postings', FinishTestPostings, (use) => use.wake()),
  every(60_000, 'wake-drift-checks', CheckDrift, (use) => use.wake()),
  every(60_000, 'wake-subscription-maintenance', WakeSubscriptionMaintenance, (use) => use.wakeDueInstallations()),
  every(600_000, 'delete-old-page-events', DeleteOldPageEvents, (use) => use.deleteOld()),
  every(3_600_000, 'clear-old-items', ClearOldItems, (use, signal) => use.clearOld(signal)),
  every(3_600_000, 'clear-old-addresses', ClearOldAddresses, (use) => use.clearOld()),
  every(3_600_000, 'delete-old-bodies', DeleteOldBodies, (use) => use.deleteOld()),
  every(3_600_000, 'delete-old-alerts', DeleteOldAlerts, (use) => use.deleteOld()),
  every(3_600_000, 'delete-old-failed-tasks', FailedTasks, (use) => use.deleteOld()),
];

/** Every task there is. Both processes create the queues; workers also take from them. */
export const TASKS: readonly TaskRow[] = [...ON_TASK, ...EVERY];
