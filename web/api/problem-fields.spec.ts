import { describe, expect, it } from '@jest/globals';
import { problemAt } from './problem-fields.js';

describe('a problem of the API', () => {
  const error = {
    detail: 'Two values are wrong.',
    errors: [
      { pointer: '/apiKey', detail: 'It is empty.' },
      { pointer: '/settings/url', detail: 'It is no address.' },
      { pointer: '/apiKey', detail: 'It has a colon.' },
    ],
  };

  it.each([
    ['a value that is wrong in two ways', error, '/apiKey', 'It is empty. It has a colon.'],
    ['a value within another', error, '/settings/url', 'It is no address.'],
    ['a value that is right', error, '/settings', undefined],
    ['a problem of no value', { detail: 'The platform does not answer.' }, '/apiKey', undefined],
    ['a lost connection', new TypeError('fetch failed'), '/apiKey', undefined],
    ['no problem', null, '/apiKey', undefined],
  ])('is shown beside its field: %s', (_what, given, pointer, said) => {
    expect(problemAt(given, pointer)).toBe(said);
  });
});
