// The lists of ERPs as they were read lately: a small job right after another needs no others. Bounded by rows over all
// connections of a process; those that were not used for longest go first.
import type { ErpCompanyId } from '../../../kernel/ids.js';
import type { ErpMasterData } from '../erp-ledger.js';

/** Of some hundred bytes each. */
const MAX_ROWS = 100_000;

export interface KeptLists {
  readonly masterData: ErpMasterData;
  /** When they were requested; UTC. */
  readonly readAt: Date;
}

/** The lists of the companies of one connection, in one version of it. */
export interface KeptOfConnection {
  find(company: ErpCompanyId): KeptLists | undefined;
  keep(company: ErpCompanyId, lists: KeptLists): void;
  drop(company: ErpCompanyId): void;
}

export class KeptMasterData {
  /** Those used last are last. */
  private readonly byKey = new Map<string, KeptLists & { readonly rows: number }>();
  private rows = 0;

  constructor(private readonly maxRows = MAX_ROWS) {}

  /** @param connection another one for other settings: what they show may be something else */
  of(connection: string): KeptOfConnection {
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
      keep: (company, lists) => {
        this.drop(keyOf(company));
        this.add(keyOf(company), { ...lists, rows: rowsOf(lists.masterData) });
      },
      drop: (company) => {
        this.drop(keyOf(company));
      },
    };
  }

  private add(key: string, lists: KeptLists & { readonly rows: number }): void {
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
  const values = dimensions.reduce((sum, dimension) => sum + dimension.values.length, dimensions.length);
  return 1 + accounts.length + taxCodes.length + values + vendors.length + periods.length;
}
