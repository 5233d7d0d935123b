// Long lists that were made a moment ago, so that a person who types does not have them made for each key.
import type { Clock } from '../../kernel/clock.js';

interface Kept<Row> {
  readonly list: Promise<readonly Row[] | undefined>;
  readonly until: number;
  /** Undefined while it is being made. */
  rows: number | undefined;
}

const KEPT_MS = 60_000;
/** Of all lists together: about 100 MB. */
const MAX_ROWS = 300_000;
const MAX_LISTS = 1_000;

/** Bounded, of one process; those used last stay. */
export class RecentLists<Row> {
  private readonly lists = new Map<string, Kept<Row>>();

  constructor(private readonly clock: Clock) {}

  /**
   * Makes the list once for all who want it at the same time; one that fails is not kept.
   * @param key has everything in it that the list depends on
   * @param make undefined: there is no such list
   */
  async get(key: string, make: () => Promise<readonly Row[] | undefined>): Promise<readonly Row[] | undefined> {
    const now = this.clock.now().getTime();
    const known = this.lists.get(key);
    this.lists.delete(key);
    const kept =
      known !== undefined && known.until > now ? known : { list: make(), until: now + KEPT_MS, rows: undefined };
    this.lists.set(key, kept);
    try {
      const list = await kept.list;
      kept.rows = list?.length ?? 0;
      return list;
    } catch (error) {
      if (this.lists.get(key) === kept) this.lists.delete(key);
      throw error;
    } finally {
      this.dropOldest(key);
    }
  }

  private dropOldest(except: string): void {
    let rows = [...this.lists.values()].reduce((sum, kept) => sum + (kept.rows ?? 0), 0);
    for (const [key, kept] of this.lists) {
      if (rows <= MAX_ROWS && this.lists.size <= MAX_LISTS) return;
      if (key !== except) {
        rows -= kept.rows ?? 0;
        this.lists.delete(key);
      }
    }
  }
}
