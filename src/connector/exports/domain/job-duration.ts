import { message, type Message } from '../../../kernel/message.js';
import { sustainedPerMinute } from '../../erp/domain/request-rate.js';
import { timeToPostMs } from './deadline.js';
import type { ExportJob } from './export-job.js';

const MINUTE_MS = 60_000;

/** As the ERP's adapter declares them. */
interface RequestLimits {
  readonly requestsPerMinute: number | undefined;
  /** About; 1 where it is not said. */
  readonly requestsPerGroup?: number | undefined;
}

/**
 * A job that has more items than the ERP takes in the time that the platform gives for it.
 * @param platformNow by the platform's clock, as the job's end
 * @returns what its administrator should know, with the figures; undefined for a job that can be done in time
 */
export function longDurationNotice(
  { numberOfItems, expiresAt }: Pick<ExportJob, 'numberOfItems' | 'expiresAt'>,
  { requestsPerMinute, requestsPerGroup = 1 }: RequestLimits,
  platformNow: Date,
): Message | undefined {
  if (requestsPerMinute === undefined) {
    return undefined;
  }
  const requests = Math.ceil(numberOfItems * requestsPerGroup);
  const minutes = Math.ceil(requests / sustainedPerMinute(requestsPerMinute));
  if (minutes * MINUTE_MS <= timeToPostMs(expiresAt, platformNow)) {
    return undefined;
  }
  const end = new Date(platformNow.getTime() + minutes * MINUTE_MS);
  return message('job.too-long-for-erp', {
    ...{ entries: numberOfItems, requests, perMinute: requestsPerMinute },
    end: timeOf(end),
    openUntil: timeOf(expiresAt),
  });
}

/** "2026-02-10 14:05 UTC" */
function timeOf(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
