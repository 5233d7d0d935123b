import { z } from 'zod';
import { toCompanyId, toInstallationId, type CompanyId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';

export interface DetectExportJobsTask {
  readonly installationId: InstallationId;
}

/** Look at the platform for open jobs of one installation. */
export const detectExportJobsTask: TaskDefinition<DetectExportJobsTask> = {
  kind: 'detect-export-jobs',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 4,
};

/** Compare what the mapping points at with the ERP: when a job begins, and daily. */
export const checkDriftTask: TaskDefinition<DetectExportJobsTask> = {
  kind: 'check-drift',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 1,
};

export interface RunExportJobsTask {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
}

/** Work off the open jobs of one company. */
export const runExportJobsTask: TaskDefinition<RunExportJobsTask> = {
  kind: 'run-export-jobs',
  payload: z.object({
    installationId: z.uuid().transform(toInstallationId),
    companyId: z.uuid().transform(toCompanyId),
  }),
  concurrency: 4,
};

/**
 * The same for a company with a job near its end, on a place that long runs of other companies cannot hold: the ordinary
 * ones may be taken for longer than such a job can wait.
 */
export const runUrgentJobsTask: TaskDefinition<RunExportJobsTask> = {
  ...runExportJobsTask,
  kind: 'run-urgent-export-jobs',
  concurrency: 1,
};
