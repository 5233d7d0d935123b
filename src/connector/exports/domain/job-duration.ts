import { message, type Message } from '../../../kernel/message.js';
import { sustainedPerMinute } from '../../erp/domain/request-rate.js';
import { timeToPostMs } from './deadline.js';
import type { ExportJob } from './export-job.js';

const MINUTE_MS = 60_000;

/** As the ERP's adapter declares them. */
interface RequestLimits {
  readonly requestsPerMinute: number | undefined;
  /** On average; 1 by default. */
  readonly requestsPerGroup?: number | undefined;
}

/**
 * Notice about a job with more items than the ERP takes before the job's deadline.
 * @param platformNow by the platform's clock, as the job's end
 * @returns undefined for a job that can be done in time
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
