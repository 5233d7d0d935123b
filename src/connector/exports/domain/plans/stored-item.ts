// The part of an item that is stored: enough to plan it again and to find it, and nothing about persons.
import { parseCurrency } from '../../../../kernel/currency.js';
import { parseLocalDate } from '../../../../kernel/local-date.js';
import { statedMinor } from '../../../../kernel/money.js';
import { contentOf } from '../../../bookkeeping/item/content-of.js';
import type { ExportItem, ItemLine } from '../../../bookkeeping/item/export-item.js';
import { listedFactsOf } from '../search/listed-facts.js';

/** The facts of an item that the inbox of issues counts. */
export interface ItemFacts {
  readonly itemType: string;
  /** 'YYYY-MM-DD' */
  readonly date: string | undefined;
  readonly supplier: string | null;
  readonly currency: string;
  /** Decimal text in minor units, exactly as stated; undefined where the amount cannot be read. */
  readonly amountMinor: string | undefined;
}

/**
 * Removes names of persons, the note and the receipts. Planned again, the item gives the same entries except for their description,
 * and the same `contentOf`.
 */
export function toStoredItem(item: ExportItem): ExportItem {
  const { user, supplier } = item;
  return {
    accountingEntryId: item.accountingEntryId,
    type: item.type,
    subType: item.subType,
    date: item.date,
    amount: item.amount,
    accountingEntryLines: item.accountingEntryLines.map(toStoredLine),
    bookkeeping: item.bookkeeping && { method: item.bookkeeping.method },
    vendor: item.vendor,
    supplier: supplier && {
      name: supplier.name,
      code: supplier.code,
      account: supplier.account,
      taxIdentifier: supplier.taxIdentifier,
    },
    contraAccount: item.contraAccount,
    user: user && { id: user.id, code: user.code },
    servicePeriod: item.servicePeriod,
    additionalInformation: item.additionalInformation,
    _links: item._links,
  };
}

/** @returns the amount in the wallet's currency, by which bookkeepers know the item */
export function factsOf(item: ExportItem): ItemFacts {
  const { currency, value } = item.amount.inWalletCurrency;
  const code = parseCurrency(currency);
  const { date, supplier } = listedFactsOf(item);
  return {
    itemType: item.type,
    date: parseLocalDate(date ?? ''),
    supplier,
    currency,
    amountMinor: code && statedMinor(value, code),
  };
}

/** Whether both are booked the same. */
export function sameContent(one: ExportItem, other: ExportItem): boolean {
  return contentOf(one) === contentOf(other);
}

function toStoredLine(line: ItemLine): ItemLine {
  const { accountingEntryLineId, lineAmount, netAmount, account, tags, tax } = line;
  return { accountingEntryLineId, lineAmount, netAmount, account, tags, tax };
}
