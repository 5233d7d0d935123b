// How people look for a value of the accounting system while they type: by parts of its code and its name.

import { foldedText } from '../../../kernel/text.js';

/** One value of a list of the ERP, as people choose it. */
export interface ErpListRow {
  readonly code: string;
  readonly name: string;
  /** False: archived or blocked, nothing is posted to it. */
  readonly active: boolean;
  /** What kind of account, tax code or vendor it is; null where the ERP does not tell. */
  readonly type: string | null;
  /** Never changes while the value exists; null where its code is that. */
  readonly externalId: string | null;
  /** Of a tax code: decimal text of a share, "0.25" is 25 %. */
  readonly rate?: string;
  /** Of a vendor: ISO 3166 alpha-2. */
  readonly country?: string;
  /** Of a vendor or a company. */
  readonly registrationNumber?: string;
  /** Of a vendor. */
  readonly taxNumber?: string;
}

/** A value with the text that it is found by. */
export interface SearchableRow {
  readonly row: ErpListRow;
  /** Code and name, folded; a search sees each from the beginning of a word. */
  readonly words: string;
}

export interface ListRowFilter {
  /** Every word of it is part of code or name. */
  readonly search?: string | undefined;
  readonly type?: string | undefined;
  readonly active?: boolean | undefined;
}

export interface FoundRows {
  readonly data: readonly ErpListRow[];
  /** Of the filter, also what is not in `data`. */
  readonly total: number;
}

/** @returns in the order of their codes, as people number them: "999" before "1000" */
export function searchable(rows: readonly ErpListRow[]): readonly SearchableRow[] {
  const { compare } = new Intl.Collator('en', { numeric: true });
  return rows
    .toSorted((one, other) => compare(one.code, other.code))
    .map((row) => ({ row, words: ` ${foldedText(row.code)} ${foldedText(row.name)}` }));
}

const RANKS = 4;

/** @returns the best first: the code itself, codes that begin so, names with a word that does, then parts of words */
export function searchListRows(
  rows: readonly SearchableRow[],
  { search = '', type, active }: ListRowFilter,
  limit: number,
): FoundRows {
  const sought = foldedText(search);
  const parts = sought.split(' ');
  const ranked: ErpListRow[][] = Array.from({ length: RANKS }, () => []);
  let total = 0;
  for (const { row, words } of rows) {
    const isWanted = (type === undefined || row.type === type) && (active === undefined || row.active === active);
    if (isWanted && parts.every((part) => words.includes(part))) {
      total += 1;
      const rank = rankOf(words, sought);
      if ((ranked[rank]?.length ?? limit) < limit) ranked[rank]?.push(row);
    }
  }
  return { data: ranked.flat().slice(0, limit), total };
}

function rankOf(words: string, sought: string): number {
  if (words.startsWith(` ${sought} `)) return 0;
  if (words.startsWith(` ${sought}`)) return 1;
  return words.includes(` ${sought}`) ? 2 : 3;
}
