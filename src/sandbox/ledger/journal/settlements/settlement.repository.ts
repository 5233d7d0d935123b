import { Injectable } from '@nestjs/common';
import { sql } from '../../../../foundation/database/sql.js';
import type { Tx } from '../../../../foundation/database/transaction.js';
import type { SettledPair, UndoneSettlement } from '../domain/settlements/open-item.js';

/** A settlement as it is written, with the entries that book its difference in base and move it between two accounts. */
export interface NewSettlement extends SettledPair {
  readonly id: string;
  readonly fxEntryId: string | null;
  readonly transferEntryId: string | null;
  readonly undoesId: string | null;
}

/** Settlements are never updated; triggers of the schema maintain the open amounts. */
@Injectable()
export class SettlementRepository {
  async insert(tx: Tx, companyId: string, settlements: readonly NewSettlement[]): Promise<void> {
    if (settlements.length === 0) {
      return;
    }
    await tx.execute(sql`
      INSERT INTO settlement (company_id, id, debit_entry_id, debit_line_no, credit_entry_id, credit_line_no, amount_minor,
        debit_base_minor, credit_base_minor, settled_on, fx_entry_id, transfer_entry_id, undoes_id)
      SELECT ${companyId}::uuid, new.* FROM unnest(
        ${settlements.map((s) => s.id)}::uuid[],
        ${settlements.map((s) => s.debit.entryId)}::uuid[], ${settlements.map((s) => s.debit.lineNo)}::int[],
        ${settlements.map((s) => s.credit.entryId)}::uuid[], ${settlements.map((s) => s.credit.lineNo)}::int[],
        ${settlements.map((s) => s.amountMinor)}::bigint[], ${settlements.map((s) => s.debitBaseMinor)}::bigint[],
        ${settlements.map((s) => s.creditBaseMinor)}::bigint[], ${settlements.map((s) => s.settledOn)}::date[],
        ${settlements.map((s) => s.fxEntryId)}::uuid[], ${settlements.map((s) => s.transferEntryId)}::uuid[],
        ${settlements.map((s) => s.undoesId)}::uuid[]) AS new`);
  }
}

/** @returns the row that undoes a settlement */
export function undoing(
  { settlement, undoneOn }: UndoneSettlement,
  undo: Pick<NewSettlement, 'id' | 'fxEntryId' | 'transferEntryId'>,
): NewSettlement {
  return {
    ...undo,
    debit: settlement.debit,
    credit: settlement.credit,
    amountMinor: -settlement.amountMinor,
    debitBaseMinor: -settlement.debitBaseMinor,
    creditBaseMinor: -settlement.creditBaseMinor,
    settledOn: undoneOn,
    undoesId: settlement.id,
  };
}
