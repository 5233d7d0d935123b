import { z } from 'zod';
import { toCompanyId, toInstallationId, type CompanyId, type InstallationId } from '../../kernel/ids.js';
import type { TaskDefinition } from '../tasks/task-definition.js';
import type { Lane } from './domain/lanes.js';

export interface DetectExportJobsTask {
  readonly installationId: InstallationId;
}

/** Fetch the open jobs of one installation from the platform. */
export const detectExportJobsTask: TaskDefinition<DetectExportJobsTask> = {
  kind: 'detect-export-jobs',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 4,
};

/** Compare what the mapping points at with the ERP: a minute after a job has begun, and daily. */
export const checkDriftTask: TaskDefinition<DetectExportJobsTask> = {
  kind: 'check-drift',
  payload: z.object({ installationId: z.uuid().transform(toInstallationId) }),
  concurrency: 1,
};

export interface ProcessCompanyQueueTask {
  readonly installationId: InstallationId;
  readonly companyId: CompanyId;
}

const companyQueuePayload = {
  payload: z.object({
    installationId: z.uuid().transform(toInstallationId),
    companyId: z.uuid().transform(toCompanyId),
  }),
};

/** Run the open jobs of one company, by lane. */
export const companyQueueTasksByLane: Readonly<Record<Lane, TaskDefinition<ProcessCompanyQueueTask>>> = {
  short: { ...companyQueuePayload, kind: 'run-short-export-jobs', concurrency: 4 },
  // Two keep a processor busy; more would only share what the platform and one process can do.
  long: { ...companyQueuePayload, kind: 'run-long-export-jobs', concurrency: 2 },
  urgent: { ...companyQueuePayload, kind: 'run-urgent-export-jobs', concurrency: 1 },
};
