import { z } from 'zod';
import { toCompanyId, toInstallationId, type CompanyId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-queue.js';

export interface DetectExportJobsTask {
  readonly installationId: InstallationId;
}

/** Look at the platform for open jobs of one installation. */
export const detectExportJobsTask: TaskDefinition<DetectExportJobsTask> = {
  kind: 'detect-export-jobs',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 4,
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
