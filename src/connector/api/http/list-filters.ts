// What several lists are narrowed by, documented and checked in one way.
import { IsISO8601, IsNotEmpty, Matches, MaxLength } from 'class-validator';
import { input, type Remarks } from '../../../foundation/http/input.js';

const AMOUNT = /^\d{1,15}([.,]\d{1,4})?$/;
// No year 0: the database has none.
const DAY = /^(?!0000)\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;
// Of the forms of ISO 8601 the one that every reader takes: no week dates, days of the year or hours alone.
const IN_UTC = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?Z$/;
const EXISTING_DAY = { message: 'must be a day of the calendar such as 2026-03-31' };
const INSTANT = { message: 'must be an instant in UTC such as 2026-03-31T22:00:00Z' };

export const filter = {
  /** An amount in main units, without sign: "125.50". */
  amount: (description: string) => input.matching(AMOUNT, { description, example: '125.50' }).optional(),
  /** A day: "2026-02-11". */
  day: (description: string) =>
    input
      .of<string>(
        { type: String, format: 'date', description },
        Matches(DAY),
        IsISO8601({ strict: true }, EXISTING_DAY),
      )
      .optional(),
  /** An instant in UTC. */
  instant: (description: string) => {
    const rules = [Matches(IN_UTC, INSTANT), IsISO8601({ strict: true, strictSeparator: true }, INSTANT)];
    return input.of<string>({ type: String, format: 'date-time', description }, ...rules).optional();
  },
  /** A part of a text. */
  part: (remarks: Remarks<string>) => input.text(remarks, IsNotEmpty(), MaxLength(100)).optional(),
};
