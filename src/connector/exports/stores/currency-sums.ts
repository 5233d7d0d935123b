import { parseCurrency } from '../../../kernel/currency.js';
import { minorFromHundredths } from '../../../kernel/money.js';

/** What of the platform's numbers is an amount, and no exponent that the database could not hold. */
export const AMOUNT_FORM = '^-?[0-9]{1,30}([.][0-9]{1,30})?$';

export interface CurrencySum {
  readonly currency: string;
  readonly minor: bigint;
}

/** As the database adds up what came over the wire: decimal text in hundredths. */
export interface WireSum {
  readonly currency: string;
  readonly hundredths: string;
}

/** @returns sums in minor units; without those of a currency that is none, or that end between two minor units */
export function currencySums(sums: readonly WireSum[] | null | undefined): readonly CurrencySum[] {
  return (sums ?? []).flatMap(({ currency, hundredths }) => {
    const code = parseCurrency(currency);
    const minor = code && minorFromHundredths(hundredths, code);
    return minor === undefined ? [] : [{ currency, minor }];
  });
}
