import type pg from 'pg';
import { Bug } from '../../kernel/faults.js';
import { asExecution, prepared, withLiterals, withPlainLiterals, type SqlStatement } from './sql.js';
import type { Answer } from './transaction.js';

/** What is known of a transaction before its first statement. */
export interface TransactionKind {
  /** It has one statement, with which it also ends. */
  readonly isOneStatement: boolean;
  /** The next transaction on the connection finds what this one has prepared. */
  readonly keepsPrepared: boolean;
  /** Each of its statements is planned once for the connection, `prepared` or not. */
  readonly plansOnce: boolean;
}

/** A plan for all values may be from when a table was empty, so it goes by keys whatever the table held. */
const FOR_ALL_VALUES = ['SET LOCAL enable_seqscan = off', 'SET LOCAL plan_cache_mode = force_generic_plan'];

/** By connection, what it has been told to keep for `EXECUTE`. */
const preparedOn = new WeakMap<object, Set<string>>();

/**
 * One transaction on one connection, in as few questions as it takes: each is a trip to the server and back, which costs both
 * sides more than most statements do. It begins together with its first statement.
 */
export class OneTransaction {
  /** What answers the statement that it began with. */
  private first: Promise<Answer> | undefined;
  private isEnded = false;

  /**
   * @param begin what begins it, `BEGIN` first
   * @param openings are said in the same question, so their values, texts, stand in it as literals
   */
  constructor(
    private readonly client: pg.ClientBase,
    private readonly begin: readonly string[],
    private readonly openings: readonly SqlStatement[],
    private readonly kind: TransactionKind,
  ) {}

  /**
   * @throws the driver's error of a statement that fails
   * @throws Bug for a second statement where there is to be one
   */
  async ask(statement: SqlStatement): Promise<Answer> {
    if (this.first === undefined) {
      this.first = this.beginWith(statement);
      return this.first;
    }
    if (this.kind.isOneStatement) {
      throw new Bug(`a second statement where one was announced: ${statement.text}`);
    }
    await this.first;
    return this.askBound(statement);
  }

  /** @throws the driver's error; one without SQLSTATE says that the outcome is unknown */
  async commit(): Promise<void> {
    if (this.first !== undefined && !this.isEnded) {
      await this.client.query('COMMIT');
    }
  }

  /** Where this fails too the connection is lost, and the transaction with it. */
  async rollBack(): Promise<void> {
    if (this.first !== undefined && !this.isEnded) {
      await this.client.query('ROLLBACK').catch(() => undefined);
    }
  }

  private async beginWith(statement: SqlStatement): Promise<Answer> {
    const { isOneStatement, plansOnce } = this.kind;
    // Settings for such plans last as long as the transaction: statements of another kind that follow would be planned by them.
    const isPlannedOnce = plansOnce || (isOneStatement && statement.name !== undefined);
    const first = plansOnce ? prepared(statement) : statement;
    const text = isPlannedOnce ? await this.inWords(first, withPlainLiterals) : withPlainLiterals(statement);
    const beginning = [...this.begin, ...(isPlannedOnce ? FOR_ALL_VALUES : [])];
    for (const opening of this.openings) {
      beginning.push((await this.inWords(opening, withLiterals)) ?? '');
    }
    if (text === undefined) {
      await this.client.query(beginning.join(';'));
      return this.askBound(statement);
    }
    const ending = isOneStatement ? ['COMMIT'] : [];
    // A statement may end in a comment, which ends with its line.
    const answers = await this.askTogether([...beginning, `${text}\n`, ...ending]);
    this.isEnded = isOneStatement;
    const answer = answers.at(isOneStatement ? -2 : -1);
    if (answer === undefined) {
      throw new Bug(`no answer to: ${statement.text}`);
    }
    return answer;
  }

  private async askBound(statement: SqlStatement): Promise<Answer> {
    const { keepsPrepared, plansOnce } = this.kind;
    const { name, text, values } = plansOnce ? prepared(statement) : statement;
    const query = { text, values: [...values] };
    return this.client.query(name !== undefined && keepsPrepared ? { ...query, name } : query);
  }

  /** A statement with its values, as it stands in a question of several: one with a name is told the connection once. */
  private async inWords(
    statement: SqlStatement,
    inLiterals: (statement: SqlStatement) => string | undefined,
  ): Promise<string | undefined> {
    const text = inLiterals(statement);
    if (text === undefined || statement.name === undefined || !this.kind.keepsPrepared) {
      return text;
    }
    const { name, preparation, execution } = asExecution(statement, statement.name);
    const known = preparedOn.get(this.client) ?? new Set();
    if (!known.has(name)) {
      await this.client.query(preparation);
      preparedOn.set(this.client, known.add(name));
    }
    return inLiterals(execution);
  }

  private async askTogether(statements: readonly string[]): Promise<readonly Answer[]> {
    // Of several statements pg answers with a list, which its types do not tell.
    return (await this.client.query(statements.join(';'))) as unknown as readonly Answer[];
  }
}
