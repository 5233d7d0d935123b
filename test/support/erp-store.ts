// What an ERP in memory shows of its books when it is inspected, and what a person may do to them behind our back.
import type { AccountBalance, InspectedEntry, InspectedGroup, ListedGroup } from '../../src/connector/erp/erp-books.js';
import type { PostedGroup, PostingGroup } from '../../src/connector/erp/erp-ledger.js';
import type { LocalDate } from '../../src/kernel/local-date.js';

export interface StoredErpGroup extends InspectedGroup {
  readonly accountingEntryId: string | undefined;
  readonly installationId: string | undefined;
}

export class ErpStore {
  /** Every revision by key, oldest first. */
  private readonly groups = new Map<string, readonly StoredErpGroup[]>();

  put(group: StoredErpGroup): void {
    this.groups.set(group.key, [...(this.groups.get(group.key) ?? []), group]);
  }

  /**
   * As a person who removes it for good, or an ERP that has lost it.
   * @param from the oldest revision that is lost
   * @returns puts it back
   */
  remove(key: string, from = 1): () => void {
    const groups = this.groups.get(key) ?? [];
    const lost = groups.filter(({ revision }) => revision >= from);
    this.setGroups(
      key,
      groups.filter(({ revision }) => revision < from),
    );
    return () => {
      this.setGroups(key, [...(this.groups.get(key) ?? []), ...lost].toSorted(byRevision));
    };
  }

  private setGroups(key: string, groups: readonly StoredErpGroup[]): void {
    if (groups.length > 0) {
      this.groups.set(key, groups);
    } else {
      this.groups.delete(key);
    }
  }

  /** As a person who rewrites every entry under the key. */
  change(key: string, change: (entry: InspectedEntry) => InspectedEntry): void {
    const groups = this.groups.get(key) ?? [];
    this.groups.set(
      key,
      groups.map((group) => ({ ...group, entries: group.entries.map(change) })),
    );
  }

  /** As an ERP that lost the group and got another one under the key. */
  replace(key: string, change: (group: StoredErpGroup) => StoredErpGroup): void {
    this.groups.set(key, (this.groups.get(key) ?? []).map(change));
  }

  newest(key: string): StoredErpGroup {
    const found = this.groups.get(key)?.at(-1);
    if (found === undefined) {
      throw new Error(`nothing under ${key}`);
    }
    return found;
  }

  inspect(keys: readonly string[]): ReadonlyMap<string, readonly InspectedGroup[]> {
    return new Map(
      keys.flatMap((key) => {
        const found = this.groups.get(key);
        return found === undefined ? [] : [[key, found] as const];
      }),
    );
  }

  /** @param after index of the last key of the page before */
  list(
    days: { readonly from: LocalDate; readonly to: LocalDate },
    after: string | undefined,
    limit: number,
  ): { readonly groups: readonly ListedGroup[]; readonly next: string | undefined } {
    const start = Number(after ?? '0');
    const keys = [...this.groups.keys()];
    const page = keys.slice(start, start + limit).flatMap((key) => this.groups.get(key) ?? []);
    const isDated = ({ postingDate }: InspectedEntry) => days.from <= postingDate && postingDate <= days.to;
    return {
      groups: page.filter(({ entries }) => entries.some(isDated)).map(listed),
      next: start + limit < keys.length ? (start + limit).toString() : undefined,
    };
  }

  /** Of what is posted. */
  balances({ from, to }: { readonly from: LocalDate; readonly to: LocalDate }): readonly AccountBalance[] {
    const entries = [...this.groups.values()].flat().flatMap((group) => group.entries);
    const lines = entries
      .filter(({ state, postingDate }) => state === 'posted' && postingDate <= to)
      .flatMap((entry) => entry.lines.map((line) => ({ ...entry, ...line })));
    const sum = (amounts: readonly bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);
    return [...Map.groupBy(lines, (line) => `${line.accountCode} ${line.currency}`).values()].flatMap((of) => {
      const [first] = of;
      const dated = of.filter(({ postingDate }) => postingDate >= from).map(({ amountMinor }) => amountMinor);
      const before = of.filter(({ postingDate }) => postingDate < from).map(({ amountMinor }) => amountMinor);
      return first === undefined
        ? []
        : {
            accountCode: first.accountCode,
            currency: first.currency,
            openingMinor: sum(before),
            debitMinor: sum(dated.filter((minor) => minor > 0n)),
            creditMinor: -sum(dated.filter((minor) => minor < 0n)),
          };
    });
  }
}

function listed({ key, revision, entries, accountingEntryId, installationId }: StoredErpGroup): ListedGroup {
  const [first] = entries;
  if (first === undefined) {
    throw new Error(`nothing under ${key}`);
  }
  const debits = entries.flatMap(({ lines }) => lines.filter(({ amountMinor }) => amountMinor > 0n));
  return {
    key,
    revision,
    standing: entries.some(({ state }) => state === 'draft' || state === 'posted'),
    accountingEntryId,
    installationId,
    postingDate: first.postingDate,
    currency: first.currency,
    amountMinor: debits.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
  };
}

function byRevision(one: StoredErpGroup, other: StoredErpGroup): number {
  return one.revision - other.revision;
}

/** A posted group as it is shown. */
export function toStoredGroup(
  group: PostingGroup,
  { key, revision, contentDigest, entries }: PostedGroup,
): StoredErpGroup {
  return {
    key,
    revision,
    contentDigest,
    accountingEntryId: key,
    installationId: group.trail.installationId,
    entries: group.entries.map((entry, index) => ({
      id: `${entries[0]?.id ?? key}${index === 0 ? '' : `-${entry.role}${entry.part?.toString() ?? ''}`}`,
      role: entry.role,
      ...(entry.part !== undefined && entry.part > 1 && { part: entry.part }),
      state: entry.state,
      postingDate: entry.postingDate,
      currency: entry.currency,
      lines: entry.lines.map((line) => ({
        accountCode: line.account.code,
        amountMinor: line.amountMinor,
        taxCode: line.taxCode?.code,
        ...(line.tax && { tax: line.tax }),
        vendorCode: line.vendor?.code,
        dimensions: Object.fromEntries(line.dimensions.map(({ dimension, value }) => [dimension, value])),
      })),
    })),
  };
}
