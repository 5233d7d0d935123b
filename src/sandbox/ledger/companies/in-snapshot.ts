import type { Database } from '../../../foundation/database/database.js';
import { sql } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';

/**
 * Reads one snapshot of the books: later postings are in none of the statements, so that their figures agree.
 * @param work short, because it holds a connection; it cannot write
 */
export async function inSnapshot<T>(database: Database, label: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return database.inTransaction(label, async (tx) => {
    await tx.execute(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY`);
    return work(tx);
  });
}
