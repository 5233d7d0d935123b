import {
  companyPayload,
  installationPayload,
  type CompanyTask,
  type InstallationTask,
  type TaskDefinition,
} from '../tasks/task-definition.js';
import type { Lane } from './domain/lanes.js';

/** Fetch the open jobs of one installation from the platform. */
export const detectExportJobsTask: TaskDefinition<InstallationTask> = {
  kind: 'detect-export-jobs',
  payload: installationPayload,
  concurrency: 4,
};

/** Compare the targets of the mapping with the ERP: a minute after a job has begun, and daily. */
export const checkDriftTask: TaskDefinition<InstallationTask> = {
  kind: 'check-drift',
  payload: installationPayload,
  concurrency: 1,
};

/** Run the open jobs of one company, by lane. */
export const companyQueueTasksByLane: Readonly<Record<Lane, TaskDefinition<CompanyTask>>> = {
  short: { kind: 'run-short-export-jobs', payload: companyPayload, concurrency: 4 },
  // Two long jobs keep a processor busy; more would only share the platform and the process.
  long: { kind: 'run-long-export-jobs', payload: companyPayload, concurrency: 2 },
  urgent: { kind: 'run-urgent-export-jobs', payload: companyPayload, concurrency: 1 },
};
