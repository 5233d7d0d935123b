// Days, amounts and references as Tryton's JSON says them.
import { z } from 'zod';
import { currencyDigits, type CurrencyCode } from '../../../kernel/currency.js';
import { formatScaled, multiplyToMinor, parseDecimal, type Decimal } from '../../../kernel/decimal.js';
import type { JsonValue } from '../../../kernel/json.js';
import { parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
import { ErpUnavailable } from '../erp-ledger.js';

export const text = z.string().max(10_000);

export const decimal = z
  .object({ __class__: z.literal('Decimal'), decimal: text })
  .transform(({ decimal: value }, context): Decimal => {
    const parsed = parseDecimal(value);
    if (parsed === undefined) {
      context.addIssue('no decimal number');
      return z.NEVER;
    }
    return parsed;
  });

export const day = z
  .object({ __class__: z.literal('date'), year: z.int(), month: z.int(), day: z.int() })
  .transform(({ year, month, day: dayOfMonth }, context): LocalDate => {
    const padded = (value: number, length: number) => value.toString().padStart(length, '0');
    const parsed = parseLocalDate(`${padded(year, 4)}-${padded(month, 2)}-${padded(dayOfMonth, 2)}`);
    if (parsed === undefined) {
      context.addIssue('no day');
      return z.NEVER;
    }
    return parsed;
  });

export function dayValue(date: LocalDate): JsonValue {
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  return { __class__: 'date', year, month, day: dayOfMonth };
}

export function amountValue(minor: bigint, currency: CurrencyCode): JsonValue {
  return { __class__: 'Decimal', decimal: formatScaled(minor, currencyDigits(currency) ?? 2) };
}

/** @throws ErpUnavailable for an amount between two minor units: this currency has more digits in Tryton than in ISO 4217 */
export function minorOf(amount: Decimal, currency: CurrencyCode): bigint {
  const digits = currencyDigits(currency) ?? 2;
  if (amount.scale > digits) {
    throw new ErpUnavailable({
      kind: 'server-error',
      message: `Tryton has an amount in ${currency} with more than ${digits.toString()} digits after the point`,
    });
  }
  return multiplyToMinor(1n, amount, digits);
}

export type NamedModel = 'account.account' | 'account.tax' | 'party.party';

/**
 * A record as Tryton writes a reference: "account.account,12". The number alone may be the code of another record, and an id is looked
 * for before a code.
 */
export function recordName(model: NamedModel, id: number): string {
  return `${model},${id.toString()}`;
}

/** @returns undefined for what `recordName` has not written for this model */
export function namedRecord(model: NamedModel, name: string): number | undefined {
  return name.startsWith(`${model},`) ? recordId(name.slice(model.length + 1)) : undefined;
}

/** @returns undefined for what is no id of Tryton's */
export function recordId(id: string): number | undefined {
  return /^[1-9]\d{0,14}$/.test(id) ? Number(id) : undefined;
}

/** UTC, to the second. */
export function momentValue(moment: Date): JsonValue {
  return {
    __class__: 'datetime',
    year: moment.getUTCFullYear(),
    month: moment.getUTCMonth() + 1,
    day: moment.getUTCDate(),
    hour: moment.getUTCHours(),
    minute: moment.getUTCMinutes(),
    second: moment.getUTCSeconds(),
    microsecond: 0,
  };
}
