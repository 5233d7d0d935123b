// The store of an adapter, in memory.
import { isDeepStrictEqual } from 'node:util';
import { ErpStore, type StoreChange, type StoredValue } from '../connector/erp/kit/erp-store.js';
import type { JsonValue } from '../kernel/json.js';

export class MemoryErpStore extends ErpStore {
  private readonly values = new Map<string, StoredValue>();

  read(keys: readonly string[]): Promise<ReadonlyMap<string, StoredValue>> {
    const found = keys.flatMap((key) => {
      const stored = this.values.get(key);
      return stored === undefined ? [] : [[key, stored] as const];
    });
    return Promise.resolve(new Map(found));
  }

  list(
    prefix: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly (StoredValue & { readonly key: string })[]> {
    if (limit > 1_000) throw new RangeError('at most 1,000 keys');
    const found = [...this.values]
      .filter(([key]) => key.startsWith(prefix) && (after === undefined || byCodePoint(key, after) > 0))
      .toSorted(([one], [other]) => byCodePoint(one, other))
      .slice(0, limit);
    return Promise.resolve(found.map(([key, stored]) => ({ key, ...stored })));
  }

  commit(changes: readonly StoreChange[]): Promise<boolean> {
    if (changes.length > 1_000) throw new RangeError('at most 1,000 changes');
    if (new Set(changes.map(({ key }) => key)).size < changes.length) throw new RangeError('each key once');
    const isOutdated = changes.some(({ key, expectedVersion }) => this.versionOf(key) !== expectedVersion);
    if (isOutdated) return Promise.resolve(false);
    for (const { key, value } of changes) {
      if (key.length > 200) throw new RangeError(`a key has at most 200 characters: ${key}`);
      if (value === undefined) {
        this.values.delete(key);
      } else {
        const copy = JSON.parse(JSON.stringify(value)) as JsonValue;
        if (!isDeepStrictEqual(copy, value)) throw new RangeError(`no JSON under ${key}`);
        this.values.set(key, { value: copy, version: this.versionOf(key) + 1 });
      }
    }
    return Promise.resolve(true);
  }

  private versionOf(key: string): number {
    return this.values.get(key)?.version ?? 0;
  }
}

function byCodePoint(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}
