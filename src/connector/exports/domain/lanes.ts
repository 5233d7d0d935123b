import type { ExportJob } from './export-job.js';

export const LANES = ['short', 'long', 'urgent'] as const;

/**
 * Where a worker runs the jobs of a company. Each lane has workers of its own, so that long jobs and long queues never
 * delay jobs that are short or urgent (I26): `short` is for jobs of at most 1,000 items, `urgent`
 * for jobs near their end, `long` for all.
 */
export type Lane = (typeof LANES)[number];

/** What of a company is due. */
export interface DueJobs {
  /** The nearest end of them, by the platform's clock. */
  readonly nearestEnd: Date;
  /** Items of the largest of them. */
  readonly mostItems: number;
}

/** Ten pages: some seconds, even where several such jobs run side by side. */
const MAX_SHORT_JOB_ITEMS = 1_000;

export function isLong({ numberOfItems }: Pick<ExportJob, 'numberOfItems'>): boolean {
  return numberOfItems > MAX_SHORT_JOB_ITEMS;
}

/** Requests of long jobs have a rate-limit quota of their own, so that they never delay small jobs. */
export function requesterOf(job: Pick<ExportJob, 'numberOfItems'>): 'long-exports' | 'exports' {
  return isLong(job) ? 'long-exports' : 'exports';
}

/**
 * The lane of a company's due jobs.
 * @param nearEnd jobs that end before it are near their end, by the platform's clock
 */
export function laneFor({ nearestEnd, mostItems }: DueJobs, nearEnd: Date): Lane {
  if (nearestEnd < nearEnd) {
    return 'urgent';
  }
  return isLong({ numberOfItems: mostItems }) ? 'long' : 'short';
}

/**
 * Whether a job may run on the lane that its company was given, perhaps for another job.
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
