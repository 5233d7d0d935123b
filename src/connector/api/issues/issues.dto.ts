import { IsISO8601, Matches, MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { filter } from '../http/list-filters.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { localize, localizeAll } from '../../messages/texts.js';
import { adviceOn, problemOf, resolutionKindOf } from '../../review/domain/issue-resolution.js';
import type { NamedFailedEntry } from '../../review/issue.reader.js';
import { NamedEntryResponse, toNamedEntry } from '../entries/named-entry.dto.js';
import { moneyOf, moneyOrNull, textOfMoney } from '../http/money.dto.js';
import { longPage, pageOf } from '../http/page.dto.js';
import { IsPlainLines, IsPlainText } from '../mapping/mapping.validators.js';
import { ReexportResponse } from './issue-resolutions.dto.js';
import { ISSUE_SORTS, type FailedAmount, type InboxRow, type IssueTotals } from '../../exports/issues/inbox.reader.js';

const ISSUE_STATES = ['open', 'snoozed', 'left', 'closed'] as const;

export class IssueFilterQuery extends shape({
  state: input.oneOf(ISSUE_STATES, { default: 'open' }),
  kind: input.matching(/^[a-z-]{1,30}$/, { example: 'account' }).optional(),
  assignee: input.text({ description: 'as it was noted', example: 'Ada' }, MaxLength(200)).optional(),
  search: filter.part('part of key, name or reason'),
}) {}

export class IssuesQuery extends shapeWith(IssueFilterQuery, {
  ...longPage,
  sort: input.oneOf(ISSUE_SORTS, {
    default: 'entries',
    description: 'most entries first; greatest amount first, by minor units of whichever currency; oldest first',
  }),
}) {}

/** What is left out stays as it is. */
export class IssueHandlingRequest extends shape({
  assignee: input
    .text({ minLength: 1, maxLength: 200, description: 'who takes care of it' }, IsPlainText())
    .optionalOrNull(),
  note: input.text({ minLength: 1, maxLength: 1_000 }, IsPlainLines()).optionalOrNull(),
  snoozedUntil: input
    .of<string>(
      {
        type: String,
        format: 'date',
        nullable: true,
        description: 'on that day, where the company is, it is open again',
      },
      Matches(/^20\d\d-\d\d-\d\d$/),
      IsISO8601({ strict: true }),
    )
    .optionalOrNull(),
  bookedByHand: input
    .flag(
      'its entries were booked by hand: no export posts them while this is noted; it is open again when another entry fails later',
    )
    .optional(),
}) {}

export class IssueHandlingResponse extends shape({
  assignee: field.text().nullable(),
  note: field.text().nullable(),
  snoozedUntil: field.day().nullable(),
  bookedByHand: field.flag(),
}) {}

export class SuggestedResolutionResponse extends shapeWith(MessageResponse, {
  action: field.oneOf(['rule', 'setting', 'outside'], 'what the resolution takes'),
}) {}

export class FailedAmountResponse extends shape({
  currency: field.text({ example: 'EUR' }).nullable(),
  amount: field.text({ description: 'decimal text, main units', example: '62500.00' }).nullable(),
  money: moneyOrNull(),
  entries: field.number({ example: 500 }),
}) {}

export class KnownEntryResponse extends shape({
  accountingEntryId: field.uuid(),
  date: field.day().nullable(),
  supplier: field.text({ description: 'null once items of its age are cleared', example: 'Kootud Kampsun' }).nullable(),
}) {}

export class IssueResponse extends shape({
  issueKey: field.text({ description: 'stable; may be used in a path', example: 'account:6420' }),
  kind: field.text({ example: 'account' }),
  reference: field.text({ example: '6420' }),
  group: field.text('of a tag').nullable(),
  name: field.text({ example: 'Software' }).nullable(),
  state: field.oneOf(ISSUE_STATES, 'closed by the system when it blocks no entry; left: booked by hand'),
  failureType: field.text({ example: 'account_unknown' }),
  reason: field.text(
    'why the last of its entries failed, in the language of `Accept-Language`; in English where it is known in English only',
  ),
  reportedReason: field.text('the same as it was reported to the platform, in English'),
  message: field.one(MessageResponse, 'what is wrong'),
  entries: field.number({ example: 500 }),
  amounts: field.many(FailedAmountResponse),
  onlyEntry: field.one(KnownEntryResponse, 'the entry, where it is one').nullable(),
  jobs: field.number({ description: 'how many export jobs', example: 2 }),
  jobIds: field.texts('at most 10 of them, the newest first'),
  firstSeen: field.instant(),
  lastSeen: field.instant(),
  closedAt: field.instant().nullable(),
  handling: field.one(IssueHandlingResponse),
  suggestedResolution: field.one(SuggestedResolutionResponse),
}) {}

export class IssueDetailResponse extends shapeWith(IssueResponse, {
  latestReexport: field.one(ReexportResponse, 'the latest re-export of its entries').nullable(),
}) {}

export class IssuesResponse extends pageOf(IssueResponse, 'in the order of `sort`') {}

export class IssueTotalsResponse extends shape({
  total: field.number({ description: 'issues of this filter', example: 12 }),
  amounts: field.many(FailedAmountResponse, 'of what they block, each entry once'),
}) {}

export class FailedEntryResponse extends shape({
  accountingEntryId: field.uuid(),
  entry: field.one(NamedEntryResponse, 'what is known of it; null: nothing').nullable(),
  exportJobId: field.uuid('in which it last failed for this issue'),
  itemType: field.text({ example: 'card_purchase' }).nullable(),
  currency: field.text({ example: 'EUR' }).nullable(),
  amount: field.text({ example: '125.00' }).nullable(),
  money: moneyOrNull(),
  firstSeen: field.instant(),
  lastSeen: field.instant(),
  clearedAt: field.instant().nullable(),
  clearedByJobId: field.uuid('the job that cleared it').nullable(),
}) {}

export class FailedEntriesResponse extends pageOf(FailedEntryResponse) {}

export function toIssueResponse(row: InboxRow, language: string): IssueResponse {
  const { key, issue, amounts, state, failureType, reason: reportedReason, entries: count, jobs, jobIds } = row;
  const { firstSeen, lastSeen, closedAt, handling, onlyEntry, isRuleGone } = row;
  return {
    issueKey: key,
    kind: issue.kind,
    reference: issue.reference,
    group: issue.group ?? null,
    name: issue.name ?? null,
    reason: row.reasonMessages === null ? reportedReason : localizeAll(language, row.reasonMessages),
    ...{
      state,
      failureType,
      reportedReason,
      entries: count,
      onlyEntry,
      jobs,
      jobIds,
      firstSeen,
      lastSeen,
      closedAt,
      handling,
    },
    amounts: amounts.map(toFailedAmount),
    message: localize(language, problemOf(issue, isRuleGone)),
    suggestedResolution: {
      action: resolutionKindOf(issue, isRuleGone),
      ...localize(language, adviceOn(issue, isRuleGone)),
    },
  };
}

export function toIssueTotals({ total, amounts }: IssueTotals): IssueTotalsResponse {
  return { total, amounts: amounts.map(toFailedAmount) };
}

function toFailedAmount({ currency, minor, entries }: FailedAmount): FailedAmountResponse {
  const money = moneyOf(minor, currency);
  return { currency, amount: money && textOfMoney(money), money, entries };
}

export function toFailedEntryResponse({ amountMinor, facts, ...rest }: NamedFailedEntry): FailedEntryResponse {
  const money = moneyOf(amountMinor, rest.currency);
  return { ...rest, entry: toNamedEntry(facts), amount: money && textOfMoney(money), money };
}
