import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import type { ResponseFormat } from '../http/response-format.js';
import { MAX_CODE_LENGTH, OptionalDay, OptionalText } from '../http/field.js';
import { pageOf, PageQuery } from '../http/page.js';
import { Format } from '../http/tabular-response.js';
import { day, nullable, number, shape, text, uuid } from '../http/shape.js';

export class OpenItemsQuery extends PageQuery {
  /** Amounts at the end of this day; today in the company's time zone when absent. */
  @OptionalDay()
  readonly date?: string;

  /** Number of a vendor, to see its items only. */
  @OptionalText(MAX_CODE_LENGTH)
  readonly vendor?: string;

  @ApiPropertyOptional({
    enum: ['open', 'all'],
    default: 'open',
    description: '"all" shows settled ones too',
  })
  @IsIn(['open', 'all'])
  readonly status: 'open' | 'all' = 'open';

  @Format()
  readonly format?: ResponseFormat;
}

/** A vendor's line of a posted entry. Amounts are minor units, debit positive: an amount owed to a vendor is negative. */
export class OpenItemDto extends shape({
  vendorNumber: text(),
  vendorName: text(),
  accountCode: text(),
  entryId: uuid(),
  number: text({ example: '2026-000017' }),
  lineNo: number(),
  role: text(),
  documentNumber: nullable(text()),
  documentDate: nullable(day()),
  postedOn: day(),
  dueOn: day({ description: 'due date, else document date, else posting date' }),
  daysOverdue: number({ description: 'days after the due date; negative before it' }),
  currency: text(),
  amountMinor: text(),
  settledMinor: text(),
  openMinor: text(),
  baseMinor: text(),
  settledBaseMinor: text(),
  openBaseMinor: text(),
}) {}

/** Items by vendor, due date and entry. */
export class OpenItemsDto extends shape(
  {
    date: day(),
    functionalCurrency: text(),
  },
  pageOf(OpenItemDto),
) {}
