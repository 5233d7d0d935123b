import { MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { message } from '../../../kernel/message.js';
import { MAX_ISSUE_KEY_LENGTH } from '../../bookkeeping/item/issues.js';
import { ITEM_SORTS, type ItemView } from '../../exports/lists/item-list.reader.js';
import { WAITING_FOR } from '../../exports/domain/export-job.js';
import type { CurrencySum } from '../../exports/stores/currency-sums.js';
import type { JobView } from '../../exports/stores/export-job.reader.js';
import { localize, localizeProblem } from '../../messages/texts.js';
import { failureFields, failureIn } from '../issues/failure-reasons.js';
import { filter } from '../http/list-filters.js';
import { MoneyResponse, moneyOf, moneyOfWire, moneyOrNull } from '../http/money.dto.js';
import { LongPageQuery, PageResponse, pageOf } from '../http/page.dto.js';

const ITEM_STATES = ['pending', 'successful', 'failed'] as const;

export const JOB_STATES = [
  'detected',
  'running',
  'verdict_decided',
  'completed',
  'completed_with_errors',
  'failed',
  'expired',
  'closed_by_platform',
] as const;
/** Value of a filter: not requested here, so by a person on the platform. */
export const ON_PLATFORM = 'platform';

export class JobsQuery extends shapeWith(LongPageQuery, {
  state: input.oneOf(JOB_STATES).optional(),
  from: filter.instant('detected from then on'),
  to: filter.instant('detected before'),
  requestedBy: input
    .text('as in `requestedBy` of a job; `platform` for jobs of a person there', MaxLength(200))
    .optional(),
}) {}

const SORTS = ITEM_SORTS.flatMap((name) => [name, `-${name}` as const]);

export class ItemQuery extends shapeWith(LongPageQuery, {
  state: input.oneOf(ITEM_STATES).optional(),
  issue: input
    .text(
      { description: 'key of an issue that blocks it now', example: 'account:6420' },
      MaxLength(MAX_ISSUE_KEY_LENGTH),
    )
    .optional(),
  type: input.matching(/^\w{1,60}$/, { example: 'card_purchase' }).optional(),
  account: input
    .text({ description: 'code of an account on the platform, of one of its lines', example: '6420' }, MaxLength(100))
    .optional(),
  search: filter.part('part of supplier, person, account, document number, number in the ERP or the entry’s id'),
  supplier: filter.part('part of the supplier’s name'),
  person: filter.part({ description: 'part of the person’s code', example: 'E-17' }),
  from: filter.day('day of the expense, from then on'),
  to: filter.day('day of the expense, until then'),
  minAmount: filter.amount('the least amount, in main units of the wallet’s currency, without sign'),
  maxAmount: filter.amount('the greatest amount, in main units of the wallet’s currency, without sign'),
  sort: input.oneOf(SORTS, { default: 'position', description: 'with `-` descending' }),
}) {}

export class JobResponse extends shape({
  id: field.uuid(),
  companyId: field.uuid(),
  state: field.oneOf(JOB_STATES),
  numberOfItems: field.number(),
  successful: field.number(),
  failed: field.number(),
  mappingVersion: field.number().nullable(),
  detectedAt: field.instant(),
  startedAt: field.instant().nullable(),
  finishedAt: field.instant().nullable(),
  expiresAt: field.instant('by the platform’s clock'),
  ...failureFields,
  notice: field
    .text('said when it began: that it cannot end in time at the accounting system’s limit, with the figures')
    .nullable(),
  waitingFor: field
    .oneOf(WAITING_FOR, 'whose failure it waits out before it goes on by itself; null: it does not wait')
    .nullable(),
  nextAttemptAt: field.instant('when it goes on by itself; null: it does not wait').nullable(),
  requestedBy: field.text('who asked for it here; null: a person on the platform').nullable(),
  amounts: field.many(MoneyResponse, 'of its items with a result, by currency'),
}) {}

export class ItemAccountResponse extends shape({
  code: field.text({ example: '6420' }),
  name: field.text({ example: 'Software' }).nullable(),
}) {}

export class ItemResponse extends shape({
  position: field.number(),
  accountingEntryId: field.uuid(),
  state: field.oneOf(ITEM_STATES),
  date: field.day('null while or once nothing is kept of it').nullable(),
  type: field.text({ example: 'card_purchase' }).nullable(),
  supplier: field.text('the vendor’s name, or the supplier’s as the receipt has it').nullable(),
  person: field.text('the person’s code; names are not kept').nullable(),
  documentNumber: field.text().nullable(),
  expenseUrl: field
    .text('address of the expense on the platform; null where it gave none, or nothing is kept')
    .nullable(),
  amount: moneyOrNull({ description: 'in the wallet’s currency' }),
  accounts: field.many(ItemAccountResponse, 'of its lines, on the platform'),
  issueKeys: field.texts({ description: 'of the issues that block it now', example: ['account:6420'] }),
  externalId: field.text('id of the journal entry in the ERP').nullable(),
  externalUrl: field.text().nullable(),
  exportedAt: field.instant().nullable(),
  ...failureFields,
  warnings: field.texts('in the language of `Accept-Language`; what the accounting system says stays as it is'),
  reportedAt: field.instant().nullable(),
  reportProblem: field.text('why the platform did not take the result').nullable(),
}) {}

export class JobsResponse extends pageOf(JobResponse) {}

export class ItemsResponse extends shapeWith(PageResponse, {
  job: field.one(JobResponse, 'whose items they are'),
  total: field.number({ description: 'items of this filter, on all pages', example: 147 }),
  amounts: field.many(MoneyResponse, 'of the items of this filter that have a result, by currency'),
  data: field.many(ItemResponse),
}) {}

/** What is said of a job that got no verdict of ours, where no better reason is known. */
const ENDED_BY_PLATFORM: Readonly<Partial<Record<JobView['state'], string>>> = {
  expired: 'reason.job.expired',
  closed_by_platform: 'reason.job.closed-by-platform',
};

export function toJobResponse(
  { amounts, failureMessages, ...job }: JobView,
  language: string,
): Pick<JobResponse, keyof JobResponse> {
  const notice = job.notice === null ? null : localizeProblem(language, job.notice);
  const failure = failureIn(language, { ...job, failureMessages });
  // Of a job that the platform has ended it got no reason from us.
  const ended = ENDED_BY_PLATFORM[job.state];
  const unreported =
    ended === undefined
      ? {}
      : { failureReason: failure.failureReason ?? localize(language, message(ended)).text, reportedReason: null };
  return { ...job, ...failure, ...unreported, notice, amounts: toAmounts(amounts) };
}

export function toAmounts(sums: readonly CurrencySum[]): readonly MoneyResponse[] {
  return sums.flatMap(({ currency, minor }) => moneyOf(minor, currency) ?? []);
}

export function toItemResponse(item: ItemView, language: string): ItemResponse {
  const { position, accountingEntryId, state, date, type, supplier, person, documentNumber, accounts, issueKeys } =
    item;
  const { expenseUrl, externalId, externalUrl, exportedAt, warnings, reportedAt, reportProblem } = item;
  return {
    ...{ position, accountingEntryId, state, date, type, supplier, person, documentNumber, accounts, issueKeys },
    ...failureIn(language, item, item.issues),
    ...{ expenseUrl, externalId, externalUrl, exportedAt, reportedAt, reportProblem },
    warnings: warnings.map((warning) => localizeProblem(language, warning)),
    amount: moneyOfWire(item.amount),
  };
}
