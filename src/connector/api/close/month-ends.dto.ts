import { input } from '../../../foundation/http/input.js';
import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { OWNER } from '../downloads/download.interceptor.js';
import { NamedEntryResponse } from '../entries/named-entry.dto.js';
import { moneyOrNull } from '../http/money.dto.js';

const FORMATS = ['json', 'csv', 'xlsx', 'html'] as const;
const STATES = ['open', 'signed', 'reopened'];
const COMPANY = {
  minLength: 1,
  maxLength: 255,
  description: 'company of the accounting system, as it names it; the linked one where it is left out',
} as const;

export class MonthEndsQuery extends shape({
  company: input.text(COMPANY).optional(),
}) {}

export class MonthEndQuery extends shapeWith(MonthEndsQuery, {
  installationId: input.uuid(OWNER).optional(),
  format: input
    .oneOf(FORMATS, { description: 'html prints on paper; left out, it is shown, and with any of these a download' })
    .optional(),
}) {}

export class MonthSignOffRequest extends shape({
  company: input.text(COMPANY).optional(),
  reason: input
    .text({
      minLength: 1,
      maxLength: 1_000,
      description: 'why, though entries of the month are not in the books or discrepancies are open',
    })
    .optional(),
}) {}

export class MonthReopeningRequest extends shape({
  company: input.text(COMPANY).optional(),
  reason: input.text({ minLength: 1, maxLength: 1_000 }),
}) {}

export class MonthEntriesResponse extends shape({
  posted: field.number('accounting entries in the books, each once'),
  reversed: field.number('reversed since; in no figure'),
  drafts: field.number('of the posted ones: handed over as drafts'),
}) {}

export class MonthSignOffResponse extends shape({
  signedBy: field.text(),
  signedAt: field.instant(),
  reason: field.text('why, though entries were missing or discrepancies open').nullable(),
  missingEntries: field.number('entries that were not in the books then'),
  hash: field.text('SHA-256 of the figures that were signed, hex'),
  reopenedBy: field.text().nullable(),
  reopenedAt: field.instant().nullable(),
  reopeningReason: field.text().nullable(),
}) {}

export class MonthEndRow extends shape({
  month: field.text({ example: '2026-03' }),
  state: field.oneOf(STATES),
  entries: field.one(MonthEntriesResponse),
  missingEntries: field.number('entries of the month that are not in the books yet'),
  signOff: field.one(MonthSignOffResponse, 'the newest').nullable(),
}) {}

export class MonthEndsResponse extends shape({
  erpCompanyId: field.text(),
  data: field.many(MonthEndRow, 'newest first, at most 120'),
}) {}

export class MonthFiguresResponse extends shape({
  opening: moneyOrNull(),
  debit: moneyOrNull(),
  credit: moneyOrNull(),
  closing: moneyOrNull(),
}) {}

export class MonthAccountResponse extends shape({
  accountCode: field.text({ example: '1935' }),
  accountName: field.text().nullable(),
  currency: field.text({ example: 'EUR' }),
  role: field
    .oneOf(['wallet', 'payables'], 'an account that should hold the same on both sides; null: another one')
    .nullable(),
  ours: field.one(MonthFiguresResponse, 'of our record: what is posted and not reversed'),
  ledger: field.one(MonthFiguresResponse, 'of the ledger: the postings of all clients').nullable(),
  ledgerMissing: field
    .oneOf(['not-offered', 'unavailable', 'unknown-account'], 'why there is no figure of the ledger')
    .nullable(),
  difference: moneyOrNull({ description: 'closing balances: ours less the ledger’s' }),
}) {}

export class MonthTotalResponse extends shape({
  currency: field.text({ example: 'EUR' }),
  debit: moneyOrNull(),
  credit: moneyOrNull(),
}) {}

export class MissingEntryResponse extends shape({
  accountingEntryId: field.uuid(),
  exportJobId: field.uuid(),
  why: field.oneOf(['failed', 'waiting', 'uncertain']),
  who: field.oneOf(['bookkeeper', 'accounting-system', 'platform', 'none'], 'who has to act'),
  date: field.day(),
  supplier: field.text().nullable(),
  money: moneyOrNull(),
  issueKey: field.text('of what has failed').nullable(),
  reason: field.one(MessageResponse),
  advice: field.one(MessageResponse, 'what to do about it'),
}) {}

export class MissingTotalResponse extends shape({
  why: field.oneOf(['failed', 'waiting', 'uncertain']),
  entries: field.number(),
  money: moneyOrNull({ description: 'of those whose amount is known; null without a currency' }),
}) {}

export class MonthDiscrepancyResponse extends shape({
  id: field.uuid(),
  class: field.text(),
  subject: field.text(),
  accountingEntryId: field.uuid().nullable(),
  entry: field.one(NamedEntryResponse, 'what is known of it; null: nothing').nullable(),
  state: field.oneOf(['open', 'accepted']),
  date: field.day('on which it is posted; of an export, on which it was made'),
  ageDays: field.number(),
  money: moneyOrNull(),
  note: field.text().nullable(),
  message: field.one(MessageResponse),
}) {}

export class ChangedFigureResponse extends shape({
  accountCode: field.text(),
  accountName: field.text().nullable(),
  side: field.oneOf(['ours', 'ledger']),
  signed: moneyOrNull({ description: 'closing balance when it was signed' }),
  now: moneyOrNull(),
}) {}

export class MonthEndResponse extends shape({
  month: field.text({ example: '2026-03', description: 'of posting dates' }),
  erpCompanyId: field.text(),
  companyName: field.text(),
  madeAt: field.instant(),
  state: field.oneOf(STATES),
  signOff: field.one(MonthSignOffResponse, 'the newest, also when it was reopened since').nullable(),
  changedSinceSignOff: field.many(ChangedFigureResponse, 'closing balances that are not as they were signed'),
  reconciledAt: field
    .instant('compared as a whole, last; of a month that is not over, as far as it had gone')
    .nullable(),
  entries: field.one(MonthEntriesResponse),
  accounts: field.many(MonthAccountResponse, 'wallets, payables, then the others, by currency and code'),
  totals: field.many(MonthTotalResponse, 'our debits and credits of the month'),
  missing: field.many(MissingEntryResponse, 'not in the books yet: the first 1,000 by date'),
  missingTotals: field.many(MissingTotalResponse, 'of all that is missing'),
  discrepancies: field.many(MonthDiscrepancyResponse, 'open ones first, each the oldest first; at most 1,000'),
  truncated: field.flag('there are more entries or discrepancies than are listed'),
  begun: field.flag('its first day has come in the first time zone on earth; before that it cannot be signed off'),
}) {}
