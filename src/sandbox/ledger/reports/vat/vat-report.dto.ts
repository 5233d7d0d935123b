import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import type { ResponseFormat } from '../../http/response-format.js';
import { Counted, Day, MAX_CODE_LENGTH, OptionalText, type CountedEntries } from '../../http/field.js';
import { pageOf, PageQuery } from '../../http/page.js';
import { Format } from '../../http/tabular-response.js';
import { day, flag, many, nullable, number, one, oneOf, shape, text, uuid } from '../../http/shape.js';

export class VatReportQuery {
  /** First posting date wanted. */
  @Day()
  readonly from!: string;

  /** Last posting date wanted, included. */
  @Day()
  readonly to!: string;

  @Counted()
  readonly state: CountedEntries = 'posted';

  @Format()
  readonly format?: ResponseFormat;
}

/** Minor units of the functional currency as decimal text. */
export class VatAmountsDto extends shape({
  baseMinor: text({ description: 'what the tax of purchases is on, with that of reverse charges' }),
  taxMinor: text({ description: 'the tax on it' }),
  deductibleMinor: text({ description: 'of the tax, what is posted as input tax' }),
  nonDeductibleMinor: text({ description: 'of the tax, what stays with the expense' }),
  reverseChargeBaseMinor: text({ description: 'of the base, what is under reverse charge' }),
  reverseChargeInputMinor: text({
    description: 'of the tax, what is under reverse charge, before the deductible share',
  }),
  outputBaseMinor: text({ description: 'what output tax is on' }),
  outputMinor: text({ description: 'output tax, positive where it is owed' }),
}) {}

export class VatCodeDto extends shape(
  {
    taxCode: nullable(text({ description: 'null for taxes that were posted without a code' })),
    name: nullable(text()),
    lines: number({ description: 'lines that the amounts are the sums of' }),
    linesUrl: text({ description: 'path of these lines, with their entries' }),
  },
  VatAmountsDto,
) {}

/** The movement of an account that tax is posted to, beside what the report has of it. */
export class VatAccountDto extends shape({
  accountCode: text(),
  accountName: text(),
  movementMinor: text({ description: 'debit minus credit in the period, as in the trial balance' }),
  reportedMinor: text({ description: 'of it, what is in the report' }),
  differenceMinor: text({ description: 'posted to the account without tax details; 0 when tied' }),
  ledgerUrl: text({ description: 'path of the account’s lines' }),
}) {}

export class VatControlDto extends shape({
  movementMinor: text(),
  reportedMinor: text(),
  differenceMinor: text({ description: '0 when the report is tied to the accounts' }),
}) {}

export class VatReportDto extends shape({
  from: day(),
  to: day(),
  state: oneOf<CountedEntries>(['posted', 'all']),
  functionalCurrency: text(),
  codes: many(VatCodeDto),
  total: one(VatAmountsDto),
  accounts: many(VatAccountDto),
  control: one(VatControlDto),
}) {}

export class VatLinesQuery extends PageQuery {
  /** First posting date wanted. */
  @Day()
  readonly from!: string;

  /** Last posting date wanted, included. */
  @Day()
  readonly to!: string;

  @OptionalText(MAX_CODE_LENGTH)
  readonly taxCode?: string;

  @ApiPropertyOptional({ enum: ['true'], description: 'only taxes that were posted without a code' })
  @IsOptional()
  @IsIn(['true'])
  readonly withoutCode?: 'true';

  @Counted()
  readonly state: CountedEntries = 'posted';

  @Format()
  readonly format?: ResponseFormat;
}

/** What one line adds to each number of the report. */
export class VatLineDto extends shape(
  {
    entryId: uuid(),
    entryUrl: text({ description: 'path of the entry' }),
    number: nullable(text({ example: '2026-000017', description: 'null for a draft' })),
    lineNo: number(),
    postingDate: day(),
    documentDate: nullable(day()),
    documentNumber: nullable(text()),
    role: text(),
    accountCode: text(),
    taxCode: nullable(text()),
    place: oneOf(['input', 'output', 'expense']),
    reverseCharge: flag(),
    rate: nullable(text({ example: '0.25' })),
    deductible: text({ example: '0.5' }),
    currency: text(),
    entryTaxableMinor: text({ description: 'minor units of the entry’s currency, with the sign of the line' }),
    entryTaxMinor: text({ description: 'likewise, before the deductible share' }),
  },
  VatAmountsDto,
) {}

/** By posting date, entry and line. */
export class VatLinePage extends shape({ functionalCurrency: text() }, pageOf(VatLineDto)) {}
