// A result as the platform takes it, whether it is reported for the first time or again.
import type { ReportedItem } from '../../platform/platform-api.js';
import { shortenReason } from '../domain/verdict.js';

export function failedResult(accountingEntryId: string, failureReasonType: string, reason: string): ReportedItem {
  return { accountingEntryId, status: 'failed', failureReasonType, failureReason: shortenReason(reason) };
}

/**
 * @param externalUrl left out where the ERP shows no page
 * @param exportedAt null where only the platform has known it
 */
export function successfulResult(
  accountingEntryId: string,
  externalId: string,
  externalUrl: string,
  exportedAt: Date | null,
): ReportedItem {
  return {
    accountingEntryId,
    status: 'successful',
    externalId,
    ...(externalUrl === '' ? {} : { externalUrl }),
    ...(exportedAt && { exportedAt: wholeSeconds(exportedAt) }),
  };
}

/** The platform's date-times have no fraction of a second (P0.1). */
function wholeSeconds(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, 'Z');
}
