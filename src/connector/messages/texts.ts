// The texts of all languages: one file of ICU messages for each. A further language is one more file and its name here.
import { IntlMessageFormat, type Formatters } from 'intl-messageformat';
import { Bug } from '../../kernel/faults.js';
import { parseStoredMessage, type Message, type MessageParameter } from '../../kernel/message.js';
import de from './languages/de.json' with { type: 'json' };
import en from './languages/en.json' with { type: 'json' };

export const ENGLISH = 'en';

export interface LocalizedMessage {
  readonly code: string;
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly text: string;
}

type Catalog = Pick<ReadonlyMap<string, IntlMessageFormat>, 'get' | 'has'>;

/** In a text: `{amount, number, decimal}` writes decimal text with the digits that it has. */
const DECIMAL = { isDecimalText: true };
/** In a text: `{day, date, day}` writes a day, which comes as "2026-11-24". */
const DAY = { isDayText: true };
/** In a text: `{type, number, itemType}` names a type of entries, which comes as the platform's code, "card_purchase". */
const ITEM_TYPE = { isItemType: true };
/** That Intl takes. */
const MAX_DIGITS = 100;
const FORMATS = { number: { decimal: DECIMAL as object, itemType: ITEM_TYPE as object }, date: { day: DAY as object } };

const catalogs: ReadonlyMap<string, Catalog> = new Map(
  Object.entries({ en, de }).map(([language, texts]) => [language, catalogOf(language, texts)]),
);

/** English first. */
export const LANGUAGES: readonly string[] = [
  ENGLISH,
  ...[...catalogs.keys()].filter((name) => name !== ENGLISH).sort(),
];

/**
 * @param language one of `LANGUAGES`; a text that it lacks is English
 * @throws Bug for a code without a text; `a.b.c` without one has the text of `a.b`
 */
export function localize(language: string, message: Message): LocalizedMessage {
  let code = message.code;
  while (!hasText(code) && code.includes('.')) code = code.slice(0, code.lastIndexOf('.'));
  const format = catalogs.get(language)?.get(code) ?? catalogs.get(ENGLISH)?.get(code);
  if (format === undefined) {
    throw new Bug(`no text has the code ${message.code}`);
  }
  const parameters = inWords(language, message.parameters);
  return { code: message.code, parameters, text: format.format(parameters) as string };
}

/** Several sentences, one after the other. */
export function localizeAll(language: string, messages: readonly Message[]): string {
  return messages.map((each) => localize(language, each).text).join(' ');
}

/** The text in English, as it is sent to the platform, by mail and to webhooks. */
export function englishText(message: Message): string {
  return localize(ENGLISH, message).text;
}

function inWords(
  language: string,
  parameters: Readonly<Record<string, MessageParameter>>,
): Readonly<Record<string, string | number>> {
  const inThisLanguage = (parameter: MessageParameter) => {
    if (typeof parameter !== 'object') return parameter;
    if ('code' in parameter) return localize(language, parameter).text;
    return parameter.list.map((each) => localize(language, each).text).join(parameter.separator);
  };
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, inThisLanguage(value)]));
}

/** @param problem as stored: a message, the code of a text, or a text of another system, which stays as it is */
export function localizeProblem(language: string, problem: string): string {
  const stored = parseStoredMessage(problem);
  if (stored !== undefined && hasText(stored.code)) return localize(language, stored).text;
  return hasText(problem) ? localize(language, { code: problem, parameters: {} }).text : problem;
}

/** Whether any language has a text of this code. */
export function hasText(code: string): boolean {
  return catalogs.get(ENGLISH)?.has(code) ?? false;
}

/**
 * The language that a reader prefers among those there are (RFC 9110 §12.5.4); English where none fits.
 * @param header `Accept-Language`, "de-AT,de;q=0.9,en;q=0.5"
 */
export function preferredLanguage(header: string | undefined): string {
  let best = { language: ENGLISH, quality: 0 };
  for (const part of (header ?? '').slice(0, 500).split(',')) {
    const [range = '', ...parameters] = part.split(';').map((text) => text.trim());
    const language = LANGUAGES.find((known) => known === range.toLowerCase().split('-')[0]);
    const weight = parameters.find((text) => text.startsWith('q='));
    const quality = weight === undefined ? 1 : Number(weight.slice(2));
    if (language !== undefined && quality > best.quality) best = { language, quality };
  }
  return best.language;
}

/** A text is compiled when it is first wanted: there are more of them than a process ever says. */
function catalogOf(language: string, texts: Readonly<Record<string, string>>): Catalog {
  const [known, compiled] = [new Map(Object.entries(texts)), new Map<string, IntlMessageFormat>()];
  const options = { ignoreTag: true, formatters: formattersOf(language) };
  return {
    has: (code) => known.has(code),
    get: (code) => {
      const text = known.get(code);
      if (text === undefined) return undefined;
      const format = compiled.get(code) ?? new IntlMessageFormat(text, language, FORMATS, options);
      compiled.set(code, format);
      return format;
    },
  };
}

function formattersOf(language: string): Formatters {
  const decimals = { format: (text: string) => decimalIn(language, text) } as unknown as Intl.NumberFormat;
  const itemTypes = { format: (text: string) => itemTypeIn(language, text) } as unknown as Intl.NumberFormat;
  const days = { format: (text: string) => dayIn(language, text) } as unknown as Intl.DateTimeFormat;
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  return {
    getNumberFormat: (_, options = {}) =>
      'isDecimalText' in options ? decimals : 'isItemType' in options ? itemTypes : numbers,
    getDateTimeFormat: (_, options) =>
      options !== undefined && 'isDayText' in options ? days : new Intl.DateTimeFormat(language, options),
    getPluralRules: () => plurals,
  };
}

/** In English as written, since reasons sent to the platform have that form; elsewhere with the separators of the language. */
function decimalIn(language: string, text: string): string {
  const [, fraction = ''] = text.split('.');
  if (language === ENGLISH || !/^-?\d+(\.\d+)?$/.test(text)) return text;
  const digits = Math.min(fraction.length, MAX_DIGITS);
  const format = new Intl.NumberFormat(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });
  // Decimal text of any length, which is not rounded to a number on the way.
  return format.format(text as `${number}`);
}

/** In English as written, for the same reason; elsewhere in words. A type that has none stays as it came. */
function itemTypeIn(language: string, text: string): string {
  const code = `item-type.${text}`;
  return language === ENGLISH || !hasText(code) ? text : localize(language, { code, parameters: { of: text } }).text;
}

/** In English as written, for the same reason; elsewhere as people of the language write days. */
function dayIn(language: string, text: string): string {
  const day = /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(text) : undefined;
  // A day that no calendar has stays as it came.
  if (language === ENGLISH || day === undefined || Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text)) {
    return text;
  }
  const format = { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(language, format).format(day);
}
