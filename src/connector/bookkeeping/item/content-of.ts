import { formatDecimal, parseDecimal } from '../../../kernel/decimal.js';
import { isOwedToEmployee } from '../entries/entry-forms.js';
import { invoiceNumberOf } from '../entries/entry-shapes.js';
import { tagKeyOf } from '../accounts/rule-index.js';
import {
  employeeOf,
  methodOf,
  textOf,
  type ExportItem,
  type ItemLine,
  type Nullable,
  type WireMoney,
} from './export-item.js';
import { parseInstant } from './item-dates.js';

type Canonical = string | null | readonly Canonical[];

/**
 * The item's accounting fields as one canonical text, for the caller to hash (B7.2, B9.7). It does not depend on the
 * order of keys, lines or tags, on null or absent, or on how a number or an instant is spelled.
 *
 * Left out is what may change between two attempts without changing what is to be booked: the vendor's data other than
 * its id (creating it in the ERP writes its number back), the invoice's status, names, notes and the wallet's contra
 * account, which is mapping.
 */
export function contentOf(item: ExportItem): string {
  const content = contentWithoutEmployee(item);
  return JSON.stringify(
    isOwedToEmployee(item.type) ? ['v2', employeeOf(item) ?? null, ...content] : ['v1', ...content],
  );
}

/**
 * Every text that the same content has, or had by an earlier planner: the first one left the employee out. What was posted
 * with such a text is not posted again because of ours.
 */
export function contentsOf(item: ExportItem): readonly string[] {
  return [...new Set([contentOf(item), JSON.stringify(['v1', ...contentWithoutEmployee(item)])])];
}

function contentWithoutEmployee(item: ExportItem): readonly Canonical[] {
  const invoice = item.additionalInformation.invoiceInformation;
  return [
    item.type,
    canonicalText(item.subType),
    canonicalText(methodOf(item)),
    canonicalTime(item.date),
    canonicalMoney(item.amount.inWalletCurrency),
    item.accountingEntryLines.map((line) => JSON.stringify(canonicalLine(line))).toSorted(),
    canonicalText(item.vendor?.id),
    [canonicalText(invoiceNumberOf(item)), canonicalDay(invoice?.invoiceDate), canonicalDay(invoice?.dueDate)],
  ];
}

function canonicalLine({ lineAmount, netAmount, account, tags, tax }: ItemLine): Canonical {
  return [
    canonicalMoney(lineAmount.inWalletCurrency),
    account ? [account.id, canonicalText(account.identifier), canonicalText(account.code)] : null,
    (tags ?? [])
      .filter((tag) => tag !== null && tag !== undefined)
      .map(tagKeyOf)
      .toSorted(),
    tax
      ? [
          tax.id,
          canonicalText(tax.code),
          tax.type,
          canonicalNumber(tax.rate),
          canonicalMoney(tax.amount.inWalletCurrency),
          tax.type === 'exclusive' ? canonicalMoney(netAmount.inWalletCurrency) : null,
          canonicalText(tax.ingoingTaxAccount),
          canonicalText(tax.outgoingTaxAccount),
        ]
      : null,
  ];
}

function canonicalMoney({ currency, value }: WireMoney): Canonical {
  return [currency, canonicalNumber(value)];
}

function canonicalNumber(text: string): string {
  const decimal = parseDecimal(text);
  return decimal === undefined ? text : formatDecimal(decimal);
}

function canonicalText(text: Nullable<string>): string | null {
  return textOf(text) ?? null;
}

// A plain day stays a day: which instant it is depends on the company's time zone.
function canonicalTime(text: string): string {
  return parseInstant(text)?.toISOString() ?? text;
}

function canonicalDay(text: Nullable<string>): string | null {
  return textOf(text)?.slice(0, 10) ?? null;
}
