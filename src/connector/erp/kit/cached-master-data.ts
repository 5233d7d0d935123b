// Master data of ERPs that was read recently, so that a small job right after another reads none. Bounded by rows over all
// connections of a process; the least recently used is dropped first.
import type { ErpCompanyId } from '../../../kernel/ids.js';
import { countedRows } from '../../../kernel/memory.js';
import type { ErpMasterData } from '../erp-ledger.js';

/** Of some hundred bytes each: longer ones count as several. */
const MAX_ROWS = 100_000;

export interface CachedLists {
  readonly masterData: ErpMasterData;
  /** When they were requested; UTC. */
  readonly readAt: Date;
}

/** The lists of the companies of one connection, in one version of it. */
export interface ConnectionCache {
  find(company: ErpCompanyId): CachedLists | undefined;
  store(company: ErpCompanyId, lists: CachedLists): void;
  drop(company: ErpCompanyId): void;
}

export class CachedMasterData {
  /** In the order of their last use. */
  private readonly byKey = new Map<string, CachedLists & { readonly rows: number }>();
  private rows = 0;

  constructor(private readonly maxRows = MAX_ROWS) {}

  /** @param connection changes with the settings, which decide what the ERP shows */
  of(connection: string): ConnectionCache {
    const keyOf = (company: ErpCompanyId) => `${connection}/${company}`;
    return {
      find: (company) => {
        const key = keyOf(company);
        const found = this.byKey.get(key);
        if (found !== undefined) {
          this.byKey.delete(key);
          this.byKey.set(key, found);
        }
        return found;
      },
      store: (company, lists) => {
        this.drop(keyOf(company));
        this.add(keyOf(company), { ...lists, rows: rowsOf(lists.masterData) });
      },
      drop: (company) => {
        this.drop(keyOf(company));
      },
    };
  }

  private add(key: string, lists: CachedLists & { readonly rows: number }): void {
    if (lists.rows > this.maxRows) {
      return;
    }
    this.byKey.set(key, lists);
    this.rows += lists.rows;
    for (const oldest of this.byKey.keys()) {
      if (this.rows <= this.maxRows) {
        return;
      }
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.rows -= this.byKey.get(key)?.rows ?? 0;
    this.byKey.delete(key);
  }
}

function rowsOf({ accounts, taxCodes, dimensions, vendors, periods }: ErpMasterData): number {
  const values = dimensions.map((dimension) => dimension.values);
  return [accounts, taxCodes, dimensions.map(({ code }) => code), ...values, vendors, periods].reduce(
    (sum, rows) => sum + countedRows(rows),
    1,
  );
}
