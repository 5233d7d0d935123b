import { z } from 'zod';
import { parseCurrency } from '../../kernel/currency.js';

/** A UUID, in lower case as PostgreSQL gives it back. */
export const uuidField = z.uuid().transform((id) => id.toLowerCase());

/** Whether PostgreSQL can keep a text: it knows no character 0 and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

export const textField = z.string().refine(isStorable, 'holds a character that cannot be stored');

/** A list of different values, as the platform declares its filters. */
export function distinctList<Element extends z.ZodType>(element: Element, most: number) {
  return z
    .array(element)
    .max(most)
    .refine((values) => new Set(values).size === values.length, 'must not repeat a value');
}

/** What JSON writes for a character that cannot be stored. */
const UNSTORABLE_ESCAPE = /\\u(0000|d[89a-f])/;

/** Free storage of an integration. Null and absent both mean nothing. */
export const metadataField = z
  .record(z.string(), z.unknown())
  .refine(
    (value) => !UNSTORABLE_ESCAPE.test(JSON.stringify(value)),
    'holds a character that cannot be stored',
  )
  .nullish();

/** Withdrawn currencies count, too: a vendor may be older than the euro. */
const HISTORICAL_CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

export const currencyField = z
  .string()
  .refine(
    (code) => parseCurrency(code) !== undefined || HISTORICAL_CURRENCIES.has(code),
    'is no ISO 4217 currency code',
  );
