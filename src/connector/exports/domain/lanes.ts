import type { ExportJob } from './export-job.js';

export const LANES = ['short', 'long', 'urgent'] as const;

/**
 * Each lane has workers of its own, so that long jobs and long queues never delay short or urgent ones (I26): `short` is for jobs
 * of at most 1,000 items, `urgent` for jobs near their deadline, `long` for all.
 */
export type Lane = (typeof LANES)[number];

/** The due jobs of a company. */
export interface DueJobs {
  /** The nearest deadline, by the platform's clock. */
  readonly nearestEnd: Date;
  /** Items of the largest job. */
  readonly maxItems: number;
}

/** Ten pages: some seconds, even where several such jobs run side by side. */
const MAX_SHORT_JOB_ITEMS = 1_000;

export function isLong({ numberOfItems }: Pick<ExportJob, 'numberOfItems'>): boolean {
  return numberOfItems > MAX_SHORT_JOB_ITEMS;
}

/** Long jobs have a smaller share of the request budget, so that they never delay small jobs. */
export function requesterOf(job: Pick<ExportJob, 'numberOfItems'>): 'long-exports' | 'exports' {
  return isLong(job) ? 'long-exports' : 'exports';
}

/**
 * The lane of a company's due jobs.
 * @param nearEnd jobs that end before it are near their end, by the platform's clock
 */
export function laneFor({ nearestEnd, maxItems }: DueJobs, nearEnd: Date): Lane {
  if (nearestEnd < nearEnd) {
    return 'urgent';
  }
  return isLong({ numberOfItems: maxItems }) ? 'long' : 'short';
}

/**
 * Whether a job may run on a lane that its company was woken on, perhaps for another job.
 * @param nearEnd as in `laneFor`
 */
export function laneAccepts(lane: Lane, job: Pick<ExportJob, 'expiresAt' | 'numberOfItems'>, nearEnd: Date): boolean {
  switch (lane) {
    case 'short':
      return !isLong(job);
    case 'long':
      return true;
    case 'urgent':
      return job.expiresAt < nearEnd;
  }
}
