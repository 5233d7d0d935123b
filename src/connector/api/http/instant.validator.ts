import { applyDecorators } from '@nestjs/common';
import { IsISO8601, Matches } from 'class-validator';

// Of the forms of ISO 8601 the one that every reader takes: no week dates, days of the year or hours alone.
const IN_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?Z$/;
const INSTANT = { message: 'must be an instant in UTC such as 2026-03-31T22:00:00Z' };

/** Of a query: text that is an instant in UTC. */
export const IsInstant = (): PropertyDecorator =>
  applyDecorators(IsISO8601({ strict: true, strictSeparator: true }, INSTANT), Matches(IN_UTC, INSTANT));
