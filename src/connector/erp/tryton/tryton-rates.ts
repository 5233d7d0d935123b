// Exchange rates. Tryton keeps how much of each currency one unit of an unnamed reference is worth; a rate is the quotient
// of two, and changes whenever one of them does.
import { z } from 'zod';
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import { formatDecimal, parseDecimal, type Decimal } from '../../../kernel/decimal.js';
import type { LocalDate } from '../../../kernel/local-date.js';
import type { ExchangeRate } from '../../bookkeeping/item/bookkeeping-context.js';
import type { ErpCall } from '../erp-call.js';
import type { RateRequest } from '../erp-ledger.js';
import type { TrytonRpc } from './tryton-rpc.js';
import { day, dayValue, decimal, text } from './tryton-values.js';

const QUOTIENT_DIGITS = 12;
const rateSchema = z.object({ id: z.int(), date: day, rate: decimal, 'currency.': z.object({ code: text }) });

interface DatedRate {
  readonly date: LocalDate;
  readonly rate: Decimal;
}

/** @throws ErpUnavailable */
export async function readRates(
  rpc: TrytonRpc,
  call: ErpCall,
  functional: CurrencyCode,
  { currencies, from, to }: RateRequest,
): Promise<readonly ExchangeRate[]> {
  const domain = [
    ['currency.code', 'in', [functional, ...currencies]],
    ['date', '<=', dayValue(to)],
  ];
  const rows = await rpc.readAll(call, 'currency.currency.rate', rateSchema, domain);
  const byCode = Map.groupBy(
    rows.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
    (row) => parseCurrency(row['currency.'].code),
  );
  const functionalRates: readonly DatedRate[] = byCode.get(functional) ?? [];
  return currencies
    .filter((currency) => currency !== functional)
    .flatMap((currency) => {
      const own: readonly DatedRate[] = byCode.get(currency) ?? [];
      const days = new Set([...own, ...functionalRates].map(({ date }) => date).filter((date) => date >= from));
      return [...days].toSorted().flatMap((date) => {
        const [dividend, divisor] = [latest(functionalRates, date), latest(own, date)];
        const rate = dividend && divisor && quotient(dividend, divisor);
        return rate === undefined ? [] : [{ from: currency, to: functional, date, rate }];
      });
    });
}

/** @param rates oldest first */
function latest(rates: readonly DatedRate[], date: LocalDate): Decimal | undefined {
  return rates.findLast((rate) => rate.date <= date)?.rate;
}

function quotient(dividend: Decimal, divisor: Decimal): string | undefined {
  if (dividend.coefficient <= 0n || divisor.coefficient <= 0n) {
    return undefined;
  }
  const numerator = dividend.coefficient * 10n ** BigInt(QUOTIENT_DIGITS + divisor.scale);
  const denominator = divisor.coefficient * 10n ** BigInt(dividend.scale);
  const rounded = (2n * numerator + denominator) / (2n * denominator);
  const value = parseDecimal(`${rounded.toString()}e-${QUOTIENT_DIGITS.toString()}`);
  return value && formatDecimal(value);
}
