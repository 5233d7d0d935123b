import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { IntlMessageFormat } from 'intl-messageformat';

const read = (folder: string, language: string) =>
  JSON.parse(readFileSync(`web/${folder}messages/${language}.json`, 'utf8')) as Readonly<Record<string, string>>;
/** What a message takes: names in braces. */
const namesIn = (message: string) => [...message.matchAll(/\{(\w+)(?=[,}])/g)].map(([, name]) => name).sort();

describe.each([
  ['bookkeepers', ''],
  ['operators', 'operator/'],
])('the words of the page for %s', (_readers, folder) => {
  const [english, german] = [read(folder, 'en'), read(folder, 'de')];

  it('are complete in both languages', () => {
    expect(Object.keys(german)).toEqual(Object.keys(english));
  });

  it.each(Object.keys(english))('%s takes the same values in both languages', (key) => {
    const [one = '', other = ''] = [english[key], german[key]];
    expect(new Set(namesIn(other))).toEqual(new Set(namesIn(one)));
    expect(() => [new IntlMessageFormat(one, 'en'), new IntlMessageFormat(other, 'de')]).not.toThrow();
  });
});
