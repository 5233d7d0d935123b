import pg from 'pg';
import { DataSource } from 'typeorm';
import { OneTransaction, type TransactionKind } from './one-transaction.js';
import { queryTimeouts, TimeoutAwareClient } from './timeout-aware-client.js';
import { assertOutsideTransaction, insideTransactionScope, noteCommit, openTx, type Tx } from './transaction.js';
import { sql, type SqlStatement } from './sql.js';
import { WriteRefusals } from './write-refusals.js';

export interface DatabaseOptions {
  /** Connection address, `postgres://user:password@host:port/database`. */
  readonly url: string;
  /** Schema that unqualified names mean. */
  readonly schema: string;
  /** Role that every statement runs as; it owns nothing (C7). Unset: the user of the address. */
  readonly role?: string;
  /** The address is of a pooler that lends its connections by transaction, so nothing of a session may be relied on. */
  readonly isPooled?: boolean;
  readonly applicationName: string;
  /** Most connections this process opens. */
  readonly poolSize: number;
  /** Milliseconds after which an unanswered query gives up its connection. */
  readonly readTimeoutMs?: number;
}

/** How busy the pool of one process is. */
export interface PoolUse {
  readonly open: number;
  readonly used: number;
  /** Callers that no connection is free for. */
  readonly waiting: number;
}

type Settings = TransactionKind['settings'];

const { INT8, DATE } = pg.types.builtins;
type TypeId = Parameters<typeof pg.types.getTypeParser>[0];

/** int8 as bigint, because money in minor units is int8; date as `YYYY-MM-DD`, because a day has no time zone. */
function typeParser(oid: TypeId, format: 'text' | 'binary' = 'text'): unknown {
  if (oid === INT8) {
    return (text: string) => BigInt(text);
  }
  if (oid === DATE) {
    return (text: string) => text;
  }
  return pg.types.getTypeParser(oid, format);
}

/** What every statement may rely on, by the names of PostgreSQL. */
function settingsOf(options: DatabaseOptions): Settings {
  return {
    search_path: options.schema,
    TimeZone: 'UTC',
    statement_timeout: '10s',
    lock_timeout: '3s',
    idle_in_transaction_session_timeout: '15s',
    // An acknowledged webhook must survive a crash of the database (invariant I6).
    synchronous_commit: 'on',
    // Where `enable_seqscan` is off, the plan that reads a whole table has such a cost that PostgreSQL compiles it: half a second of
    // processor time each (docs/adr/0011).
    jit: 'off',
    ...(options.role === undefined ? {} : { role: options.role }),
  };
}

/** For a connection of one's own, as it starts. */
function sessionOptions(options: DatabaseOptions): string {
  return Object.entries(settingsOf(options))
    .map(([name, value]) => `-c ${name}=${value}`)
    .join(' ');
}

/** One program's door to PostgreSQL: a healing pool and explicit transactions, nothing else. */
export class Database {
  private readonly refusals = new WriteRefusals();

  private constructor(
    private readonly dataSource: DataSource,
    /** For a connection that is lent: they end with the transaction, so the next borrower finds nothing of them. */
    private readonly localSettings: Settings,
    private readonly isPooled: boolean,
  ) {}

  /**
   * Connects.
   * @throws the driver's error when the database cannot be reached or refuses the user, or without a pooler the role; behind one
   *   the first transaction does.
   */
  static async connect(options: DatabaseOptions): Promise<Database> {
    const dataSource = new DataSource({
      type: 'postgres',
      url: options.url,
      applicationName: options.applicationName,
      poolSize: options.poolSize,
      connectTimeoutMS: 3_000,
      installExtensions: false,
      logging: false,
      extra: {
        Client: TimeoutAwareClient,
        ...(options.isPooled === true ? {} : { options: sessionOptions(options) }),
        ...queryTimeouts(options.readTimeoutMs ?? 12_000),
        maxLifetimeSeconds: 600,
        // A new connection plans every statement again, which costs as much as several exports.
        idleTimeoutMillis: 300_000,
        types: { getTypeParser: typeParser },
      },
    });
    await dataSource.initialize();
    const isPooled = options.isPooled === true;
    return new Database(dataSource, isPooled ? settingsOf(options) : {}, isPooled);
  }

  /**
   * Runs `work` in one transaction: committed when it returns, rolled back when it throws.
   * A failure of the COMMIT itself means *unknown*, see `classifyDatabaseError`.
   * @param label names it in errors
   * @param settings of PostgreSQL, for this transaction only
   * @throws Bug when a transaction is already open on this call path.
   */
  async inTransaction<T>(label: string, work: (tx: Tx) => T | Promise<T>, settings: Settings = {}): Promise<T> {
    return this.inOwnTransaction(label, work, { settings });
  }

  /**
   * As `inTransaction`, of statements that are planned once for a connection: their plans must suit all values.
   * @param conditions statements that must succeed for it to go on; they are asked together with its first
   */
  async planningOnce<T>(
    label: string,
    work: (tx: Tx) => T | Promise<T>,
    settings: Settings,
    ...conditions: SqlStatement[]
  ): Promise<T> {
    return this.inOwnTransaction(label, work, { settings, conditions, plansOnce: true });
  }

  /**
   * Runs the one statement of `read` in a transaction that only reads, in one round trip.
   * @throws Bug for a second statement, and when a transaction is already open on this call path
   */
  async readOnce<T>(label: string, read: (tx: Tx) => Promise<T>, settings: Settings = {}): Promise<T> {
    return this.inOwnTransaction(label, read, { settings, isReadOnly: true, isOneStatement: true });
  }

  /**
   * Runs the one statement of `write`, in one round trip. It takes effect even if its answer is lost.
   * @param conditions as of `planningOnce`
   * @throws Bug for a second statement, and when a transaction is already open on this call path
   */
  async writeOnce<T>(
    label: string,
    write: (tx: Tx) => T | Promise<T>,
    settings: Settings = {},
    ...conditions: SqlStatement[]
  ): Promise<T> {
    return this.inOwnTransaction(label, write, { settings, conditions, isOneStatement: true });
  }

  private async inOwnTransaction<T>(
    label: string,
    work: (tx: Tx) => T | Promise<T>,
    kind: Partial<TransactionKind>,
  ): Promise<T> {
    assertOutsideTransaction(`transaction "${label}"`);
    return insideTransactionScope(label, async () => {
      const runner = this.dataSource.createQueryRunner();
      try {
        const transaction = new OneTransaction((await runner.connect()) as pg.ClientBase, {
          conditions: [],
          isReadOnly: false,
          isOneStatement: false,
          plansOnce: false,
          ...kind,
          settings: { ...this.localSettings, ...kind.settings },
          keepsPrepared: !this.isPooled,
        });
        try {
          const result = await work(openTx(transaction));
          await transaction.commit();
          // A single statement that writes is harmless to do again (ADR 0012).
          if (kind.isOneStatement !== true) {
            noteCommit();
          }
          return result;
        } catch (error) {
          this.refusals.note(error);
          await transaction.rollBack();
          throw error;
        }
      } finally {
        await runner.release();
      }
    });
  }

  /**
   * One statement that is a transaction of its own. A pooler's connection has no role of its own, so there it begins with one.
   * @throws Bug when a transaction is open on this call path.
   */
  async inOneStatement<Row>(label: string, statement: SqlStatement): Promise<readonly Row[]> {
    if (this.isPooled) {
      return this.writeOnce(label, (tx) => tx.rows<Row>(statement));
    }
    assertOutsideTransaction(`statement "${label}"`);
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = (await runner.connect()) as pg.ClientBase;
      const { values, ...query } = statement;
      return (await client.query({ ...query, values: [...values] })).rows as Row[];
    } catch (error) {
      this.refusals.note(error);
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** Resolves when the database answers a trivial query, for readiness. */
  async ping(): Promise<void> {
    await this.inOneStatement('ping', sql`SELECT 1`);
  }

  /** @returns why the database has refused to write a moment ago; undefined when it has not, for readiness */
  refusedWrites(): string | undefined {
    return this.refusals.current();
  }

  /** Connections of this process just now, and who waits for one. */
  poolUse(): PoolUse {
    // Its own type says `any`.
    const { master } = this.dataSource.driver as unknown as { readonly master: pg.Pool };
    const { totalCount, idleCount, waitingCount } = master;
    return { open: totalCount, used: totalCount - idleCount, waiting: waitingCount };
  }

  async close(): Promise<void> {
    await this.dataSource.destroy();
  }
}
