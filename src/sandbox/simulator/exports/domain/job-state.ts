// How an export job moves (P1.4). Pure.

export const JOB_STATUSES = ['pending', 'in_progress', 'failed', 'completed', 'completed_with_errors'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export const JOB_EVENTS = ['started', 'failed', 'completed', 'completed_with_errors'] as const;
export type JobEvent = (typeof JOB_EVENTS)[number];

/** Seconds without an update after which a job expires. */
export const JOB_LIFETIME_SECONDS = 3_600;

const MOVES: Readonly<Record<JobStatus, Partial<Record<JobEvent, JobStatus>>>> = {
  pending: { started: 'in_progress', failed: 'failed' },
  in_progress: {
    failed: 'failed',
    completed: 'completed',
    completed_with_errors: 'completed_with_errors',
  },
  failed: {},
  completed: {},
  completed_with_errors: {},
};

/** @returns the status an event leads to, or undefined when the job does not take it */
export function nextJobStatus(status: JobStatus, event: JobEvent): JobStatus | undefined {
  return MOVES[status][event];
}

/** A running job blocks a second one of its company, serves its items and takes results. */
export function isRunning(status: JobStatus): boolean {
  return status === 'pending' || status === 'in_progress';
}
