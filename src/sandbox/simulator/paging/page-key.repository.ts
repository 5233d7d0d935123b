import { Injectable } from '@nestjs/common';
import { sql, type SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { beyond, orderBy, positionOfElement, type ListOrder, type PositionValues } from './keyset.js';

/** An element of a list: its id, and the values that determine its position in the list. */
export interface PageKey {
  readonly id: string;
  readonly place: PositionValues;
}

/** The start of a page. */
export interface PagePosition {
  /** Unset: at the end of the list from which it is read. */
  readonly place: PositionValues | undefined;
  /** Towards the end of the list, or towards its beginning. */
  readonly forward: boolean;
}

/** Reads the keys of lists. A list is given as `FROM … WHERE …`, with the columns `id` and `position`. */
@Injectable()
export class PageKeyRepository {
  async count(tx: Tx, list: SqlStatement): Promise<number> {
    const { total } = await tx.one<{ total: number }>(sql`SELECT count(*)::integer AS total ${list}`);
    return total;
  }

  /** Keys from a position on, in the direction of reading. */
  async readFrom(
    tx: Tx,
    list: SqlStatement,
    order: ListOrder,
    { place, forward }: PagePosition,
    range: { readonly offset: number; readonly limit: number },
  ): Promise<readonly PageKey[]> {
    const isInRange = place === undefined ? sql`true` : beyond(order, place, { forward, inclusive: false });
    return tx.rows<PageKey>(sql`
      SELECT id, ${positionOfElement(order)} AS place ${list} AND ${isInRange}
      ORDER BY ${orderBy(order, forward)} OFFSET ${range.offset} LIMIT ${range.limit}`);
  }

  /** Whether an element is at a position or on its other side. */
  async anyBehind(
    tx: Tx,
    list: SqlStatement,
    order: ListOrder,
    { place, forward }: { readonly place: PositionValues; readonly forward: boolean },
  ): Promise<boolean> {
    const behind = beyond(order, place, { forward: !forward, inclusive: true });
    const found = await tx.rows<{ id: string }>(sql`
      SELECT id ${list} AND ${behind} ORDER BY ${orderBy(order, !forward)} LIMIT 1`);
    return found.length > 0;
  }
}
