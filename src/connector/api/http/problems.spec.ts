import { expect, it } from '@jest/globals';
import { message } from '../../../kernel/message.js';
import { hasText, LANGUAGES, localize } from '../../messages/texts.js';
import { PROBLEMS } from './problems.js';

const OTHERS = LANGUAGES.filter((language) => language !== 'en');

it.each(Object.keys(PROBLEMS))('the problem type %s has a title in every language', (type) => {
  const code = `problem.${type}`;
  expect(hasText(code)).toBe(true);
  const english = localize('en', message(code)).text;
  expect(OTHERS.filter((language) => localize(language, message(code)).text === english)).toEqual([]);
});
