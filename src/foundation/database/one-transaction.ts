import type pg from 'pg';
import { Bug } from '../../kernel/faults.js';
import { withPlainLiterals, type SqlStatement } from './sql.js';
import type { Answer } from './transaction.js';

/**
 * One transaction on one connection, in as few questions as it takes: each is a trip to the server and back, which costs both
 * sides more than most statements do. It begins together with its first statement.
 */
export class OneTransaction {
  private isBegun = false;
  private isEnded = false;

  /**
   * @param beginning statements that begin it, `BEGIN` first
   * @param isOneStatement it has one statement, with which it also ends
   * @param keepsPrepared the next transaction on the connection finds what this one has prepared
   */
  constructor(
    private readonly client: pg.ClientBase,
    private readonly beginning: string,
    private readonly isOneStatement: boolean,
    private readonly keepsPrepared: boolean,
  ) {}

  /**
   * @throws the driver's error of a statement that fails
   * @throws Bug for a second statement where there is to be one
   */
  async ask(statement: SqlStatement): Promise<Answer> {
    if (this.isBegun) {
      if (this.isOneStatement) {
        throw new Bug(`a second statement where one was announced: ${statement.text}`);
      }
      return this.askBound(statement);
    }
    this.isBegun = true;
    const text = statement.name === undefined ? withPlainLiterals(statement) : undefined;
    if (text === undefined) {
      await this.client.query(this.beginning);
      return this.askBound(statement);
    }
    const ending = this.isOneStatement ? ['COMMIT'] : [];
    // A statement may end in a comment, which ends with its line.
    const answers = await this.askTogether([this.beginning, `${text}\n`, ...ending]);
    this.isEnded = this.isOneStatement;
    const answer = answers.at(this.isOneStatement ? -2 : -1);
    if (answer === undefined) {
      throw new Bug(`no answer to: ${statement.text}`);
    }
    return answer;
  }

  /** @throws the driver's error; one without SQLSTATE says that the outcome is unknown */
  async commit(): Promise<void> {
    if (this.isBegun && !this.isEnded) {
      await this.client.query('COMMIT');
    }
  }

  /** Where this fails too the connection is lost, and the transaction with it. */
  async rollBack(): Promise<void> {
    if (this.isBegun && !this.isEnded) {
      await this.client.query('ROLLBACK').catch(() => undefined);
    }
  }

  private async askBound({ name, text, values }: SqlStatement): Promise<Answer> {
    const query = { text, values: [...values] };
    return this.client.query(name !== undefined && this.keepsPrepared ? { ...query, name } : query);
  }

  private async askTogether(statements: readonly string[]): Promise<readonly Answer[]> {
    // Of several statements pg answers with a list, which its types do not tell.
    return (await this.client.query(statements.join(';'))) as unknown as readonly Answer[];
  }
}
