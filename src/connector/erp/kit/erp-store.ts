// What an adapter remembers for one connection: many ERPs keep no trail of ours.
import type { JsonValue } from '../../../kernel/json.js';

export interface StoredValue {
  readonly value: JsonValue;
  /** From 1; grows with every change of the key. */
  readonly version: number;
}

export interface StoreChange {
  /** At most 200 characters. */
  readonly key: string;
  /** Undefined removes the key. */
  readonly value: JsonValue | undefined;
  /** The version that is replaced; 0 when the key must not exist. */
  readonly expectedVersion: number;
}

/** Keys and JSON values of one connection, kept in the connector's database, sealed with the key of the installation. */
export abstract class ErpStore {
  abstract read(keys: readonly string[]): Promise<ReadonlyMap<string, StoredValue>>;

  /**
   * In the order of the keys (by code point).
   * @param after the last key of the page before
   * @param limit at most 1,000
   */
  abstract list(
    prefix: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly (StoredValue & { readonly key: string })[]>;

  /**
   * All changes in one transaction, or none.
   * @param changes at most 1,000, each key once
   * @returns false when one key had another version; nothing is changed then
   */
  abstract commit(changes: readonly StoreChange[]): Promise<boolean>;
}
