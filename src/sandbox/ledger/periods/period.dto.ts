import { Max, Min } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { field, shape } from '../../../foundation/http/shape.js';
import { bodyOf, pageOf } from '../http/page.js';
import { day } from '../http/field.js';

export class PeriodDto extends shape({
  fiscalYear: input.integer({ example: 2026 }, Min(1900), Max(9999)),
  /** First day; names the period. */
  from: day(),
  /** Last day, included. */
  to: day(),
  state: input.oneOf(['open', 'closed']),
}) {}

export class PeriodsDto extends bodyOf(PeriodDto, (period) => period.from) {}

export class PeriodStateDto extends shape({
  state: input.oneOf(['open', 'closed']),
}) {}

export class FiscalYearDto extends shape({
  year: field.number({ example: 2026 }),
  from: field.day(),
  to: field.day(),
  state: field.oneOf(['open', 'closed'], 'closed when all its periods are'),
  lastEntryNumber: field.number('entries posted in it: the last number given'),
}) {}

export class FiscalYearList extends shape({ data: field.many(FiscalYearDto) }) {}

export class PeriodPage extends pageOf(PeriodDto) {}
