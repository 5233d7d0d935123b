import { parseCurrency } from '../../../kernel/currency.js';
import { minorFromHundredths } from '../../../kernel/money.js';

/** Decimal text that the database takes as an amount; the platform's numbers may also have exponents. */
export const AMOUNT_FORM = '^-?[0-9]{1,30}([.][0-9]{1,30})?$';

export interface CurrencySum {
  readonly currency: string;
  readonly minor: bigint;
}

/** A sum of wire amounts: decimal text in hundredths. */
export interface WireSum {
  readonly currency: string;
  readonly hundredths: string;
}

/** @returns sums in minor units; without unknown currencies and sums that are no whole minor units */
export function currencySums(sums: readonly WireSum[] | null | undefined): readonly CurrencySum[] {
  return (sums ?? []).flatMap(({ currency, hundredths }) => {
    const code = parseCurrency(currency);
    const minor = code && minorFromHundredths(hundredths, code);
    return minor === undefined ? [] : [{ currency, minor }];
  });
}
