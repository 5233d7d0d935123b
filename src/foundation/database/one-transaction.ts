import type pg from 'pg';
import { Bug } from '../../kernel/faults.js';
import { prepared, settingTogether, sql, type SqlStatement } from './sql.js';
import { askTogether, type BatchedStatement } from './statement-batch.js';
import type { Answer } from './transaction.js';

/** What is known of a transaction before its first statement. */
export interface TransactionKind {
  /** Settings of PostgreSQL that end with it, by their names. */
  readonly settings: Readonly<Record<string, string>>;
  /** Statements that must succeed for it to go on; they are asked together with its first. */
  readonly conditions: readonly SqlStatement[];
  readonly isReadOnly: boolean;
  /** It has one statement, with which it also ends. */
  readonly isOneStatement: boolean;
  /** The next transaction on the connection finds what this one has prepared. */
  readonly keepsPrepared: boolean;
  /** Each of its statements is planned once for the connection, `prepared` or not. */
  readonly plansOnce: boolean;
}

const BEGIN = sql`BEGIN`;
const BEGIN_READ_ONLY = sql`BEGIN READ ONLY`;
const COMMIT = sql`COMMIT`;
/** A plan for all values may be from when a table was empty, so it goes by keys whatever the table held. */
const FOR_ALL_VALUES = { enable_seqscan: 'off', plan_cache_mode: 'force_generic_plan' };
const PLAN_FOR_ALL_VALUES = settingTogether(Object.entries(FOR_ALL_VALUES));
const PLAN_FOR_GIVEN_VALUES = settingTogether([
  ['enable_seqscan', 'on'],
  ['plan_cache_mode', 'auto'],
]);

/**
 * One transaction on one connection, in as few round trips as it takes. BEGIN is sent together with the first statement, statements
 * that are asked at the same moment are sent together, and deferred ones are sent with the next that is asked, or with COMMIT.
 */
export class OneTransaction {
  /** What goes with the next round trip. */
  private readonly waiting: BatchedStatement[] = [];
  private coming: Promise<readonly Answer[]> | undefined;
  /** Settles when every statement that was sent has its answer. */
  private before: Promise<unknown> = Promise.resolve();
  /** Whether its first statement was `prepared`. */
  private isFirstPrepared: boolean | undefined;
  /** Whether a statement is now planned for all values. */
  private plansForAllValues = false;
  private isUnderWay = false;
  private hasLast = false;

  constructor(
    private readonly client: pg.ClientBase,
    private readonly kind: TransactionKind,
  ) {}

  /**
   * @throws the driver's error of a statement that fails, which may be another that goes with it
   * @throws Bug for a second statement where there is to be one
   */
  async ask(statement: SqlStatement): Promise<Answer> {
    return this.kind.isOneStatement ? this.askLast(statement) : this.answerAt(this.add(statement, true));
  }

  /** The transaction ends with it. @throws as `ask` and `commit` */
  async askLast(statement: SqlStatement): Promise<Answer> {
    const place = this.add(statement, true);
    this.end();
    return this.answerAt(place);
  }

  /** @throws Bug after the last statement */
  defer(statement: SqlStatement): void {
    this.add(statement, false);
  }

  /**
   * @throws the driver's error, also of what was deferred; one without SQLSTATE says that the outcome is unknown
   * @throws Bug where the work has caught the error of a statement and goes on: nothing of it is committed
   */
  async commit(): Promise<void> {
    if (!this.hasLast && (this.isUnderWay || this.waiting.length > 0)) {
      this.end();
      await this.next();
    }
  }

  /** Where this fails too the connection is lost, and the transaction with it. */
  async rollBack(): Promise<void> {
    await this.before;
    if (this.isUnderWay) {
      await this.client.query('ROLLBACK').catch(() => undefined);
    }
  }

  private async answerAt(place: number): Promise<Answer> {
    const answer = (await this.next())[place];
    if (answer === undefined) {
      throw new Bug('fewer answers than statements');
    }
    return answer;
  }

  private end(): void {
    this.defer(COMMIT);
    this.hasLast = true;
  }

  /** @returns its place in the next round trip */
  private add(statement: SqlStatement, isAsked: boolean): number {
    if (this.hasLast) {
      throw new Bug(`a statement after the last: ${statement.text}`);
    }
    this.isFirstPrepared ??= statement.name !== undefined;
    this.plan(statement);
    const isPlannedOnce = this.kind.plansOnce || statement.name !== undefined || statement === COMMIT;
    return this.waiting.push({ statement: isPlannedOnce ? this.kept(statement) : statement, isAsked }) - 1;
  }

  /**
   * Among statements that are planned for their values, a `prepared` one is planned for all: PostgreSQL by itself may go on to plan
   * it anew each time, which takes longer than many of them.
   */
  private plan(statement: SqlStatement): void {
    const { plansOnce, isOneStatement, keepsPrepared } = this.kind;
    if (plansOnce || isOneStatement || !keepsPrepared || statement === COMMIT) {
      return;
    }
    const isForAllValues = statement.name !== undefined;
    const isChanged = isForAllValues !== this.plansForAllValues;
    this.plansForAllValues = isForAllValues;
    // Back at a savepoint the settings are those from before it; where a statement has failed, they cannot be changed.
    if (isChanged && !statement.text.startsWith('ROLLBACK')) {
      const settings = isForAllValues ? PLAN_FOR_ALL_VALUES : PLAN_FOR_GIVEN_VALUES;
      this.waiting.push({ statement: this.kept(settings), isAsked: false });
    }
  }

  /** The round trip that what waits goes with, once the one before is over. */
  private next(): Promise<readonly Answer[]> {
    if (this.coming === undefined) {
      this.coming = this.before.then(() => this.send());
      this.before = this.coming.catch(() => undefined);
    }
    return this.coming;
  }

  private async send(): Promise<readonly Answer[]> {
    this.coming = undefined;
    const statements = this.waiting.splice(0);
    const ends = this.hasLast;
    const beginning = this.isUnderWay ? [] : this.beginning();
    this.isUnderWay = true;
    const answers = await askTogether(this.client, [
      ...beginning.map((statement) => ({ statement, isAsked: false })),
      ...statements,
    ]);
    this.isUnderWay = !ends;
    // The server rolls a transaction back that has failed, and says so in its answer alone.
    if (ends && answers.at(-1)?.command === 'ROLLBACK') {
      throw new Bug('a transaction of which a statement has failed was to be committed');
    }
    return answers.slice(beginning.length);
  }

  private beginning(): readonly SqlStatement[] {
    const { isReadOnly, conditions, plansOnce, isOneStatement } = this.kind;
    // Settings for such plans last as long as the transaction: statements of another kind that follow would be planned by them.
    const isPlannedOnce = plansOnce || (isOneStatement && this.isFirstPrepared === true);
    const settings = Object.entries({ ...this.kind.settings, ...(isPlannedOnce ? FOR_ALL_VALUES : {}) });
    return [
      this.kept(isReadOnly ? BEGIN_READ_ONLY : BEGIN),
      ...(settings.length === 0 ? [] : [this.kept(settingTogether(settings))]),
      ...conditions.map((condition) => this.kept(condition)),
    ];
  }

  /** As the connection keeps it parsed, where it keeps anything. */
  private kept(statement: SqlStatement): SqlStatement {
    const { text, values } = statement;
    return this.kind.keepsPrepared ? prepared(statement) : { text, values };
  }
}
