import { expect, it } from '@jest/globals';
import { message } from '../../../kernel/message.js';
import { hasText, LANGUAGES, localize } from '../../messages/texts.js';
import { POST_TEST_ENTRY, SAVE_ERP_CONNECTION } from './outcome-problems.js';
import { PROBLEMS } from './problems.js';

const OTHERS = LANGUAGES.filter((language) => language !== 'en');

it.each(Object.keys(PROBLEMS))('the problem type %s has a title in every language', (type) => {
  const code = `problem.${type}`;
  expect(hasText(code)).toBe(true);
  const english = localize('en', message(code)).text;
  expect(OTHERS.filter((language) => localize(language, message(code)).text === english)).toEqual([]);
});

it.each(['Time zone: “Nowhere” is none.', 'Time zone: “Nowhere” is none'])(
  'a text goes on after a reason: %s',
  (reason) => {
    const refusal = { message: reason };
    expect([
      SAVE_ERP_CONNECTION['not-accepted']({ failure: refusal }).options.detail,
      POST_TEST_ENTRY['erp-unavailable'](refusal).options.detail,
    ]).toEqual([
      'The accounting system could not be used with these settings: Time zone: “Nowhere” is none. Nothing was changed.',
      'The accounting system could not be used: Time zone: “Nowhere” is none. Nothing was posted.',
    ]);
  },
);
