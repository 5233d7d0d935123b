import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import type { EntryHistory } from '../../exports/lists/entry-history.reader.js';
import { ENTRY_SORTS, ENTRY_STATES, type EntryView } from '../../exports/lists/entry-list.reader.js';
import type { EntryTotals } from '../../exports/lists/entry-totals.reader.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { discrepancyText } from '../reconciliation/discrepancy-text.js';
import { localize, localizeProblem } from '../../messages/texts.js';
import { toIssue } from '../../bookkeeping/item/issues.js';
import { problemOf } from '../../review/domain/issue-resolution.js';
import { filter } from '../http/list-filters.js';
import { MoneyResponse, moneyOfWire, moneyOrNull } from '../http/money.dto.js';
import { longPage, pageOf } from '../http/page.dto.js';
import { failureFields, failureIn } from '../issues/failure-reasons.js';
import { ItemAccountResponse, toAmounts } from '../jobs/jobs.dto.js';

export class EntryFilterQuery extends shape({
  search: filter.part(
    'part of supplier, person, account, document number or number in the accounting system; or the entry’s id',
  ),
  supplier: filter.part('part of the supplier’s name'),
  amount: filter.amount('in main units of the wallet’s currency, of either sign'),
  account: filter.part({ description: 'code of an account on the platform, of one of its lines', example: '6420' }),
  type: input.matching(/^\w{1,60}$/, { example: 'card_purchase' }).optional(),
  state: input.oneOf(ENTRY_STATES).optional(),
  minAmount: filter.amount('the least amount, in main units of the wallet’s currency, without sign'),
  maxAmount: filter.amount('the greatest amount, in main units of the wallet’s currency, without sign'),
  from: filter.day('day of the expense, from then on'),
  to: filter.day('day of the expense, until then'),
}) {}

export class EntriesQuery extends shapeWith(EntryFilterQuery, {
  ...longPage,
  sort: input.oneOf(ENTRY_SORTS, { default: 'newest', description: 'newest export first; with `-` descending' }),
}) {}

const externalId = field.text('id of the journal entry in the ERP').nullable();

class EntryFactsResponse extends shape({
  accountingEntryId: field.uuid(),
  date: field.day('null once nothing is kept of it').nullable(),
  type: field.text({ example: 'card_purchase' }).nullable(),
  supplier: field.text().nullable(),
  person: field.text('the person’s code; names are not kept').nullable(),
  documentNumber: field.text().nullable(),
  expenseUrl: field
    .text('address of the expense on the platform; null where it gave none, or nothing is kept')
    .nullable(),
  accounts: field.many(ItemAccountResponse, 'of its lines, on the platform'),
}) {}

export class EntryResponse extends shapeWith(EntryFactsResponse, {
  state: field.oneOf(ENTRY_STATES, 'uncertain: it may be in the books, which is not known yet'),
  amount: moneyOrNull({ description: 'in the wallet’s currency' }),
  exportJobId: field.uuid('the newest export with a result for it'),
  detectedAt: field.instant('when that export was detected'),
  revision: field.number({ description: '0: nothing was sent to the ERP', example: 1 }),
  externalId,
  externalUrl: field.text().nullable(),
  exportedAt: field.instant().nullable(),
  ...failureFields,
  issueKeys: field.texts({ description: 'of the issues that block it now', example: ['account:6420'] }),
}) {}

export class EntriesResponse extends pageOf(EntryResponse) {}

export class EntryTotalsResponse extends shape({
  total: field.number({ description: 'entries of this search', example: 147 }),
  amounts: field.many(MoneyResponse, 'of those whose amount is known, by currency'),
}) {}

export class EntryExportResponse extends shape({
  exportJobId: field.uuid(),
  position: field.number(),
  detectedAt: field.instant(),
  requestedBy: field.text('who asked for it here; null: a person on the platform').nullable(),
  state: field.oneOf(['pending', 'successful', 'failed']),
  amount: moneyOrNull(),
  externalId,
  externalUrl: field.text().nullable(),
  exportedAt: field.instant().nullable(),
  ...failureFields,
  warnings: field.texts('in the language of `Accept-Language`; what the accounting system says stays as it is'),
  certificate: field
    .text('number of the certificate that proves the export (GET /api/v1/certificates/{exportJobId})')
    .nullable(),
}) {}

export class EntryDecisionResponse extends shape({
  outcome: field.oneOf(['in-the-books', 'not-in-the-books']),
  note: field.text().nullable(),
  by: field.text('who decided'),
  at: field.instantText(),
}) {}

export class EntryPostingResponse extends shape({
  revision: field.number('from 1; a later one follows when the one before is out of the books'),
  exportJobId: field.uuid(),
  erpCompanyId: field.text(),
  mappingVersion: field.number(),
  state: field.oneOf(['sent', 'uncertain', 'posted', 'rejected', 'reversed']),
  externalId,
  externalUrl: field.text().nullable(),
  firstSentAt: field.instant(),
  postedAt: field.instant().nullable(),
  reversalSentAt: field.instant().nullable(),
  lostAt: field.instant('since when the accounting system has it no more, as a person has noted').nullable(),
  decisions: field.many(EntryDecisionResponse, 'what persons found in the books where no search could'),
}) {}

export class EntryIssueResponse extends shape({
  issueKey: field.text({ example: 'account:6420' }),
  name: field.text().nullable(),
  reason: field.text('why it failed, as it was reported to the platform, in English'),
  message: field.one(MessageResponse, 'what is wrong'),
  firstSeenAt: field.instant(),
  clearedAt: field.instant().nullable(),
  clearedByJobId: field.uuid().nullable(),
}) {}

export class EntryDiscrepancyResponse extends shape({
  id: field.uuid(),
  class: field.text(),
  message: field.one(MessageResponse, 'what differs'),
  state: field.oneOf(['open', 'accepted', 'repaired']),
  firstSeenAt: field.instant(),
  settledAt: field.instant().nullable(),
  settledBy: field.text().nullable(),
  settledAs: field.text('what was done').nullable(),
  note: field.text().nullable(),
}) {}

export class EntryHistoryResponse extends shapeWith(EntryFactsResponse, {
  exports: field.many(EntryExportResponse, 'exports that had it, newest first'),
  postings: field.many(EntryPostingResponse, 'what was sent to the accounting system, newest first'),
  issues: field.many(EntryIssueResponse, 'what has kept it from the books, newest first'),
  discrepancies: field.many(EntryDiscrepancyResponse, 'what reconciliation has found, newest first'),
}) {}

export function toEntryResponse(entry: EntryView, language: string): EntryResponse {
  const { accountingEntryId, date, type, supplier, person, documentNumber, accounts, state, exportJobId } = entry;
  const { detectedAt, expenseUrl, revision, externalId, externalUrl, exportedAt, issueKeys } = entry;
  return {
    ...{ accountingEntryId, date, type, supplier, person, documentNumber, accounts, state, exportJobId, detectedAt },
    ...failureIn(language, entry, entry.issues),
    ...{ expenseUrl, revision, externalId, externalUrl, exportedAt, issueKeys },
    amount: moneyOfWire(entry.amount),
  };
}

export function toEntryTotals({ total, sums }: EntryTotals): EntryTotalsResponse {
  return { total, amounts: toAmounts(sums) };
}

export function toEntryHistory(history: EntryHistory, language: string): EntryHistoryResponse {
  return {
    ...history,
    issues: history.issues.map(({ kind, reference, group, name, ...issue }) => ({
      ...issue,
      name,
      message: localize(language, problemOf(toIssue({ kind, reference, group, name }))),
    })),
    discrepancies: history.discrepancies.map(({ evidence, ...discrepancy }) => ({
      ...discrepancy,
      message: localize(language, discrepancyText(discrepancy.class, evidence)),
    })),
    exports: history.exports.map((each) => {
      const { exportJobId, position, detectedAt, requestedBy, state, externalId, externalUrl, exportedAt } = each;
      const { warnings, certificate } = each;
      return {
        ...{ exportJobId, position, detectedAt, requestedBy, state, externalId, externalUrl, exportedAt },
        ...failureIn(language, each, each.issues),
        warnings: warnings.map((warning) => localizeProblem(language, warning)),
        ...{ certificate, amount: moneyOfWire(each.amount) },
      };
    }),
  };
}
