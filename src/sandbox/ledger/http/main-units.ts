import { parseCurrency } from '../../../kernel/currency.js';
import { Bug } from '../../../kernel/faults.js';
import { formatMinor } from '../../../kernel/money.js';

/**
 * An amount in main units with exactly the digits of its currency: (-1234, EUR) is "-12.34", (1500, JPY) is "1500".
 * @param minor minor units
 * @param currency ISO 4217
 * @throws Bug for a currency that the books would have refused
 */
export function mainUnits(minor: bigint, currency: string): string {
  const code = parseCurrency(currency);
  if (code === undefined) {
    throw new Bug(`the books hold an amount in ${currency}, which is no currency`);
  }
  return formatMinor(minor, code);
}
