// Pure: which open items of a vendor settle each other once entries are posted (B3.7).
import { shareOf } from '../../../../../kernel/decimal.js';
import {
  itemKey,
  laterOf,
  pairKey,
  sidesOf,
  transferOf,
  type ActiveSettlement,
  type ItemRef,
  type OpenItem,
  type PayableTransfer,
  type RealizedFx,
  type SettledPair,
  type UndoneSettlement,
} from './open-item.js';
import type { PostingSettlement } from '../posting-group.js';
import type { PostingWarning } from '../posting-outcome.js';
import { canSettleEachOther, intentOf, isDocument, mayReturn, openItemBucketOf, rankOf } from './match-items.js';
import { leftOpen, notSettled, staysSettled, stillOpen, type Obstacle } from './settlement-warnings.js';

export interface PlannedSettlement extends SettledPair {
  /** The realized exchange difference, when there is one. */
  readonly fx?: RealizedFx;
  /** When its items are on two payable accounts. */
  readonly transfer?: PayableTransfer;
}

/** Open items that match and cannot be settled, or whose settlement cannot be undone. */
export interface BlockedItems {
  readonly entryIds: readonly string[];
  readonly warning: PostingWarning;
}

export interface SettlementPlan {
  readonly undone: readonly UndoneSettlement[];
  readonly settled: readonly PlannedSettlement[];
  readonly blocked: readonly BlockedItems[];
  /** By group. */
  readonly warnings: ReadonlyMap<string, readonly PostingWarning[]>;
}

export interface SettlementView {
  /** Items that became open just now, by being posted or by an undone settlement, in the order of posting. */
  readonly added: readonly OpenItem[];
  /** The earliest day of a settlement, `YYYY-MM-DD`. */
  readonly from?: string;
  /** Open items that they may match, oldest first. */
  readonly others: readonly OpenItem[];
  /** Settlements that a returned payment may undo, oldest first. */
  readonly active: readonly ActiveSettlement[];
  readonly activeAccounts: ReadonlySet<string>;
  /** The first open day on or after each day of the items and settlements; a day with none is missing. */
  readonly openDays: ReadonlyMap<string, string>;
  /** Account for a difference in base when no item names an active one. */
  readonly realizedFxAccountCode?: string | undefined;
  /** Pairs, as `pairKey` names them, that are not settled again because their settlement was undone. */
  readonly separatedPairs?: ReadonlySet<string>;
  /** The group whose cancellation has opened the items again: it gets the warnings. */
  readonly canceledGroupId?: string | undefined;
}

/**
 * Matches each new item with the items of its settlement intent and of theirs, the oldest first, for the smaller of both open
 * amounts. A returned payment undoes the settlements of the payment. Whatever is left open of an item that this has changed
 * is reported on the group that caused it, on whichever side (B9.2).
 */
export function planSettlements(view: SettlementView): SettlementPlan {
  const planner = new Planner(view);
  for (const item of view.added.toSorted((one, other) => matchingOrderOf(one) - matchingOrderOf(other))) {
    planner.match(item);
  }
  return planner.finish(view.added);
}

const MATCHING_ORDER: readonly (PostingSettlement['kind'] | undefined)[] = ['within', 'reopens', 'settles', undefined];

/** Items of one group are matched first; returns are matched before payments. */
function matchingOrderOf(item: OpenItem): number {
  return MATCHING_ORDER.indexOf(intentOf(item)?.kind);
}

interface WorkingItem {
  readonly item: OpenItem;
  open: bigint;
  openBase: bigint;
  /** Part of the open amount that is reserved for a pair that cannot be settled; positive. */
  reserved: bigint;
}

class Planner {
  private readonly items: ReadonlyMap<string, WorkingItem>;
  private readonly buckets: ReadonlyMap<string, readonly WorkingItem[]>;
  private active: readonly ActiveSettlement[];
  private readonly settled: PlannedSettlement[] = [];
  private readonly blocked: BlockedItems[] = [];
  private readonly undone: UndoneSettlement[] = [];
  private readonly warnings = new Map<string, readonly PostingWarning[]>();
  /** Items whose open amount a group has changed. */
  private readonly changed: { readonly working: WorkingItem; readonly groupId: string }[] = [];
  /** Items with a more specific warning than that they are left open. */
  private readonly explained = new Set<WorkingItem>();

  constructor(private readonly view: SettlementView) {
    const items = [...view.others, ...view.added].map((item) => ({
      item,
      open: item.openMinor,
      openBase: item.openBaseMinor,
      reserved: 0n,
    }));
    this.items = new Map(items.map((working) => [itemKey(working.item), working]));
    this.buckets = Map.groupBy(items, ({ item }) => openItemBucketOf(item));
    this.active = view.active.toReversed();
  }

  match(item: OpenItem): void {
    const added = this.items.get(itemKey(item));
    if (added === undefined) {
      return;
    }
    if (intentOf(item)?.kind === 'reopens') {
      this.applyReturn(added, (payment) => payment.amountMinor === -item.amountMinor);
      this.applyPayments(added, (other) => !isDocument(other));
      this.applyReturn(added, () => true);
    }
    this.applyPayments(added, () => true);
  }

  finish(added: readonly OpenItem[]): SettlementPlan {
    const { canceledGroupId } = this.view;
    const reported = new Set<WorkingItem>(this.explained);
    for (const item of added) {
      const working = this.items.get(itemKey(item));
      const intent = intentOf(item);
      if (working === undefined || working.open === 0n || reported.has(working)) {
        continue;
      }
      if (canceledGroupId !== undefined) {
        this.warn(canceledGroupId, stillOpen(item, working.open));
      } else if (intent && (intent.kind !== 'within' || working.open !== item.amountMinor)) {
        reported.add(working);
        this.warn(item.groupId, leftOpen(item, working.open, intent));
      }
    }
    for (const { working, groupId } of this.changed) {
      const isReported = reported.has(working) && working.item.groupId === groupId;
      if (working.open !== 0n && !isReported) {
        this.warn(canceledGroupId ?? groupId, stillOpen(working.item, working.open));
      }
    }
    const { undone, settled, blocked, warnings } = this;
    return { undone, settled, blocked, warnings };
  }

  private applyPayments(one: WorkingItem, isWanted: (other: OpenItem) => boolean, payer = one, from = ''): void {
    const partners = (this.buckets.get(openItemBucketOf(one.item)) ?? []).filter(
      ({ item }) => isWanted(item) && canSettleEachOther(one.item, item),
    );
    for (const other of partners.toSorted((a, b) => rankOf(one.item, a.item) - rankOf(one.item, b.item))) {
      if (freeOf(one) !== 0n && freeOf(other) !== 0n) {
        this.pay(one, other, payer, from);
      }
    }
  }

  /** For a returned payment: its settlements are undone, and it and its return settle each other. */
  private applyReturn(returned: WorkingItem, isWanted: (payment: OpenItem) => boolean): void {
    for (const settlement of [...this.settled.toReversed(), ...this.active]) {
      const sides = [settlement.debit, settlement.credit].flatMap((ref) => this.items.get(itemKey(ref)) ?? []);
      const document = sides.find(({ item }) => isDocument(item));
      const payment = sides.find((side) => side !== document);
      if (freeOf(returned) === 0n || document === undefined || payment === undefined) {
        continue;
      }
      const isSameBucket = openItemBucketOf(payment.item) === openItemBucketOf(returned.item);
      if (isSameBucket && mayReturn(returned.item, payment.item, document.item) && isWanted(payment.item)) {
        this.undoPayment(returned, payment, document, settlement);
      }
    }
  }

  private undoPayment(
    returned: WorkingItem,
    payment: WorkingItem,
    document: WorkingItem,
    settlement: ActiveSettlement | PlannedSettlement,
  ): void {
    const obstacle = this.findUndoObstacle(returned, settlement);
    if (obstacle !== undefined) {
      this.explain(returned, staysSettled(document.item, obstacle), [returned]);
      return;
    }
    const from = this.undo(returned, settlement);
    const { groupId } = returned.item;
    this.changed.push({ working: payment, groupId }, { working: document, groupId });
    if (!this.pay(returned, payment, returned, from)) {
      const amount = lesser(freeOf(returned), freeOf(payment));
      returned.reserved += amount;
      payment.reserved += amount;
    }
    // By the remainder of the payment, or by another payment that is still open.
    this.applyPayments(document, () => true, returned, from);
  }

  private findUndoObstacle(
    returned: WorkingItem,
    settlement: ActiveSettlement | PlannedSettlement,
  ): Obstacle | undefined {
    if (!('id' in settlement)) {
      return undefined;
    }
    const inactive = settlement.accountCodes.find((code) => !this.view.activeAccounts.has(code));
    if (inactive !== undefined) {
      return { code: 'account-inactive', inactive };
    }
    const day = laterOf(returned.item.postedOn, settlement.settledOn);
    return this.view.openDays.has(day) ? undefined : { code: 'left-open', closedFrom: day };
  }

  /** @returns the earliest day on which its items may be settled again, `YYYY-MM-DD` */
  private undo(returned: WorkingItem, settlement: ActiveSettlement | PlannedSettlement): string {
    this.reopen(settlement);
    const { postedOn } = returned.item;
    if (!('id' in settlement)) {
      this.settled.splice(this.settled.indexOf(settlement), 1);
      return postedOn;
    }
    const day = laterOf(postedOn, settlement.settledOn);
    this.active = this.active.filter((each) => each !== settlement);
    this.undone.push({ settlement, undoneOn: this.view.openDays.get(day) ?? day });
    return day;
  }

  private reopen({ debit, credit, amountMinor, debitBaseMinor, creditBaseMinor }: SettledPair): void {
    const parts = [
      [debit, amountMinor, debitBaseMinor],
      [credit, -amountMinor, -creditBaseMinor],
    ] as const;
    for (const [ref, amount, base] of parts) {
      const working = this.items.get(itemKey(ref));
      if (working !== undefined) {
        working.open += amount;
        working.openBase += base;
      }
    }
  }

  /**
   * @param payer the item whose group gets the warnings
   * @param from the earliest day of the settlement, `YYYY-MM-DD`
   * @returns false when the two cannot be settled
   */
  private pay(one: WorkingItem, other: WorkingItem, payer: WorkingItem, from: string): boolean {
    const [debit, credit] = one.item.amountMinor > 0n ? [one, other] : [other, one];
    const amountMinor = lesser(freeOf(debit), freeOf(credit));
    const debitBaseMinor = shareOf(debit.openBase, amountMinor, debit.open);
    const creditBaseMinor = shareOf(-credit.openBase, amountMinor, -credit.open);
    const bothPostedOn = laterOf(debit.item.postedOn, credit.item.postedOn);
    const day = [this.view.from ?? '', from].reduce(laterOf, bothPostedOn);
    const settledOn = this.view.openDays.get(day);
    const pair = { debit: refOf(debit), credit: refOf(credit), amountMinor, debitBaseMinor, creditBaseMinor };
    const transfer = transferOf(debit.item, credit.item, pair);
    const fx =
      this.view.separatedPairs?.has(pairKey(pair)) === true
        ? { code: 'taken-apart' as const }
        : (this.findTransferObstacle(transfer) ?? this.realizedFx(debit, credit, debitBaseMinor - creditBaseMinor));
    if (settledOn === undefined || (fx && 'code' in fx)) {
      const obstacle = fx && 'code' in fx ? fx : { code: 'left-open' as const, closedFrom: day };
      this.explain(payer, notSettled(one.item, other.item, obstacle), [one, other]);
      return false;
    }
    this.settled.push({ ...pair, settledOn, ...(fx && { fx }), ...(transfer && { transfer }) });
    debit.open -= amountMinor;
    debit.openBase -= debitBaseMinor;
    credit.open += amountMinor;
    credit.openBase += creditBaseMinor;
    const { groupId } = payer.item;
    this.changed.push({ working: one, groupId }, { working: other, groupId });
    return true;
  }

  private findTransferObstacle(transfer: PayableTransfer | undefined): Obstacle | undefined {
    const codes = transfer === undefined ? [] : [transfer.fromAccountCode, transfer.toAccountCode];
    const inactive = codes.find((code) => !this.view.activeAccounts.has(code));
    return inactive === undefined ? undefined : { code: 'transfer-refused', accountCodes: codes, inactive };
  }

  private realizedFx(debit: WorkingItem, credit: WorkingItem, baseMinor: bigint): RealizedFx | Obstacle | undefined {
    if (baseMinor === 0n) {
      return undefined;
    }
    const { document, paying } = sidesOf(debit.item, credit.item);
    const { vendorNumber, currency, documentNumber } = document;
    // A transfer moves the base of the document's side: the difference is left on the account of the other one.
    const { accountCode: payableAccountCode } = paying;
    const named = [debit, credit].flatMap(({ item }) => intentOf(item)?.realizedFxAccountCode ?? []);
    const given = [...named, this.view.realizedFxAccountCode ?? []].flat();
    const accountCode = given.find((code) => this.view.activeAccounts.has(code));
    if (accountCode === undefined || !this.view.activeAccounts.has(payableAccountCode)) {
      return {
        code: 'fx-account-missing',
        inactive: accountCode === undefined ? given[0] : payableAccountCode,
      };
    }
    const { groupId } = paying;
    return { accountCode, payableAccountCode, vendorNumber, currency, documentNumber, groupId, baseMinor };
  }

  private explain(working: WorkingItem, warning: PostingWarning, blocked: readonly WorkingItem[]): void {
    this.blocked.push({ entryIds: blocked.map(({ item }) => item.entryId), warning });
    this.explained.add(working);
    this.warn(working.item.groupId, warning);
  }

  private warn(groupId: string, warning: PostingWarning): void {
    const earlier = this.warnings.get(groupId) ?? [];
    if (earlier.every(({ message }) => message !== warning.message)) {
      this.warnings.set(groupId, [...earlier, warning]);
    }
  }
}

function freeOf({ open, reserved }: WorkingItem): bigint {
  return (open < 0n ? -open : open) - reserved;
}

function lesser(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

function refOf({ item: { entryId, lineNo } }: WorkingItem): ItemRef {
  return { entryId, lineNo };
}
