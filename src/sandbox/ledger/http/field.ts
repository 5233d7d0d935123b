// Fields of requests, for a `shape`: type, limits and documentation of each in one word.
import { IsOptional, Length, Matches, ValidateBy, type ValidationArguments } from 'class-validator';
import { input } from '../../../foundation/http/input.js';
import { parseCurrency } from '../../../kernel/currency.js';
import { parseLocalDate } from '../../../kernel/local-date.js';

const DECIMAL = /^\d{1,15}(\.\d{1,15})?$/;

/** Longest code, number or identifier. */
export const MAX_CODE_LENGTH = 100;

export const text = (length = 255) =>
  input.of<string>({ type: String, maxLength: length }, storable(), Length(1, length));

export const code = () => text(MAX_CODE_LENGTH);

const nullableText = (length: number) =>
  input.of<string>({ type: String, nullable: true, maxLength: length }, storable(), Length(1, length));

/** A text that may be null or absent. */
export const optionalText = (length = 255) => nullableText(length).optionalOrNull();

export const optionalCode = () => optionalText(MAX_CODE_LENGTH);

/** Of a query: a text that may be absent. */
export const textFilter = (length = 255) => nullableText(length).optional(IsOptional());

export const codeFilter = () => textFilter(MAX_CODE_LENGTH);

/** A flag that may be absent. */
export const optionalFlag = (byDefault: boolean) => input.flag({ default: byDefault });

/** A non-negative decimal number as text, so that it never becomes a float. */
export const decimalText = (example: string) =>
  input.of<string>({ type: String, pattern: DECIMAL.source, example }, Matches(DECIMAL));

/** Which entries a report counts: the posted ones alone, or drafts as well. */
export type CountedEntries = 'posted' | 'all';

export const counted = () =>
  input.oneOf<CountedEntries>(['posted', 'all'], { default: 'posted', description: '"all" counts drafts too' });

/** A calendar day, `YYYY-MM-DD`. */
export const day = () => input.of<string>({ type: String, format: 'date' }, isDay());

export const optionalDay = () => day().optional(IsOptional());

/** An ISO 4217 code. */
export const currency = () => input.of<string>({ type: String, example: 'EUR' }, isCurrency());

const nullableCurrency = () => input.of<string>({ type: String, example: 'EUR', nullable: true }, isCurrency());

export const optionalCurrency = () => nullableCurrency().optionalOrNull();

export const currencyFilter = () => nullableCurrency().optional(IsOptional());

/** An ISO 3166-1 alpha-2 code, or null or absent. */
export const optionalCountry = () =>
  input.of<string>({ type: String, nullable: true, example: 'DK' }, Matches(/^[A-Z]{2}$/)).optionalOrNull();

/** PostgreSQL cannot store the character NUL in a text, nor half a pair of surrogates. */
export const isStorable = (value: string): boolean => !value.includes('\0') && value.isWellFormed();

const storable = () => passes('isStorable', 'text without the character NUL and halves of surrogate pairs', isStorable);

const isDay = () =>
  passes('isDay', 'a calendar day YYYY-MM-DD from 1900 on', (text) => {
    const day = parseLocalDate(text);
    return day !== undefined && day >= '1900';
  });

const isCurrency = () => passes('isCurrency', 'an ISO 4217 code', (text) => parseCurrency(text) !== undefined);

function passes(name: string, wanted: string, test: (text: string) => boolean): PropertyDecorator {
  return ValidateBy({
    name,
    validator: {
      validate: (value: unknown) => typeof value === 'string' && test(value),
      defaultMessage: (about?: ValidationArguments) => `${about?.property ?? 'the value'} must be ${wanted}`,
    },
  });
}
