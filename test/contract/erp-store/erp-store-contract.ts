// What every store of adapters does, as a table over a factory of empty stores.
import { describe, expect, it } from '@jest/globals';
import type { ErpStore, StoreChange } from '../../../src/connector/erp/kit/erp-store.js';
import type { JsonValue } from '../../../src/kernel/json.js';

/** @param open makes an empty store */
export function erpStoreContract(name: string, open: () => Promise<ErpStore>): void {
  const put = (key: string, value: JsonValue, expectedVersion = 0): StoreChange => ({ key, value, expectedVersion });
  const remove = (key: string, expectedVersion: number): StoreChange => ({ key, value: undefined, expectedVersion });
  const contents = async (store: ErpStore) =>
    (await store.list('', undefined, 1_000)).map(({ key, value, version }) => [key, value, version]);
  const filled = async (...keys: string[]) => {
    const store = await open();
    expect(await store.commit(keys.map((key) => put(key, key)))).toBe(true);
    return store;
  };

  describe(name, () => {
    it.each<[what: string, value: JsonValue]>([
      ['null', null],
      ['a number', -1.5],
      ['an empty text', ''],
      ['letters of all planes', 'é 漢 😀 \n " \\ '],
      ['nested values', { b: [1, { c: null }], a: true }],
      ['a long text', 'x'.repeat(100_000)],
    ])('returns %s', async (_, value) => {
      const store = await open();
      await store.commit([put('k', value)]);
      expect(await store.read(['k', 'absent'])).toEqual(new Map([['k', { value, version: 1 }]]));
    });

    it.each<[what: string, changes: readonly StoreChange[], committed: boolean]>([
      ['a new key that must not exist', [put('new', 1)], true],
      ['a known key that must not exist', [put('a', 1)], false],
      ['a key in the version that was read', [put('a', 1, 1)], true],
      ['a key in another version', [put('a', 1, 2)], false],
      ['a key that is absent', [put('new', 1, 1)], false],
      ['a removal in the version that was read', [remove('a', 1)], true],
      ['a removal in another version', [remove('a', 2)], false],
      ['several changes', [put('a', 1, 1), remove('b', 1), put('new', 1)], true],
      ['several changes, the last one outdated', [put('new', 1), remove('b', 1), put('a', 1, 7)], false],
      ['nothing', [], true],
    ])('commits as a whole or not at all: %s', async (_, changes, committed) => {
      const store = await filled('a', 'b');
      const before = await contents(store);
      expect(await store.commit(changes)).toBe(committed);
      const after = await contents(store);
      if (!committed) expect(after).toEqual(before);
      for (const { key, value } of committed ? changes : []) {
        expect((await store.read([key])).get(key)?.value).toEqual(value);
      }
    });

    it('counts the versions of a key', async () => {
      const store = await open();
      for (const version of [0, 1, 2]) expect(await store.commit([put('k', version, version)])).toBe(true);
      expect(await contents(store)).toEqual([['k', 2, 3]]);
    });

    it('accepts one of two concurrent commits that replace the same version', async () => {
      const store = await filled('k');
      const results = await Promise.all(
        [1, 2, 3].map((value) => store.commit([put('k', value, 1), put(`own ${value.toString()}`, 1)])),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      const winner = results.indexOf(true) + 1;
      expect(await contents(store)).toEqual([
        ['k', winner, 2],
        [`own ${winner.toString()}`, 1, 1],
      ]);
    });

    it.each<[prefix: string, after: string | undefined, limit: number, found: readonly string[]]>([
      ['a/', undefined, 10, ['a/1', 'a/10', 'a/2', 'a/B', 'a/b', 'a/é', 'a/😀']],
      ['a/', undefined, 2, ['a/1', 'a/10']],
      ['a/', 'a/10', 2, ['a/2', 'a/B']],
      ['a/', 'a/11', 1, ['a/2']],
      ['a/', 'a/😀', 10, []],
      ['', 'a/é', 10, ['a/😀', 'b/1', 'b%_']],
      ['b%', undefined, 10, ['b%_']],
      ['none', undefined, 10, []],
    ])('lists the keys under “%s” after %s, at most %d, by code point', async (prefix, after, limit, found) => {
      const store = await filled('b/1', 'a/é', 'a/b', 'a/2', 'a/B', 'a/10', 'a/1', 'a/😀', 'b%_');
      const expected =
        prefix === ''
          ? [...found].toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))
          : found;
      expect((await store.list(prefix, after, limit)).map(({ key }) => key)).toEqual(expected);
    });

    it('accepts a thousand changes at once, and lists as many', async () => {
      const store = await open();
      const changes = Array.from({ length: 1_000 }, (_, index) => put(`k${index.toString().padStart(4, '0')}`, index));
      expect(await store.commit(changes)).toBe(true);
      expect((await store.list('k', undefined, 1_000)).map(({ value }) => value)).toEqual(
        changes.map(({ value }) => value),
      );
      expect((await store.read(changes.map(({ key }) => key))).size).toBe(1_000);
    });

    it('accepts keys of 200 characters', async () => {
      const store = await filled('é'.repeat(200));
      expect(await contents(store)).toHaveLength(1);
    });
  });
}
