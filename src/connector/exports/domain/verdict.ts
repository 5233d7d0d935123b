import { message, type Message } from '../../../kernel/message.js';
import { cutText } from '../../../kernel/text.js';
import { englishText } from '../../messages/texts.js';
import { reasonOf } from './item-failure.js';

/** The result of a whole job, as the platform and the bookkeeper read it. */
export type Verdict =
  | { readonly event: 'completed' | 'completed_with_errors' }
  | {
      readonly event: 'failed';
      readonly failureReasonType: JobFailureType;
      readonly failureReason: string;
      /** The reason for readers of other languages; not sent to the platform. */
      readonly messages?: readonly Message[] | undefined;
    };

export type FailedVerdict = Extract<Verdict, { readonly event: 'failed' }>;

/** The platform's job failure reasons that the connector uses (P1.5). */
export type JobFailureType =
  | 'invalid_configuration'
  | 'missing_configuration'
  | 'accounting_system_authentication_failure'
  | 'accounting_system_rate_limit'
  | 'accounting_system_unreachable'
  | 'accounting_system_timeout'
  | 'authorization_failure'
  | 'validation_failure';

export function failedVerdict(failureReasonType: JobFailureType, reason: Message): FailedVerdict {
  return { event: 'failed', failureReasonType, ...reasonOf(reason) };
}

const OF_ERP_FAILURES = {
  unreachable: 'accounting_system_unreachable',
  timeout: 'accounting_system_timeout',
  'rate-limit': 'accounting_system_rate_limit',
  authentication: 'accounting_system_authentication_failure',
  'server-error': 'accounting_system_unreachable',
} as const satisfies Readonly<Record<string, JobFailureType>>;

/** For a job whose ERP could not be used in time. @param kind of the last failure */
export function erpFailureVerdict({ kind }: { readonly kind: keyof typeof OF_ERP_FAILURES }): FailedVerdict {
  return failedVerdict(OF_ERP_FAILURES[kind], message('reason.job.erp-unavailable', { kind: kind.replace('-', '_') }));
}

/** How the items of a job ended. */
export interface ItemTotals {
  readonly successful: number;
  readonly failed: number;
  /** The most frequent failure, for a job in which nothing succeeded. */
  readonly mainFailure:
    { readonly type: string; readonly reason: string; readonly messages?: readonly Message[] | null } | undefined;
}

/** Longest reason of a job or an item that is sent to the platform. */
export const MAX_REASON_LENGTH = 1_000;

const AND_MORE = ' … and more: the connector shows all of it.';

/**
 * Shortens a reason for the platform to the whole sentences that fit, with a note that there is more.
 * @param reserved characters needed for a text after it
 */
export function shortenReason(reason: string, reserved = 0): string {
  const maxLength = MAX_REASON_LENGTH - reserved;
  if (reason.length <= maxLength) {
    return reason;
  }
  const fitting = cutText(reason, maxLength - AND_MORE.length);
  const sentences = fitting.slice(0, fitting.lastIndexOf('. ') + 1);
  return `${sentences === '' ? fitting : sentences}${AND_MORE}`;
}

/** Item failure reasons that a job may have, too. */
const SHARED: ReadonlySet<string> = new Set<JobFailureType>([
  'invalid_configuration',
  'missing_configuration',
  'accounting_system_authentication_failure',
  'accounting_system_rate_limit',
  'accounting_system_unreachable',
  'accounting_system_timeout',
  'authorization_failure',
  'validation_failure',
]);
const CONFIGURATION: ReadonlySet<string> = new Set([
  'vendor_unknown',
  'account_unknown',
  'tax_code_unknown',
  'tag_unknown',
]);

/**
 * Decides the final event (P9.3 step 7): all well, some failed, or nothing succeeded.
 * @param announced the platform's number of items in the job; items that it did not list count as not exported
 */
export function decideVerdict(totals: ItemTotals, announced: number): Verdict {
  const listed = totals.successful + totals.failed;
  if (totals.failed === 0 && listed >= announced) {
    return { event: 'completed' };
  }
  if (totals.successful > 0) {
    return { event: 'completed_with_errors' };
  }
  if (totals.failed === 0) {
    return {
      event: 'failed',
      failureReasonType: 'validation_failure',
      failureReason: englishText(noneListed(announced)),
    };
  }
  const { type = 'validation_failure', reason = '' } = totals.mainFailure ?? {};
  return {
    event: 'failed',
    failureReasonType: jobFailureType(type),
    failureReason: shortenReason(`${englishText(noneExported(totals))} ${reason}`.trim()),
  };
}

/** The reason of that verdict as messages; undefined where the items' reason is known in English only. */
export function verdictMessages(totals: ItemTotals, announced: number): readonly Message[] | undefined {
  if (totals.failed === 0) return [noneListed(announced)];
  const ofItems = totals.mainFailure?.messages;
  return ofItems ? [noneExported(totals), ...ofItems] : undefined;
}

function noneListed(announced: number): Message {
  return message('reason.job.none-listed', { announced });
}

function noneExported({ failed }: ItemTotals): Message {
  return message('reason.job.none-exported', { failed });
}

function jobFailureType(itemFailureType: string): JobFailureType {
  if (isShared(itemFailureType)) {
    return itemFailureType;
  }
  return CONFIGURATION.has(itemFailureType) ? 'invalid_configuration' : 'validation_failure';
}

function isShared(type: string): type is JobFailureType {
  return SHARED.has(type);
}
