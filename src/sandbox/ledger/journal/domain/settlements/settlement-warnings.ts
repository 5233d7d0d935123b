// Pure: warnings about items that were not settled in full.
import { parseCurrency } from '../../../../../kernel/currency.js';
import { formatMinor } from '../../../../../kernel/money.js';
import { isDocument } from './match-items.js';
import type { OpenItem } from './open-item.js';
import type { PostingSettlement } from '../posting-group.js';
import type { PostingWarning } from '../posting-outcome.js';

/** @param open signed minor units that are left of a payment or of its return */
export function leftOpen(item: OpenItem, open: bigint, intent: PostingSettlement): PostingWarning {
  const { vendorNumber, currency, amountMinor } = item;
  const left = money(open, currency);
  const more = open === amountMinor ? '' : 'further ';
  const names = intent.numbers.length === 0 ? '' : ` ${intent.numbers.join(', ')}`;
  const message =
    intent.kind === 'reopens'
      ? `${left} of the returned payment stay open: no ${more}settlement of${names} of vendor ${vendorNumber} was found to undo.`
      : `${left} of the ${isDocument(item) ? 'credit note' : 'payment'} stay open on vendor ${vendorNumber}: no ${more}open document${names} in ${currency}.`;
  return { code: 'left-open', message };
}

/** @param open signed minor units that are left of an item that something else has changed */
export function stillOpen(item: OpenItem, open: bigint): PostingWarning {
  const message = `${money(open, item.currency)} of ${nameOf(item)} of vendor ${item.vendorNumber} are open.`;
  return { code: 'partly-settled', message };
}

/** Why two matching items could not be settled, or their settlement not undone. */
export type Obstacle =
  | { readonly code: 'fx-account-missing'; readonly inactive?: string | undefined }
  /** Of the entries of a settlement that is to be undone. */
  | { readonly code: 'account-inactive'; readonly inactive: string }
  /** They are on different payable accounts, and one takes no transfer. */
  | { readonly code: 'transfer-refused'; readonly accountCodes: readonly string[]; readonly inactive: string }
  /** Their settlement was undone. */
  | { readonly code: 'taken-apart' }
  | { readonly code: 'left-open'; readonly closedFrom: string };

export function notSettled(one: OpenItem, other: OpenItem, obstacle: Obstacle): PostingWarning {
  const names = `${nameOf(one)} and ${nameOf(other)}`;
  const message = `Not settled with each other on vendor ${one.vendorNumber}: ${names}. ${reasonOf(obstacle)}`;
  return { code: obstacle.code, message };
}

export function staysSettled(document: OpenItem, obstacle: Obstacle): PostingWarning {
  const message = `${nameOf(document)} of vendor ${document.vendorNumber} stays settled although its payment was returned. ${reasonOf(obstacle)}`;
  return { code: obstacle.code, message };
}

function reasonOf(obstacle: Obstacle): string {
  switch (obstacle.code) {
    case 'left-open':
      return `No fiscal period is open on or after ${obstacle.closedFrom}.`;
    case 'account-inactive':
      return `Account ${obstacle.inactive} is not active.`;
    case 'transfer-refused':
      return `They are on the accounts ${obstacle.accountCodes.join(' and ')}, and account ${obstacle.inactive} is not active.`;
    case 'taken-apart':
      return 'Their earlier settlement was undone: match them by hand.';
    case 'fx-account-missing':
      return obstacle.inactive === undefined
        ? 'Their exchange rates differ, and no account for realized differences is given.'
        : `Their exchange rates differ, and account ${obstacle.inactive} is not active.`;
  }
}

function nameOf({ role, documentNumber }: OpenItem): string {
  return documentNumber === null ? role : `${role} ${documentNumber}`;
}

function money(minor: bigint, code: string): string {
  const currency = parseCurrency(code);
  const amount = minor < 0n ? -minor : minor;
  return currency === undefined
    ? `${amount.toString()} minor units of ${code}`
    : `${formatMinor(amount, currency)} ${code}`;
}
