// What several lists are narrowed by, documented and checked in one way.
import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';

const AMOUNT = /^\d{1,15}([.,]\d{1,4})?$/;
const DAY = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** An amount in main units, without sign: "125.50". */
export function AmountQuery(description: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ description, example: '125.50' }), OptionalField(), Matches(AMOUNT));
}

/** A day: "2026-02-11". */
export function DayQuery(description: string): PropertyDecorator {
  return applyDecorators(ApiPropertyOptional({ format: 'date', description }), OptionalField(), Matches(DAY));
}
