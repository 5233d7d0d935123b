import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { toProblem } from '../../../foundation/http/problem.filter.js';
import { tooManyRequests } from '../../../foundation/http/too-many-requests.js';
import { Retryable } from '../../../kernel/faults.js';
import { englishText, hasText, LANGUAGES, localize } from '../../messages/texts.js';
import { PROBLEM_TYPES } from './problem-types.js';

const catalog = JSON.parse(
  readFileSync(new URL('../../messages/languages/en.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, string>>;
const SOURCES = new URL('../../../', import.meta.url);
const named = new Set(
  readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.spec.ts'))
    .flatMap((file) => [...readFileSync(new URL(file, SOURCES), 'utf8').matchAll(/'(problem\.[\w.-]+)'/g)])
    .map(([, code = '']) => code),
);

describe('the problem types', () => {
  it.each(PROBLEM_TYPES)(
    '$name has a title in every language, and the English one is the title of its page',
    ({ name, title }) => {
      const titles = LANGUAGES.map((language) => localize(language, { code: `problem.${name}`, parameters: {} }).text);
      expect(hasText(`problem.${name}`)).toBe(true);
      expect(titles[0]).toBe(title);
      expect(new Set(titles).size).toBe(LANGUAGES.length);
    },
  );

  it('have a text for every named detail', () => {
    expect([...named].filter((code) => !(code in catalog))).toEqual([]);
  });

  it.each([
    toProblem(new Error('x')),
    toProblem(Object.assign(new Error('x'), { statusCode: 413 })),
    toProblem(new Retryable('x')),
    tooManyRequests(1_500).options,
    tooManyRequests(1_500, 'bodies').options,
  ])('have the English text of their message in every program: $type', ({ detail, message }) => {
    expect(message && englishText(message)).toBe(detail);
  });
});
