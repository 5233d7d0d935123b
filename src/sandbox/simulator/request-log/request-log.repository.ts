import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

export interface LoggedRequest {
  readonly requestedAt: Date;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly companyId: string | null;
  readonly clientId: string | null;
  readonly failureSwitchId: number | null;
}

const MAX_ENTRIES = 10_000;

@Injectable()
export class RequestLogRepository {
  /** Adds requests in order and forgets the oldest beyond a bound. */
  add(tx: Tx, requests: readonly LoggedRequest[]): void {
    const column = <Key extends keyof LoggedRequest>(key: Key) => requests.map((request) => request[key]);
    tx.defer(sql`
      INSERT INTO request_log (requested_at, method, path, status, company_id, client_id, failure_switch_id)
      SELECT * FROM unnest(${column('requestedAt')}::timestamptz[], ${column('method')}::text[],
                           ${column('path')}::text[], ${column('status')}::integer[],
                           ${column('companyId')}::uuid[], ${column('clientId')}::text[],
                           ${column('failureSwitchId')}::bigint[])`);
    tx.defer(sql`DELETE FROM request_log WHERE id <= (SELECT max(id) FROM request_log) - ${MAX_ENTRIES}`);
  }

  /**
   * Oldest first.
   * @param after id of the last request seen
   */
  async read(tx: Tx, after: number, limit: number): Promise<readonly (LoggedRequest & { readonly id: number })[]> {
    return tx.rows(sql`
      SELECT id::float8 AS id, requested_at AS "requestedAt", method, path, status, company_id AS "companyId",
             client_id AS "clientId", failure_switch_id::float8 AS "failureSwitchId"
      FROM request_log WHERE id > ${after} ORDER BY id LIMIT ${limit}`);
  }
}
