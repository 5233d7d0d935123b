// Fields of request bodies: one decorator for type, limits and documentation.
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  IsBoolean,
  IsIn,
  IsOptional,
  Length,
  Matches,
  NotContains,
  ValidateBy,
  ValidateIf,
  type ValidationArguments,
} from 'class-validator';
import { parseCurrency } from '../../../kernel/currency.js';
import { parseLocalDate } from '../../../kernel/local-date.js';

const DECIMAL = /^\d{1,15}(\.\d{1,15})?$/;

/** Longest code, number or identifier. */
export const MAX_CODE_LENGTH = 100;

export const Text = (length = 255): PropertyDecorator =>
  applyDecorators(ApiProperty({ type: String, maxLength: length }), Length(1, length), storable());

/** A text that may be null or absent. */
export const OptionalText = (length = 255): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, maxLength: length }),
    IsOptional(),
    Length(1, length),
    storable(),
  );

/** Absent is allowed and takes the default; null is not. */
const absentAllowed = () => ValidateIf((_object, value: unknown) => value !== undefined);

/** A flag that may be absent. */
export const OptionalFlag = (byDefault: boolean): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ type: Boolean, default: byDefault }), absentAllowed(), IsBoolean());

/** A non-negative decimal number as text, so that it never becomes a float. */
export const DecimalText = (example: string): PropertyDecorator =>
  applyDecorators(ApiProperty({ type: String, pattern: DECIMAL.source, example }), Matches(DECIMAL));

export const OptionalDecimalText = (example: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, pattern: DECIMAL.source, example }),
    absentAllowed(),
    Matches(DECIMAL),
  );

/** Which entries a report counts: the posted ones alone, or drafts as well. */
export type CountedEntries = 'posted' | 'all';

export const Counted = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      enum: ['posted', 'all'],
      default: 'posted',
      description: '"all" counts drafts too',
    }),
    IsIn(['posted', 'all']),
  );

export const OneOf = (values: readonly string[]): PropertyDecorator =>
  applyDecorators(ApiProperty({ enum: [...values] }), IsIn([...values]));

/** A calendar day, `YYYY-MM-DD`. */
export const Day = (): PropertyDecorator => applyDecorators(ApiProperty({ type: String, format: 'date' }), isDay());

export const OptionalDay = (): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ type: String, format: 'date' }), IsOptional(), isDay());

/** An ISO 4217 code. */
export const Currency = (): PropertyDecorator =>
  applyDecorators(ApiProperty({ type: String, example: 'EUR' }), isCurrency());

export const OptionalCurrency = (): PropertyDecorator =>
  applyDecorators(ApiPropertyOptional({ type: String, example: 'EUR', nullable: true }), IsOptional(), isCurrency());

/** An ISO 3166-1 alpha-2 code, or null or absent. */
export const OptionalCountry = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ type: String, nullable: true, example: 'DK' }),
    IsOptional(),
    Matches(/^[A-Z]{2}$/),
  );

/** PostgreSQL cannot store this character in a text. */
const storable = () => NotContains('\0', { message: '$property must not contain the character NUL' });

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
