import { describe, expect, it } from '@jest/globals';
import { valueCheck } from '../../foundation/http/value-check.js';
import type { ProblemOptions } from '../../foundation/http/problem.js';
import { message } from '../../kernel/message.js';
import { LocalizedProblems } from './localized-problems.js';

const german = (options: ProblemOptions) =>
  new LocalizedProblems().word(
    options,
    { headers: { 'accept-language': 'de' } } as never,
    { header: () => undefined, getHeader: () => '' } as never,
  );
const refused = (check: string, detail: string) =>
  german({ status: 400, type: 'invalid-request', detail: 'English', errors: [valueCheck('/name', check, detail)] })
    .errors?.[0]?.detail;

describe('the check of one value, for a German reader', () => {
  it.each([
    ['isString', 'name must be a string', 'ist kein Text'],
    ['isIn', 'state must be one of the following values: open, closed', 'ist keiner von: open, closed'],
    ['max', 'limit must not be greater than 100', 'ist größer als 100'],
    ['maxLength', 'name must be shorter than or equal to 255 characters', 'ist länger als 255 Zeichen'],
    ['aCheckOfOurs', 'must be sensible', 'ist kein Wert, der hier genommen wird'],
  ])('%s', (check, english, expected) => {
    expect(refused(check, english)).toBe(expected);
  });

  it('keeps the original text for an English reader', () => {
    expect(valueCheck('/name', 'isString', 'name must be a string').detail).toBe('name must be a string');
  });
});

describe('problems in the settings of an accounting system', () => {
  it.each([
    ['required', {}, 'fehlt'],
    ['minLength', { limit: 8 }, 'ist kürzer als 8 Zeichen'],
    ['oneOf', { limit: '' }, 'ist nicht gültig'],
  ])('%s', (keyword, parameters, expected) => {
    const errors = [
      { pointer: '/settings', detail: 'English', message: message(`check.setting.${keyword}`, parameters) },
    ];
    const options = { status: 400, type: 'invalid-request', detail: 'English', errors };
    expect(german(options).errors?.[0]?.detail).toBe(expected);
  });
});
