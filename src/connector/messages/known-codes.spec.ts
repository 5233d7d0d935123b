import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LANGUAGES } from './texts.js';

const SOURCES = new URL('../../', import.meta.url);
/** First argument of a call: a literal, a template, or a choice between literals. */
const CALL = /\bmessage\(\s*(`[^`]*`|[^,)`]+)/g;
const LITERAL = /'([a-z][\w-]*(?:\.[\w-]+)+)'/g;

const sources = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !/\.(spec|fixtures)\.tsx?$/.test(name))
  .map((name) => readFileSync(new URL(name, SOURCES), 'utf8'))
  .join('\n');
const firstArguments = [...sources.matchAll(CALL)].map(([, first = '']) => first);
const literals = [
  ...new Set(firstArguments.flatMap((first) => [...first.matchAll(LITERAL)].map(([, code = '']) => code))),
];
const templates = [...new Set(firstArguments.filter((first) => first.startsWith('`')))];

const codesOf = (language: string) =>
  Object.keys(JSON.parse(readFileSync(new URL(`./languages/${language}.json`, import.meta.url), 'utf8')) as object);

/** What stands in a template may be anything. */
function pattern(template: string): RegExp {
  const fixed = template.slice(1, -1).split(/\$\{[^}]*\}/);
  return new RegExp(`^${fixed.map((part) => part.replaceAll(/[^\w-]/g, '\\$&')).join('.+')}$`);
}

it('finds the codes that the source uses', () => {
  expect(literals.length).toBeGreaterThan(150);
  expect(templates.length).toBeGreaterThan(10);
});

describe.each(LANGUAGES)('in %s', (language) => {
  const codes = codesOf(language);

  it('each code in the source has a text', () => {
    expect(literals.filter((code) => !codes.includes(code))).toEqual([]);
  });

  it('each composed code has texts', () => {
    expect(templates.filter((template) => !codes.some((code) => pattern(template).test(code)))).toEqual([]);
  });

  it('no text is unused', () => {
    const quoted = new Set([...sources.matchAll(LITERAL)].map(([, code]) => code));
    const patterns = [...sources.matchAll(/`[a-z][\w-]*\.[^`\n]*`/g)].map(([template]) => pattern(template));
    const titles = /^problem\.[\w-]+$/;
    const isSaid = (code: string) => quoted.has(code) || titles.test(code) || patterns.some((one) => one.test(code));
    const isForOthers = (code: string) => codes.some((other) => other.startsWith(`${code}.`));
    expect(codes.filter((code) => !isSaid(code) && !isForOthers(code))).toEqual([]);
  });
});
