import { isUuid } from '../../../kernel/ids.js';
import { storableText } from '../../../kernel/text.js';
import { message } from '../../../kernel/message.js';
import type { PageQuery } from './page.dto.js';
import { problem } from './problems.js';

const INSTANT_FORM = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

/** One sort key of a list: how its value is written into a cursor and read back. */
export interface SortKey<T> {
  /** @returns undefined for text that this key never writes */
  parse(text: string): T | undefined;
  format(value: T): string;
}

/** Text of one form, for instance an id that is no UUID. */
export function textKey(form: RegExp): SortKey<string> {
  return { parse: (text) => (form.test(text) ? text : undefined), format: (value) => value };
}

export const UUID: SortKey<string> = {
  parse: (text) => (isUuid(text) ? text : undefined),
  format: (value) => value,
};

/** A non-negative number of at most nine digits. */
export const NUMBER: SortKey<number> = {
  parse: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
  format: (value) => value.toString(),
};

/** A non-negative number of at most 18 digits. */
export const BIG_NUMBER: SortKey<bigint> = {
  parse: (text) => (/^\d{1,18}$/.test(text) ? BigInt(text) : undefined),
  format: (value) => value.toString(),
};

/** What a list is sorted by, in two keys of which one is the same in all its rows: a number, or a text. */
export const SORTED_BY = { numberKey: textKey(/^-?\d{1,40}(\.\d{1,40})?$/), textKey: textKey(/^.{0,200}$/su) };

/** An instant to the millisecond; one that does not exist (February 30) is refused. */
export const INSTANT: SortKey<Date> = {
  parse: (text) => {
    const at = new Date(INSTANT_FORM.test(text) ? text : Number.NaN);
    return !Number.isNaN(at.getTime()) && at.toISOString() === text ? at : undefined;
  },
  format: (value) => value.toISOString(),
};

type SortKeys = Readonly<Record<string, SortKey<unknown>>>;
export type Position<Keys> = {
  readonly [Name in keyof Keys]: Keys[Name] extends SortKey<infer T> ? T : never;
};

export interface Page<Row> {
  readonly data: readonly Row[];
  /** `after` of the next page; null at the end. */
  readonly nextCursor: string | null;
}

/** A list that is read page by page; its cursor holds the sort keys of the last row shown, opaque to callers. */
export class PagedList<Keys extends SortKeys> {
  /** @param keys sort keys of the list, by the names they have in its rows, in the order of the cursor */
  constructor(private readonly keys: Keys) {}

  /**
   * Reads one row more than is shown, to know whether there is another page.
   * @param load reads rows after a position, or from the beginning, in the list's order
   * @throws Problem 400 for a cursor that this list did not issue
   */
  async page<Row extends Position<Keys>>(
    { after, limit }: Pick<PageQuery, 'after' | 'limit'>,
    load: (after: Position<Keys> | undefined, limit: number) => Promise<readonly Row[]>,
  ): Promise<Page<Row>> {
    return this.pageOf(limit, await load(this.decode(after), limit + 1));
  }

  /**
   * @param limit rows on a page
   * @param rows the rows after the position of the page, in the list's order: more than the limit where there is another page
   */
  pageOf<Row extends Position<Keys>>(limit: number, rows: readonly Row[]): Page<Row> {
    const data = rows.slice(0, limit);
    const last = rows.length > limit ? data.at(-1) : undefined;
    return { data, nextCursor: last === undefined ? null : this.encode(last) };
  }

  encode(position: Position<Keys>): string {
    const texts = Object.entries(this.keys).map(([name, key]) => key.format(Reflect.get(position, name)));
    return Buffer.from(JSON.stringify(texts)).toString('base64url');
  }

  /** @throws Problem 400 for a cursor that this list did not issue */
  decode(cursor: string | undefined): Position<Keys> | undefined {
    if (cursor === undefined) {
      return undefined;
    }
    const texts = textsOf(cursor);
    const names = Object.entries(this.keys);
    const values = names.map(([name, key], index) => [name, parseKey(key, texts[index])] as const);
    if (texts.length !== names.length || values.some(([, value]) => value === undefined)) {
      throw problem('invalid-cursor', message('problem.invalid-cursor.detail'));
    }
    return Object.fromEntries(values) as Position<Keys>;
  }
}

function parseKey(key: SortKey<unknown>, text: string | undefined): unknown {
  return text === undefined || storableText(text) !== text ? undefined : key.parse(text);
}

function textsOf(cursor: string): readonly string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const isPosition = Array.isArray(values) && values.every((value) => ['string', 'number'].includes(typeof value));
    return isPosition ? values.map(String) : [];
  } catch {
    return [];
  }
}
