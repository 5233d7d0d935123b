import type { PostingEntry, PostingLine, PostingSettlement } from './posting-group.js';
import type { Refusal } from './posting-outcome.js';

/** The master data that a batch refers to. A code that is missing from a map does not exist. */
export interface BooksView {
  readonly functionalCurrency: string;
  readonly accounts: ReadonlyMap<string, { readonly active: boolean }>;
  readonly vendors: ReadonlyMap<string, { readonly usable: boolean }>;
  readonly taxCodes: ReadonlyMap<string, { readonly active: boolean }>;
  /** By dimension and value, see `dimensionKey`. */
  readonly dimensionValues: ReadonlyMap<string, { readonly active: boolean }>;
  /** By posting date. */
  readonly periods: ReadonlyMap<string, { readonly open: boolean; readonly fiscalYear: number }>;
}

/** The checked part of an entry; a draft is checked when it is written and again when it is posted. */
export type CheckedEntry = Pick<PostingEntry, 'postingDate' | 'currency' | 'lines' | 'settlement'>;

export interface CheckedGroup {
  readonly entries: readonly CheckedEntry[];
}

export function dimensionKey(dimension: string, value: string): string {
  return JSON.stringify([dimension, value]);
}

/** @returns the first reason not to post the group, or undefined */
export function findRefusal(group: CheckedGroup, books: BooksView): Refusal | undefined {
  for (const [index, entry] of group.entries.entries()) {
    const pointer = `/entries/${index.toString()}`;
    const refusal =
      periodRefusal(entry, books, pointer) ??
      balanceRefusal(entry, pointer) ??
      lineRefusal(entry, books, pointer) ??
      settlementRefusal(entry, books, pointer);
    if (refusal !== undefined) {
      return refusal;
    }
  }
  return undefined;
}

function periodRefusal(entry: CheckedEntry, books: BooksView, pointer: string): Refusal | undefined {
  const field = `${pointer}/postingDate`;
  const period = books.periods.get(entry.postingDate);
  if (period === undefined) {
    return {
      code: 'period_missing',
      field,
      message: `${entry.postingDate} is in no fiscal period of the company.`,
    };
  }
  return period.open
    ? undefined
    : { code: 'period_closed', field, message: `The fiscal period of ${entry.postingDate} is closed.` };
}

function balanceRefusal(entry: CheckedEntry, pointer: string): Refusal | undefined {
  const left = entry.lines.reduce((sum, line) => sum + line.amountMinor, 0n);
  if (left !== 0n) {
    const message = `Debit and credit differ by ${left.toString()} minor units of ${entry.currency}.`;
    return { code: 'unbalanced', field: `${pointer}/lines`, message };
  }
  const leftInBase = entry.lines.reduce((sum, line) => sum + line.baseMinor, 0n);
  return leftInBase === 0n
    ? undefined
    : {
        code: 'unbalanced_base',
        field: `${pointer}/lines`,
        message: `Debit and credit differ by ${leftInBase.toString()} minor units of the functional currency.`,
      };
}

function lineRefusal(entry: CheckedEntry, books: BooksView, entryPointer: string): Refusal | undefined {
  for (const [index, line] of entry.lines.entries()) {
    const pointer = `${entryPointer}/lines/${index.toString()}`;
    const refusal =
      amountRefusal(entry, line, books, pointer) ??
      accountRefusal(line.accountCode, books, `${pointer}/accountCode`) ??
      vendorRefusal(line, books, pointer) ??
      taxCodeRefusal(line, books, pointer) ??
      taxRefusal(entry, line, books, pointer) ??
      dimensionRefusal(line, books, pointer);
    if (refusal !== undefined) {
      return refusal;
    }
  }
  return undefined;
}

function amountRefusal(entry: CheckedEntry, line: PostingLine, books: BooksView, pointer: string): Refusal | undefined {
  if (line.amountMinor === 0n && line.baseMinor === 0n) {
    return {
      code: 'zero_line',
      field: `${pointer}/amountMinor`,
      message: 'A line is zero in both currencies.',
    };
  }
  if (line.amountMinor * line.baseMinor < 0n) {
    return {
      code: 'two_sides',
      field: `${pointer}/baseMinor`,
      message: 'A line is a debit in one currency and a credit in the other.',
    };
  }
  return entry.currency === books.functionalCurrency && line.amountMinor !== line.baseMinor
    ? {
        code: 'base_differs',
        field: `${pointer}/baseMinor`,
        message: `In ${entry.currency}, the functional currency, amount and base are the same.`,
      }
    : undefined;
}

function accountRefusal(code: string, books: BooksView, field: string): Refusal | undefined {
  const account = books.accounts.get(code);
  if (account === undefined) {
    return {
      code: 'account_unknown',
      field,
      message: `There is no account ${code} in the chart of accounts.`,
    };
  }
  return account.active
    ? undefined
    : { code: 'account_inactive', field, message: `Account ${code} is not active and takes no postings.` };
}

function vendorRefusal(line: PostingLine, books: BooksView, pointer: string): Refusal | undefined {
  if (line.vendorNumber == null) {
    return undefined;
  }
  const field = `${pointer}/vendorNumber`;
  const vendor = books.vendors.get(line.vendorNumber);
  if (vendor === undefined) {
    return { code: 'vendor_unknown', field, message: `There is no vendor ${line.vendorNumber}.` };
  }
  return vendor.usable
    ? undefined
    : { code: 'vendor_blocked', field, message: `Vendor ${line.vendorNumber} is blocked or archived.` };
}

function taxCodeRefusal(line: PostingLine, books: BooksView, pointer: string): Refusal | undefined {
  if (line.taxCode == null) {
    return undefined;
  }
  const field = `${pointer}/taxCode`;
  const taxCode = books.taxCodes.get(line.taxCode);
  if (taxCode === undefined) {
    return { code: 'tax_code_unknown', field, message: `There is no tax code ${line.taxCode}.` };
  }
  return taxCode.active
    ? undefined
    : { code: 'tax_code_inactive', field, message: `Tax code ${line.taxCode} is not active.` };
}

function taxRefusal(entry: CheckedEntry, line: PostingLine, books: BooksView, pointer: string): Refusal | undefined {
  const { tax, amountMinor, baseMinor } = line;
  if (tax == null) {
    return undefined;
  }
  const field = `${pointer}/tax`;
  const isBetween =
    tax.taxMinor < 0n
      ? tax.taxMinor <= amountMinor && amountMinor <= 0n
      : 0n <= amountMinor && amountMinor <= tax.taxMinor;
  if (tax.place === 'input' && !isBetween) {
    return { code: 'tax_differs', field, message: 'Input tax is posted with more than the tax, or on the other side.' };
  }
  if (tax.place === 'output' && (amountMinor !== tax.taxMinor || baseMinor !== tax.taxBaseMinor)) {
    return { code: 'tax_differs', field, message: 'Output tax is not posted in full.' };
  }
  const isSame = tax.taxableMinor === tax.taxableBaseMinor && tax.taxMinor === tax.taxBaseMinor;
  return entry.currency === books.functionalCurrency && !isSame
    ? {
        code: 'base_differs',
        field,
        message: `In ${entry.currency}, the functional currency, amount and base of a tax are the same.`,
      }
    : undefined;
}

function dimensionRefusal(line: PostingLine, books: BooksView, pointer: string): Refusal | undefined {
  for (const [dimension, value] of Object.entries(line.dimensions)) {
    const field = `${pointer}/dimensions`;
    const found = books.dimensionValues.get(dimensionKey(dimension, value));
    if (found === undefined) {
      return { code: 'dimension_unknown', field, message: `Dimension ${dimension} has no value ${value}.` };
    }
    if (!found.active) {
      return {
        code: 'dimension_inactive',
        field,
        message: `Value ${value} of dimension ${dimension} is not active.`,
      };
    }
  }
  return undefined;
}

function settlementRefusal(entry: CheckedEntry, books: BooksView, pointer: string): Refusal | undefined {
  const settlement = entry.settlement;
  if (settlement == null) {
    return undefined;
  }
  if (!books.vendors.has(settlement.vendorNumber)) {
    const message = `There is no vendor ${settlement.vendorNumber}.`;
    return { code: 'vendor_unknown', field: `${pointer}/settlement/vendorNumber`, message };
  }
  const { realizedFxAccountCode, vendorNumber, currency } = settlement;
  const refusal =
    realizedFxAccountCode == null
      ? undefined
      : accountRefusal(realizedFxAccountCode, books, `${pointer}/settlement/realizedFxAccountCode`);
  const isAboutEntry = currency === entry.currency && entry.lines.some((line) => line.vendorNumber === vendorNumber);
  return refusal ?? (isAboutEntry ? undefined : settlementMismatch(settlement, `${pointer}/settlement`));
}

function settlementMismatch({ vendorNumber, currency }: PostingSettlement, field: string): Refusal {
  const message = `No line of the entry is on vendor ${vendorNumber} in ${currency}, so it can settle nothing there.`;
  return { code: 'settlement_mismatch', field, message };
}
