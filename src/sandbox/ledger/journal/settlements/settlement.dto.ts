import { IsDefined, IsOptional, Max } from 'class-validator';
import { input } from '../../../../foundation/http/input.js';
import { field, shape } from '../../../../foundation/http/shape.js';
import { optionalCode } from '../../http/field.js';

class OpenItemRefDto extends shape({
  entryId: input.uuid(),
  lineNo: input.integer({ minimum: 1 }, Max(10_000)),
}) {}

export class SettlementRequestDto extends shape({
  /** Owed by the vendor or paid to it: a payment, a credit note. */
  debit: input.one(OpenItemRefDto, {}, IsDefined()),
  /** Owed to the vendor: an invoice, a receipt. */
  credit: input.one(OpenItemRefDto, {}, IsDefined()),
  amountMinor: input.matching(/^\d{1,18}$/, 'minor units; the open amount of both when absent').optional(IsOptional()),
  /** Account for a difference in base; required only when there is one. */
  realizedFxAccountCode: optionalCode(),
}) {}

export class SettlementCreatedDto extends shape({ id: field.uuid() }) {}
