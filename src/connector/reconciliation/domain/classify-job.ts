// Pure: in what way platform and record disagree about a job as a whole.
import { isFinal, type ExportJobState } from '../../exports/domain/state-transitions.js';
import type { DiscrepancyFinding } from './discrepancy-class.js';

/** A job as our record has it. */
interface RecordedJob {
  readonly state: ExportJobState;
  readonly numberOfItems: number;
  /** That were listed to us. */
  readonly items: number;
  /** The platform has not announced it, and will not. */
  readonly unannounced: boolean;
}

/** @param platform undefined: the platform does not know the job */
export function classifyJob(
  record: RecordedJob,
  platform: { readonly status: string; readonly numberOfItems: number } | undefined,
): readonly DiscrepancyFinding[] {
  if (!isFinal(record.state)) {
    return [];
  }
  if (platform === undefined) {
    return [{ class: 'job-not-on-platform', repair: undefined }];
  }
  return [
    ...verdictFindings(record.state, platform.status),
    ...countFindings(record, platform.numberOfItems),
    ...(record.unannounced ? [{ class: 'webhook-not-received' as const, repair: undefined }] : []),
  ];
}

/** @returns whether our record has it that the platform took a verdict of ours */
export function hasOurVerdict(state: ExportJobState): boolean {
  return state === 'completed' || state === 'completed_with_errors' || state === 'failed';
}

/** Its record need not have all of its items: an item is listed with its result, unless the job was resumed. */
export function hasEndedUnderWay(state: ExportJobState): boolean {
  return state === 'expired' || state === 'closed_by_platform' || state === 'failed';
}

function verdictFindings(state: ExportJobState, status: string): readonly DiscrepancyFinding[] {
  const isOpen = status === 'pending' || status === 'in_progress';
  if (hasOurVerdict(state) && isOpen) {
    return [{ class: 'verdict-not-delivered', repair: 'send-verdict' }];
  }
  // An expired job is shown as failed, or by the name that the interface has for its state.
  const agrees =
    state === 'closed_by_platform' ? !isOpen : status === state || (state === 'expired' && status === 'failed');
  return agrees ? [] : [{ class: 'verdict-differs', repair: undefined }];
}

/**
 * A job that ended before we had read anything of it has no items with us, and is judged by its end alone. One that ended under way
 * has those that its run had come to.
 */
function countFindings(record: RecordedJob, announced: number): readonly DiscrepancyFinding[] {
  const { state, items, numberOfItems } = record;
  const areComplete = hasEndedUnderWay(state) ? items <= announced : items === announced;
  const isWhole = items === 0 || (areComplete && announced === numberOfItems);
  return isWhole ? [] : [{ class: 'item-count-differs', repair: undefined }];
}
