// Why something failed, in the reader's language. The platform gets English sentences with the figures of that one entry;
// the same sentences are kept as messages, by code and parameters. What was recorded without them, and is not said by its issues, is
// quoted.
import { field } from '../../../foundation/http/shape.js';
import { message, type Message } from '../../../kernel/message.js';
import { CLEARED_REASON } from '../../exports/domain/item-failure.js';
import type { Issue, IssueKind } from '../../bookkeeping/item/issues.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { ENGLISH, hasText, localize, localizeAll } from '../../messages/texts.js';
import { adviceOn, problemOf } from '../../review/domain/issue-resolution.js';

/** Of whatever may have failed. */
export const failureFields = {
  failureType: field.text().nullable(),
  failureReason: field
    .text(
      'what a bookkeeper can do about it, in the language of `Accept-Language`; what is known in English only is quoted',
    )
    .nullable(),
  reportedReason: field.text('as it was reported to the platform, in English').nullable(),
  failure: field.one(MessageResponse, 'what kind of failure it is').nullable(),
  reasons: field.many(
    MessageResponse,
    'what is wrong and what to do about it, a pair for each issue; empty where nothing but the kind is known',
  ),
};

interface Failed {
  readonly failureType: string | null;
  readonly failureReason: string | null;
  /** The reason as messages; null: it is known in English only. */
  readonly failureMessages?: readonly Message[] | null;
}

type FailureInWords = Omit<Failed, 'failureMessages'> & {
  readonly reportedReason: string | null;
  readonly failure: MessageResponse | null;
  readonly reasons: readonly MessageResponse[];
};

/** Whether the sentences of an issue say all that the platform got, for a failure without messages. */
const SAID_IN_FULL: Readonly<Record<IssueKind, boolean>> = {
  account: true,
  'tax-code': true,
  tag: true,
  vendor: true,
  rule: true,
  'setting-missing': true,
  'setting-invalid': true,
  'contra-account': true,
  'tax-account': true,
  'tax-share': true,
  'vendor-blocked': true,
  'vendor-account': true,
  'vendor-refused': false,
  period: true,
  'no-period': true,
  rate: true,
  refused: false,
  entry: false,
  unreadable: false,
  changed: false,
  receipt: false,
  preview: false,
  'not-confirmed': false,
  job: false,
};

/** @param issues that it failed for, as far as they are known */
export function failureIn(language: string, failed: Failed, issues: readonly Issue[] = []): FailureInWords {
  const { failureType, failureReason: reportedReason } = failed;
  const failureMessages =
    reportedReason === CLEARED_REASON.failureReason ? CLEARED_REASON.messages : failed.failureMessages;
  const kind = `failure.${failureType ?? ''}`;
  const failure = hasText(kind) ? localize(language, message(kind)) : null;
  const reasons = issues.flatMap((issue) =>
    [problemOf(issue), adviceOn(issue)].map((each) => localize(language, each)),
  );
  if (reportedReason === null || language === ENGLISH) {
    return { failureType, failureReason: reportedReason, reportedReason, failure, reasons };
  }
  if (failureMessages) {
    return { failureType, failureReason: localizeAll(language, failureMessages), reportedReason, failure, reasons };
  }
  const isSaid = issues.length > 0 && issues.every(({ kind: each }) => SAID_IN_FULL[each]);
  const own = reasons.length > 0 || failure === null ? reasons : [failure];
  const quotation = isSaid ? [] : [localize(language, message('failure.reported', { text: reportedReason }))];
  const sentences = new Set([...own, ...quotation].map(({ text }) => text));
  return { failureType, failureReason: [...sentences].join(' '), reportedReason, failure, reasons };
}
