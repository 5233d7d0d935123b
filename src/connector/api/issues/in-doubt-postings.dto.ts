import { IsUrl, MaxLength } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { IsExternalIdIfPosted, IsAllowedOnlyIfPosted } from './in-doubt-postings.validators.js';
import { moneyOrNull } from '../http/money.dto.js';
import { pageOf } from '../http/page.dto.js';

const OUTCOMES = ['not-in-the-books', 'in-the-books'] as const;

export class InDoubtLine extends shape({
  accountCode: field.text(),
  amount: field.text({ description: 'main units of the currency, debit positive', example: '-125.00' }),
  money: moneyOrNull(),
}) {}

export class InDoubtEntryResponse extends shape({
  role: field.oneOf(['entry', 'invoice', 'payment', 'credit-note', 'receipt']),
  postingDate: field.day(),
  currency: field.text({ example: 'EUR' }),
  lines: field.many(InDoubtLine, 'the first 50'),
  lineCount: field.number('how many lines there are'),
}) {}

export class InDoubtPostingResponse extends shape({
  accountingEntryId: field.uuid(),
  reference: field.text('what to look for in the ERP'),
  exportJobId: field.uuid('the export job that sent it last'),
  erpCompanyId: field.text('where in the ERP to look'),
  sentAt: field.instant('in doubt since: when it was last sent'),
  entries: field.many(InDoubtEntryResponse, 'what was sent'),
}) {}

export class InDoubtPostingsResponse extends pageOf(InDoubtPostingResponse) {}

export class ResolutionRequest extends shape({
  outcome: input.oneOf(OUTCOMES, 'what you have found in the ERP'),
  externalId: input
    .of<string>({ type: String, maxLength: 255, description: 'the entry’s id in the ERP; with "in-the-books" only' })
    .optional(IsExternalIdIfPosted()),
  externalUrl: input
    .of<string>(
      { type: String, maxLength: 2_000, description: 'its address there; with "in-the-books" only' },
      IsUrl({ protocols: ['http', 'https'], require_protocol: true, require_tld: false }),
      MaxLength(2_000),
      IsAllowedOnlyIfPosted(),
    )
    .optional(),
  note: input.text({ maxLength: 1_000, description: 'for the record' }).optional(),
  erpCompanyId: input
    .text({
      minLength: 1,
      maxLength: 255,
      description: 'where you have looked; needed only when the entry is in doubt in more than one ERP company',
    })
    .optional(),
}) {}
