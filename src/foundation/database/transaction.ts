import { AsyncLocalStorage } from 'node:async_hooks';
import { Bug } from '../../kernel/faults.js';
import type { SqlStatement } from './sql.js';

declare const openTransaction: unique symbol;

/**
 * A handle on one open transaction. Every repository takes it as its first argument, so a write outside a
 * transaction is a type error (ADR 0001).
 */
export interface Tx {
  readonly [openTransaction]: true;
  /** Runs a statement and returns its rows. `Row` names the columns as the statement selects them. */
  rows<Row>(statement: SqlStatement): Promise<readonly Row[]>;
  /** Runs a statement that returns at most one row. Throws `Bug` on two or more. */
  maybeOne<Row>(statement: SqlStatement): Promise<Row | undefined>;
  /** Runs a statement that must return exactly one row. Throws `Bug` otherwise. */
  one<Row>(statement: SqlStatement): Promise<Row>;
  /** Runs a statement and returns how many rows it touched. */
  execute(statement: SqlStatement): Promise<number>;
  /**
   * Runs a statement whose result is not needed: it is sent together with the next one, or with COMMIT, which fails if this one
   * does.
   */
  defer(statement: SqlStatement): void;
  /**
   * Runs a statement together with COMMIT and returns its rows: no later error can undo it.
   * @throws Bug for a statement after it
   */
  last<Row>(statement: SqlStatement): Promise<readonly Row[]>;
}

const scope = new AsyncLocalStorage<{ readonly label: string }>();

/** Runs `work` marked as inside a transaction, which arms the tripwires below. */
export function insideTransactionScope<T>(label: string, work: () => Promise<T>): Promise<T> {
  return scope.run({ label }, work);
}

/**
 * The tripwire of "no network inside a transaction, and no second connection inside one".
 * @throws Bug when called from code that runs inside an open transaction.
 */
export function assertOutsideTransaction(what: string): void {
  const open = scope.getStore();
  if (open) {
    throw new Bug(`${what} inside the open transaction "${open.label}": finish the transaction first`);
  }
}

/** What a call has left in the database so far. */
export interface Commits {
  /** Whether a transaction was committed that may have written. */
  areThere: boolean;
}

const commits = new AsyncLocalStorage<Commits>();

/** Runs `work` and notes in `noted` what it commits, also where it fails then. */
export function notingCommits<T>(noted: Commits, work: () => Promise<T>): Promise<T> {
  return commits.run(noted, work);
}

/** Only `Database` calls this. */
export function noteCommit(): void {
  const noted = commits.getStore();
  if (noted) {
    noted.areThere = true;
  }
}

/** The result of a statement. */
export interface Answer {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
  /** The command tag of the server, as `INSERT`. */
  readonly command: string;
}

/** Wraps an open transaction. Only `Database` calls this. */
export function openTx(transaction: {
  ask(statement: SqlStatement): Promise<Answer>;
  askLast(statement: SqlStatement): Promise<Answer>;
  defer(statement: SqlStatement): void;
}): Tx {
  const rows = async <Row>(statement: SqlStatement): Promise<readonly Row[]> =>
    (await transaction.ask(statement)).rows as readonly Row[];
  const handle = {
    rows,
    async maybeOne<Row>(statement: SqlStatement): Promise<Row | undefined> {
      const found = await rows<Row>(statement);
      if (found.length > 1) {
        throw new Bug(`expected at most one row, got ${found.length.toString()}: ${statement.text}`);
      }
      return found[0];
    },
    async one<Row>(statement: SqlStatement): Promise<Row> {
      const found = await rows<Row>(statement);
      const [row] = found;
      if (row === undefined || found.length > 1) {
        throw new Bug(`expected one row, got ${found.length.toString()}: ${statement.text}`);
      }
      return row;
    },
    async execute(statement: SqlStatement): Promise<number> {
      return (await transaction.ask(statement)).rowCount ?? 0;
    },
    defer(statement: SqlStatement): void {
      transaction.defer(statement);
    },
    async last<Row>(statement: SqlStatement): Promise<readonly Row[]> {
      return (await transaction.askLast(statement)).rows as readonly Row[];
    },
  };
  return handle as unknown as Tx;
}
