// Long lists that were computed recently, so that typing in a search field does not compute them for each key.
import type { Clock } from '../../kernel/clock.js';
import { countedRows } from '../../kernel/memory.js';

interface CachedList<Row> {
  readonly list: Promise<readonly Row[] | undefined>;
  readonly until: number;
  /** Undefined while it is being made. */
  rows: number | undefined;
}

const MAX_AGE_MS = 60_000;
/** Of all lists together, long ones counted as several: about 100 MB. */
const MAX_ROWS = 300_000;
const MAX_LISTS = 1_000;

/** A bounded cache of this process; the least recently used list is dropped first. */
export class RecentLists<Row> {
  private readonly lists = new Map<string, CachedList<Row>>();

  constructor(private readonly clock: Clock) {}

  /**
   * Computes the list once for concurrent callers; a failure is not cached.
   * @param key contains everything that the list depends on
   * @param make undefined: there is no such list
   */
  async get(key: string, make: () => Promise<readonly Row[] | undefined>): Promise<readonly Row[] | undefined> {
    const now = this.clock.now().getTime();
    const known = this.lists.get(key);
    this.lists.delete(key);
    const cached =
      known !== undefined && known.until > now ? known : { list: make(), until: now + MAX_AGE_MS, rows: undefined };
    this.lists.set(key, cached);
    try {
      const list = await cached.list;
      cached.rows ??= countedRows(list ?? []);
      return list;
    } catch (error) {
      if (this.lists.get(key) === cached) this.lists.delete(key);
      throw error;
    } finally {
      this.dropOldest(key);
    }
  }

  private dropOldest(except: string): void {
    let rows = [...this.lists.values()].reduce((sum, cached) => sum + (cached.rows ?? 0), 0);
    for (const [key, cached] of this.lists) {
      if (rows <= MAX_ROWS && this.lists.size <= MAX_LISTS) return;
      if (key !== except) {
        rows -= cached.rows ?? 0;
        this.lists.delete(key);
      }
    }
  }
}
