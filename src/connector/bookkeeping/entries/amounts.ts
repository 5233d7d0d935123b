import { listed, message, type MessageParameter } from '../../../kernel/message.js';
import { currencyDigits, parseCurrency, type CurrencyCode } from '../../../kernel/currency.js';
import { addDecimals, negateDecimal, parseDecimal } from '../../../kernel/decimal.js';
import {
  formatHundredths,
  formatMinor,
  minorFromHundredths,
  roundedMinorFromHundredths,
} from '../../../kernel/money.js';
import { entryIssue } from '../item/issues.js';
import type { ExportItem, ItemLine, WireMoney } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import { hasLines, type EntryForm } from './entry-forms.js';

/** One source line with something to post; amounts in minor units of the wallet currency. */
export interface LineAmounts {
  readonly source: ItemLine;
  /** 1 for the item's first line. */
  readonly position: number;
  readonly lineMinor: bigint;
  /** Rounded half-even where the currency has too few digits; 0 without tax. */
  readonly taxMinor: bigint;
}

/**
 * The item's amounts with the direction of the type: a refund is positive whichever sign it was sent with. An amount that
 * cannot be read counts as 0, so that the rest of the item can still be checked; its finding stops the posting.
 */
export interface ItemAmounts {
  /** Undefined when the code is no currency. */
  readonly currency: CurrencyCode | undefined;
  readonly totalMinor: bigint;
  /** Lines of zero are left out; empty for types that post only their total. */
  readonly lines: readonly LineAmounts[];
}

/**
 * Reads the item's money exactly and checks that it adds up (B1). What is wrong becomes a finding of
 * `validation_failure`.
 *
 * @param form undefined when the type is unknown; then only the sum is checked.
 */
export function readAmounts(item: ExportItem, form: EntryForm | undefined, findings: Findings): ItemAmounts {
  const isPostingLines = form !== undefined && hasLines(form);
  const currency = readCurrency(item, isPostingLines, findings);
  const reader: Reader = { currency, findings };
  const total = readWhole(item.amount.inWalletCurrency, { what: 'entry', line: 0 }, reader);
  const lineTotals = item.accountingEntryLines.map((line, index) =>
    readWhole(line.lineAmount.inWalletCurrency, { what: 'line', line: index + 1 }, reader),
  );
  const lines = isPostingLines ? readLines(item, lineTotals, reader) : [];
  checkSum(total, lineTotals, reader);
  const isEmpty = isPostingLines ? lines.length === 0 && lineTotals.length > 0 : form !== undefined && total === 0n;
  if (isEmpty) {
    findings.fail('validation_failure', message('reason.nothing-to-post'), entryIssue('nothing-to-post'));
  }
  const totalMinor = total ?? 0n;
  const factor = form?.sign === 'noise' && totalMinor < 0n ? -1n : 1n;
  return { currency, totalMinor: factor * totalMinor, lines: lines.map((line) => withFactor(line, factor)) };
}

interface Reader {
  readonly currency: CurrencyCode | undefined;
  readonly findings: Findings;
}

function readCurrency(item: ExportItem, isPostingLines: boolean, findings: Findings): CurrencyCode | undefined {
  const codes = new Set([item.amount.inWalletCurrency.currency]);
  for (const line of item.accountingEntryLines) {
    codes.add(line.lineAmount.inWalletCurrency.currency);
    if (!isPostingLines) continue;
    codes.add(line.netAmount.inWalletCurrency.currency);
    if (line.tax) codes.add(line.tax.amount.inWalletCurrency.currency);
  }
  if (codes.size > 1) {
    findings.fail(
      'validation_failure',
      message('reason.currencies', {
        currencies: listed(
          [...codes].map((one, index) =>
            message('reason.named-currency', { nth: index === 0 ? 'first' : 'next', one }),
          ),
          ' ',
        ),
      }),
      entryIssue('currencies'),
    );
  }
  const code = item.amount.inWalletCurrency.currency;
  const currency = parseCurrency(code);
  if (currency === undefined) {
    findings.fail('validation_failure', message('reason.currency', { code }), entryIssue('currency'));
  }
  return currency;
}

function readWhole(money: WireMoney, of: AmountOf, { currency, findings }: Reader): bigint | undefined {
  if (currency === undefined) return undefined;
  const minor = minorFromHundredths(money.value, currency);
  if (minor === undefined) {
    failAmount(money.value, of, currency, findings);
  }
  return minor;
}

/** Of what an amount is, as the texts select it. */
interface AmountOf {
  readonly what: 'entry' | 'line' | 'tax' | 'net';
  /** From 1; 0 for the entry. */
  readonly line: number;
}

function failAmount(value: string, { what, line }: AmountOf, currency: CurrencyCode, findings: Findings): void {
  const hundredths = parseDecimal(value);
  const reason =
    hundredths === undefined
      ? message('reason.amount.not-a-number', { what, line, value })
      : message('reason.amount.too-precise', {
          ...{ what, line, currency },
          amount: formatHundredths(hundredths),
          digits: currencyDigits(currency) ?? 0,
        });
  findings.fail('validation_failure', reason, entryIssue('amount'));
}

function readLines(
  item: ExportItem,
  lineTotals: readonly (bigint | undefined)[],
  reader: Reader,
): readonly LineAmounts[] {
  return item.accountingEntryLines.flatMap((source, index) => {
    const position = index + 1;
    const taxMinor = readTax(source, position, reader);
    const lineMinor = lineTotals[index];
    checkNetPlusTax(source, position, reader);
    if (lineMinor === 0n && taxMinor === 0n) return [];
    return [{ source, position, lineMinor: lineMinor ?? 0n, taxMinor: taxMinor ?? 0n }];
  });
}

function readTax(line: ItemLine, position: number, { currency, findings }: Reader): bigint | undefined {
  if (!line.tax) return 0n;
  if (currency === undefined) return undefined;
  const { value } = line.tax.amount.inWalletCurrency;
  const minor = roundedMinorFromHundredths(value, currency);
  if (minor === undefined) {
    failAmount(value, { what: 'tax', line: position }, currency, findings);
  }
  return minor;
}

// In hundredths, before any rounding: in a currency without decimals net and tax are no whole minor units.
function checkNetPlusTax(line: ItemLine, position: number, { currency, findings }: Reader): void {
  if (line.tax?.type !== 'exclusive' || currency === undefined) return;
  const net = parseDecimal(line.netAmount.inWalletCurrency.value);
  const tax = parseDecimal(line.tax.amount.inWalletCurrency.value);
  const total = parseDecimal(line.lineAmount.inWalletCurrency.value);
  if (net === undefined) {
    failAmount(line.netAmount.inWalletCurrency.value, { what: 'net', line: position }, currency, findings);
  }
  if (net === undefined || tax === undefined || total === undefined) return;
  const sum = addDecimals(net, tax);
  const difference = addDecimals(total, negateDecimal(sum));
  if (difference.coefficient === 0n) return;
  const gap = gapOf(difference.coefficient, total.coefficient, formatHundredths(difference));
  findings.fail(
    'validation_failure',
    message('reason.tax-sum', {
      line: position,
      net: formatHundredths(net),
      tax: formatHundredths(tax),
      sum: formatHundredths(sum),
      total: formatHundredths(total),
      ...gap,
    }),
    entryIssue('tax-sum'),
  );
}

function checkSum(
  total: bigint | undefined,
  lineTotals: readonly (bigint | undefined)[],
  { currency, findings }: Reader,
): void {
  if (lineTotals.length === 0) {
    findings.fail('validation_failure', message('reason.no-lines'), entryIssue('no-lines'));
    return;
  }
  const known = lineTotals.filter((line) => line !== undefined);
  if (currency === undefined || total === undefined || known.length < lineTotals.length) return;
  const sum = known.reduce((subtotal, line) => subtotal + line, 0n);
  if (sum === total) return;
  const gap = gapOf(total - sum, total, formatMinor(total - sum, currency));
  findings.fail(
    'validation_failure',
    message('reason.sum', { sum: formatMinor(sum, currency), total: formatMinor(total, currency), ...gap }),
    entryIssue('sum'),
  );
}

function gapOf(difference: bigint, whole: bigint, text: string): Record<'gap' | 'gapIs', MessageParameter> {
  const isMissing = whole < 0n ? difference < 0n : whole > 0n && difference > 0n;
  return { gap: text.replace('-', ''), gapIs: isMissing ? 'missing' : 'too_much' };
}

function withFactor(line: LineAmounts, factor: bigint): LineAmounts {
  return { ...line, lineMinor: factor * line.lineMinor, taxMinor: factor * line.taxMinor };
}
