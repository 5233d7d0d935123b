import { parseCurrency } from '../../../kernel/currency.js';
import { statedMinor } from '../../../kernel/money.js';

/** Decimal text that the database takes as an amount; the platform's numbers may also have exponents. */
export const AMOUNT_FORM = '^-?[0-9]{1,30}([.][0-9]{1,30})?$';

export interface CurrencySum {
  readonly currency: string;
  /** Decimal text in minor units, with decimals where an amount was stated with a part of one. */
  readonly minor: string;
}

/** A sum of wire amounts: decimal text in hundredths. */
export interface WireSum {
  readonly currency: string;
  readonly hundredths: string;
}

/** @returns exact sums, so that one odd amount hides no currency; without unknown currencies */
export function currencySums(sums: readonly WireSum[] | null | undefined): readonly CurrencySum[] {
  return (sums ?? []).flatMap(({ currency, hundredths }) => {
    const code = parseCurrency(currency);
    const minor = code && statedMinor(hundredths, code);
    return minor === undefined ? [] : [{ currency, minor }];
  });
}
