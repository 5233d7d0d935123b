import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { IntlMessageFormat } from 'intl-messageformat';
import { message, toStoredText, type Message } from '../../kernel/message.js';
import { LANGUAGES, englishText, localize, preferredLanguage, localizeProblem } from './texts.js';

const textsOf = (language: string) =>
  JSON.parse(readFileSync(new URL(`./languages/${language}.json`, import.meta.url), 'utf8')) as Record<string, string>;
/** What the parser calls words that stand in no braces. */
const LITERAL = 0;

/** "{count, plural, …}" and "{count}" are one parameter; what stands in their branches counts as well. */
function parametersOf(text: string): readonly string[] {
  const namesIn = (elements: ReturnType<IntlMessageFormat['getAst']>): readonly string[] =>
    elements.flatMap((element) => {
      if (!('value' in element) || (element.type as number) === LITERAL) return [];
      const branches = 'options' in element ? Object.values(element.options) : [];
      return [element.value, ...branches.flatMap(({ value }) => namesIn(value))];
    });
  return [...new Set(namesIn(new IntlMessageFormat(text, 'en', undefined, { ignoreTag: true }).getAst()))].sort();
}
const alert = (kind: string, count: number, detail = ''): Message => message(`alert.${kind}`, { count, detail });

describe('the texts', () => {
  it.each(LANGUAGES.slice(1))(
    'in %s are complete: the same codes with the same parameters as in English',
    (language) => {
      const [english, other] = [textsOf('en'), textsOf(language)];
      expect(Object.keys(other)).toEqual(Object.keys(english));
      for (const [code, text] of Object.entries(english)) {
        expect([code, parametersOf(other[code] ?? '')]).toEqual([code, parametersOf(text)]);
      }
    },
  );

  it.each(LANGUAGES.slice(1))('in %s are in that language, except for texts of foreign words only', (language) => {
    const [english, other] = [textsOf('en'), textsOf(language)];
    const same = Object.entries(english).filter(([code, text]) => other[code] === text);
    expect(same.filter(([, text]) => !/^\{\w+\}$/.test(text))).toEqual([]);
  });

  it.each([
    ['en', /settings of the connector|connector[’']s (?:account )?settings|in the settings|at \/connect/],
    ['de', /Einstellungen des Konnektors|in den Konten|in den Einstellungen|unter \/connect/],
  ])('in %s send a reader to pages by the names that the menu has', (language, other) => {
    expect(Object.entries(textsOf(language)).filter(([, text]) => other.test(text))).toEqual([]);
  });

  it.each([
    ['en', 1, 'It is not known whether 1 entry is in the books'],
    ['en', 1234, 'It is not known whether 1234 entries are in the books'],
    ['de', 1, 'Es ist ungewiss, ob 1 Buchung in den Büchern steht'],
    ['de', 2, 'Es ist ungewiss, ob 2 Buchungen in den Büchern stehen'],
  ])('in %s have the plural form of %i', (language, count, text) => {
    expect(localize(language, alert('in-doubt-posting', count)).text).toBe(text);
  });

  it('insert parameters unchanged, whatever they look like', () => {
    expect(englishText(alert('deadline-near', 1))).toBe('An export is close to its end and not finished');
    expect(englishText(message('alert.sync-failed.advice', { detail: "{count} <b>it's</b>" }))).toBe(
      "{count} <b>it's</b>",
    );
  });

  it.each([
    ['en', 'card_purchase', 'entries of type "card_purchase"'],
    ['de', 'card_purchase', 'Buchungen der Art „Kartenzahlung“'],
    ['de', 'unheard_of', 'Buchungen der Art „unheard_of“'],
  ])('in %s name the type %s for their readers', (language, type, text) => {
    expect(localize(language, message('reason.account.none', { line: 1, type })).text).toContain(text);
  });

  it('name the type of an account for entries without one', () => {
    const setting = message('reason.named-setting', { setting: 'fallback_of', of: 'fee' });
    expect(localize('de', setting).text).toBe('Konto für Gebühr ohne Konto');
    expect(englishText(setting)).toBe('Fallback account (fee)');
  });

  it('throw for an unknown code', () => {
    expect(() => englishText(message('issue.unheard-of'))).toThrow('no text has the code issue.unheard-of');
  });
});

it.each([
  [
    'a kept message',
    toStoredText(message('sync.failure.attempts', { count: 3 })),
    'Der Abgleich gelang in 3 Versuchen nicht',
  ],
  ['a code', 'sync.failure.not-active', 'Die Verbindung zur Plattform ist nicht aktiv'],
  ['words of another system', 'No such {account}', 'No such {account}'],
  ['what only looks like a message', '{"code":"x","parameters":{}}', '{"code":"x"'],
])('%s that was stored is shown in German as far as it has a text', (_, stored, text) => {
  expect(localizeProblem('de', stored)).toContain(text);
});

it.each([
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.5', 'de'],
  ['en;q=0.4, de;q=0.8', 'de'],
  ['fr, en;q=0.3, de;q=0.2', 'en'],
  ['de;q=0', 'en'],
  ['*', 'en'],
  ['de;q=nonsense', 'en'],
])('the preference %s selects the language %s', (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});

it.each([
  ['en', '2026-11-24', '2026-11-24'],
  ['de', '2026-11-24', '24.11.2026'],
  ['de', '2026-02-31', '2026-02-31'],
  ['de', 'never', 'never'],
])('in %s write the day %s as %s', (language, day, written) => {
  expect(localize(language, message('issue.rate', { from: 'KWD', to: 'EUR', day })).text).toContain(` ${written} `);
});
