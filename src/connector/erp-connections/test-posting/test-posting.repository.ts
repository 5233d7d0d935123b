import { Injectable } from '@nestjs/common';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import { toErpCompanyId, toInstallationId, type ErpCompanyId, type InstallationId } from '../../../kernel/ids.js';

/** `sent`: not finished · `draft`: a draft that stays · `left`: it stands and a person has to take it back. */
export type TestPostingState = 'sent' | 'taken-back' | 'draft' | 'refused' | 'left';

export interface TestPosting {
  /** Its key and reference in the ERP. */
  readonly id: string;
  readonly erpCompanyId: ErpCompanyId;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly mode: 'reversed' | 'draft';
  readonly state: TestPostingState;
  /** As the ERP numbers and shows it. */
  readonly documentNumber: string | null;
  readonly documentUrl: string | null;
  /** What the ERP said. */
  readonly message: string | null;
  readonly requestedBy: string;
  readonly sentAt: Date;
  /** By the database's clock. */
  readonly sinceSentMs: number;
}

export type NewTestPosting = Pick<
  TestPosting,
  'id' | 'erpCompanyId' | 'debitAccount' | 'creditAccount' | 'mode' | 'requestedBy'
>;
export type TestPostingOutcome = Pick<TestPosting, 'state' | 'documentNumber' | 'documentUrl' | 'message'>;

/** Long enough for the request that posts to end by itself. */
const FIRST_TRY_SECONDS = 120;
const NEXT_TRY_SECONDS = 60;

const COLUMNS = sql`id, erp_company_id AS "erpCompanyId", debit_account AS "debitAccount", credit_account AS "creditAccount", mode,
  state, document_number AS "documentNumber", document_url AS "documentUrl", message, requested_by AS "requestedBy",
  sent_at AS "sentAt", (extract(epoch FROM clock_timestamp() - sent_at) * 1000)::float8 AS "sinceSentMs"`;

type Row = Omit<TestPosting, 'erpCompanyId'> & { readonly erpCompanyId: string };
const toPosting = (row: Row): TestPosting => ({ ...row, erpCompanyId: toErpCompanyId(row.erpCompanyId) });

@Injectable()
export class TestPostingRepository {
  /** Before the ERP is called. @returns false when there is one of this id */
  async add(tx: Tx, installationId: InstallationId, posting: NewTestPosting): Promise<boolean> {
    const { id, erpCompanyId, debitAccount, creditAccount, mode, requestedBy } = posting;
    const added = await tx.execute(sql`
      INSERT INTO test_posting (installation_id, id, erp_company_id, debit_account, credit_account, mode, state, requested_by,
        next_try_at)
      VALUES (${installationId}, ${id}, ${erpCompanyId}, ${debitAccount}, ${creditAccount}, ${mode}, 'sent', ${requestedBy},
        now() + make_interval(secs => ${FIRST_TRY_SECONDS}))
      ON CONFLICT DO NOTHING`);
    return added === 1;
  }

  /** What is final stays as it is. */
  async record(tx: Tx, installationId: InstallationId, id: string, outcome: TestPostingOutcome): Promise<void> {
    const { state, documentNumber, documentUrl, message } = outcome;
    await tx.execute(sql`
      UPDATE test_posting SET state = ${state}, document_number = coalesce(${documentNumber}, document_number),
        document_url = coalesce(${documentUrl}, document_url), message = ${message},
        next_try_at = CASE ${state}::text WHEN 'sent' THEN now() + make_interval(secs => ${NEXT_TRY_SECONDS}) END
      WHERE installation_id = ${installationId} AND id = ${id} AND state = 'sent'`);
  }

  async find(tx: Tx, installationId: InstallationId, id: string): Promise<TestPosting | undefined> {
    const row = await tx.maybeOne<Row>(sql`
      SELECT ${COLUMNS} FROM test_posting WHERE installation_id = ${installationId} AND id = ${id}`);
    return row && toPosting(row);
  }

  async findNewest(tx: Tx, installationId: InstallationId): Promise<TestPosting | undefined> {
    const row = await tx.maybeOne<Row>(sql`
      SELECT ${COLUMNS} FROM test_posting WHERE installation_id = ${installationId} ORDER BY sent_at DESC, id LIMIT 1`);
    return row && toPosting(row);
  }

  /** Not finished, and no longer in the hands of the request that posts: at most 100, oldest first. */
  async listUnfinished(tx: Tx, installationId: InstallationId): Promise<readonly TestPosting[]> {
    const rows = await tx.rows<Row>(sql`
      SELECT ${COLUMNS} FROM test_posting WHERE installation_id = ${installationId} AND state = 'sent'
        AND sent_at <= now() - make_interval(secs => ${FIRST_TRY_SECONDS}) ORDER BY sent_at LIMIT 100`);
    return rows.map(toPosting);
  }

  /** @param tx across installations */
  async claimDue(tx: Tx, limit: number): Promise<readonly InstallationId[]> {
    const rows = await tx.rows<{ readonly id: string }>(sql`
      UPDATE test_posting SET next_try_at = now() + make_interval(secs => ${NEXT_TRY_SECONDS})
      WHERE (installation_id, id) IN (SELECT installation_id, id FROM test_posting WHERE next_try_at <= now()
        ORDER BY next_try_at LIMIT ${limit} FOR UPDATE SKIP LOCKED)
      RETURNING installation_id AS id`);
    return [...new Set(rows.map(({ id }) => id))].map(toInstallationId);
  }
}
