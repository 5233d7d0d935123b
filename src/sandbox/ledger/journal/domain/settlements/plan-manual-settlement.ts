// Pure: two open items that a person matches.
import { shareOf } from '../../../../../kernel/decimal.js';
import { openItemBucketOf } from './match-items.js';
import { laterOf, sidesOf, transferOf, type OpenItem } from './open-item.js';
import type { PlannedSettlement } from './plan-settlements.js';

export interface ManualSettlementRequest {
  readonly debit: OpenItem;
  readonly credit: OpenItem;
  /** Minor units; the open amount of both when absent. */
  readonly amountMinor?: bigint | undefined;
  readonly realizedFxAccountCode?: string | undefined;
  /** The first open day on or after the given one; undefined when there is none. */
  readonly openDay: (day: string) => string | undefined;
}

/** Why two items cannot be matched: a code for programs, a sentence for people. */
export interface ManualSettlementRefusal {
  readonly code: 'items-do-not-fit' | 'amount-not-open' | 'fx-account-missing' | 'period-closed';
  readonly message: string;
}

/** @returns the settlement of the two, dated when both were posted, or why they cannot be settled */
export function planManualSettlement(request: ManualSettlementRequest): PlannedSettlement | ManualSettlementRefusal {
  const { debit, credit } = request;
  if (openItemBucketOf(debit) !== openItemBucketOf(credit) || debit.amountMinor < 0n || credit.amountMinor > 0n) {
    const message = 'A debit and a credit item of one vendor in one currency settle each other.';
    return { code: 'items-do-not-fit', message };
  }
  const most = debit.openMinor < -credit.openMinor ? debit.openMinor : -credit.openMinor;
  const amountMinor = request.amountMinor ?? most;
  if (amountMinor <= 0n || amountMinor > most) {
    const message = `The two have ${most.toString()} minor units of ${debit.currency} open with each other, ${amountMinor.toString()} cannot be settled.`;
    return { code: 'amount-not-open', message };
  }
  const day = laterOf(debit.postedOn, credit.postedOn);
  const settledOn = request.openDay(day);
  if (settledOn === undefined) {
    return { code: 'period-closed', message: `No fiscal period is open on or after ${day}: open one.` };
  }
  const debitBaseMinor = shareOf(debit.openBaseMinor, amountMinor, debit.openMinor);
  const creditBaseMinor = shareOf(-credit.openBaseMinor, amountMinor, -credit.openMinor);
  const baseMinor = debitBaseMinor - creditBaseMinor;
  const accountCode = request.realizedFxAccountCode;
  if (baseMinor !== 0n && accountCode === undefined) {
    const message = `The two differ by ${baseMinor.toString()} minor units of the functional currency: name the account for realized differences.`;
    return { code: 'fx-account-missing', message };
  }
  const transfer = transferOf(debit, credit, { amountMinor, debitBaseMinor, creditBaseMinor });
  const { document, paying } = sidesOf(debit, credit);
  const { vendorNumber, currency, documentNumber } = document;
  const { groupId, accountCode: payableAccountCode } = paying;
  const fx = { accountCode: accountCode ?? '', payableAccountCode, vendorNumber, currency, documentNumber };
  return {
    debit: { entryId: debit.entryId, lineNo: debit.lineNo },
    credit: { entryId: credit.entryId, lineNo: credit.lineNo },
    amountMinor,
    debitBaseMinor,
    creditBaseMinor,
    settledOn,
    ...(baseMinor !== 0n && { fx: { ...fx, groupId, baseMinor } }),
    ...(transfer && { transfer }),
  };
}
