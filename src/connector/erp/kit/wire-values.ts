// Values of an ERP's responses that have types here. What cannot be read makes the response one of an unknown format.
import { z } from 'zod';
import { parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import { parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
import { parseMinor } from '../../../kernel/money.js';
import { ErpUnavailable } from '../erp-ledger.js';

/** "2026-03-02" */
export const day = z
  .string()
  .transform((text) => parseLocalDate(text))
  .pipe(z.custom<LocalDate>((date) => date !== undefined));

/** ISO 4217, in upper case. */
export const currency = z
  .string()
  .transform((code) => parseCurrency(code))
  .pipe(z.custom<CurrencyCode>((code) => code !== undefined));

/**
 * @param text main units: "12.34" EUR is 1234
 * @throws ErpUnavailable for what is no amount, or one between two minor units
 */
export function readMinor(text: string, of: CurrencyCode): bigint {
  const minor = parseMinor(text, of);
  if (minor === undefined) {
    const message = `the accounting system has an amount that is none in ${of}`;
    throw new ErpUnavailable({ kind: 'server-error', message });
  }
  return minor;
}
