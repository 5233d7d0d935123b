// Pure: warnings about items that were not settled in full.
import { parseCurrency } from '../../../../../kernel/currency.js';
import { formatMinor } from '../../../../../kernel/money.js';
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
      : `${left} of the payment stay open on vendor ${vendorNumber}: no ${more}open document${names} in ${currency}.`;
  return { code: 'left-open', message };
}

export function partlySettled(document: OpenItem, open: bigint): PostingWarning {
  const message = `${money(open, document.currency)} of ${nameOf(document)} of vendor ${document.vendorNumber} stay open.`;
  return { code: 'partly-settled', message };
}

/** Why two matching items could not be settled, or their settlement not undone. */
export type Obstacle =
  | { readonly code: 'fx-account-missing'; readonly inactive?: string | undefined }
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
  if (obstacle.code === 'taken-apart') {
    return 'Their earlier settlement was undone: match them by hand.';
  }
  if (obstacle.code === 'left-open') {
    return `No fiscal period is open on or after ${obstacle.closedFrom}.`;
  }
  return obstacle.inactive === undefined
    ? 'Their exchange rates differ, and no account for realized differences is given.'
    : `Their exchange rates differ, and account ${obstacle.inactive} is not active.`;
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
