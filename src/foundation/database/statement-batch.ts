import pg from 'pg';
import type { SqlStatement } from './sql.js';
import type { Answer } from './transaction.js';

/** How the driver writes values; its types do not tell of it. */
const { utils } = pg as unknown as { readonly utils: { prepareValue(value: unknown): string | Buffer | null } };

/** What the driver's connection can do besides what its types tell. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** By name, the texts that the server knows, and those that were sent to it. */
  readonly parsedStatements: Readonly<Record<string, string>>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(statement: { readonly name: string; readonly text: string }): void;
  bind(values: { readonly statement: string; readonly values: readonly unknown[] }): void;
  describe(what: { readonly type: 'P' }): void;
  execute(): void;
  sync(): void;
}

/** The same of a result. */
interface GrowingResult extends Answer {
  addFields(fields: unknown): void;
  parseRow(fields: unknown): unknown;
  addRow(row: unknown): void;
  addCommandComplete(message: unknown): void;
}

type Callback = (error: Error | null, answers: readonly Answer[]) => void;

/** One of several statements that are sent together. */
export interface BatchedStatement {
  readonly statement: SqlStatement;
  /** Whether its rows are wanted. */
  readonly isAsked: boolean;
}

/**
 * Statements that go to the server in one message and come back in one: a trip there and back costs both sides more than most
 * statements do. The first that fails is the last that is executed.
 */
class StatementBatch {
  /** The driver puts its own here, which also ends the waiting. */
  callback: Callback | undefined;
  private at = 0;
  private wire: Wire | undefined;
  private failure: Error | null = null;
  private readonly results: readonly GrowingResult[];

  constructor(
    private readonly statements: readonly BatchedStatement[],
    types: pg.CustomTypesConfig,
  ) {
    // Its types ask for all types of the driver where it takes whatever finds a parser.
    this.results = statements.map(() => new pg.Result('', types as typeof pg.types) as unknown as GrowingResult);
  }

  /** With `text` what the driver keeps account of when the server has parsed the statement that it is at. */
  get name(): string | undefined {
    return this.statements[this.at]?.statement.name;
  }

  get text(): string | undefined {
    return this.statements[this.at]?.statement.text;
  }

  /** @returns an error where a value cannot be sent, and then nothing is */
  submit(wire: Wire): Error | null {
    let values: readonly (readonly unknown[])[];
    try {
      values = this.statements.map(({ statement }) => statement.values.map((value) => utils.prepareValue(value)));
    } catch (error) {
      return error as Error;
    }
    this.wire = wire;
    wire.stream.cork();
    for (const [index, { statement, isAsked }] of this.statements.entries()) {
      const { name = '', text } = statement;
      if (name === '' || !(name in wire.parsedStatements || name in wire.submittedNamedStatements)) {
        wire.parse({ name, text });
      }
      if (name !== '') {
        wire.submittedNamedStatements[name] = text;
      }
      wire.bind({ statement: name, values: values[index] ?? [] });
      if (isAsked) {
        wire.describe({ type: 'P' });
      }
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  handleRowDescription(message: { readonly fields: unknown }): void {
    this.results[this.at]?.addFields(message.fields);
  }

  handleDataRow(message: { readonly fields: unknown }): void {
    const result = this.results[this.at];
    if (result === undefined || this.statements[this.at]?.isAsked !== true || this.failure !== null) {
      return;
    }
    try {
      result.addRow(result.parseRow(message.fields));
    } catch (error) {
      this.failure = error as Error;
    }
  }

  handleCommandComplete(message: unknown): void {
    this.results[this.at]?.addCommandComplete(message);
    this.at += 1;
  }

  handleEmptyQuery(): void {
    this.at += 1;
  }

  handleError(error: Error): void {
    // What comes after the one that failed has not been parsed, whatever was sent.
    for (const { statement } of this.statements) {
      const { name } = statement;
      if (name !== undefined) {
        delete this.wire?.submittedNamedStatements[name];
      }
    }
    this.callback?.(error, this.results);
  }

  handleReadyForQuery(): void {
    this.callback?.(this.failure, this.results);
  }
}

/**
 * Sends several statements in one round trip.
 * @returns the result of each of them
 * @throws the driver's error of the first that fails; what the transaction is then is for the caller to end
 */
export async function askTogether(
  client: pg.ClientBase,
  statements: readonly BatchedStatement[],
): Promise<readonly Answer[]> {
  const driver = client as unknown as { query(batch: StatementBatch, callback: Callback): void };
  return new Promise((resolve, reject) => {
    driver.query(new StatementBatch(statements, client), (error, answers) => {
      if (error === null) {
        resolve(answers);
      } else {
        reject(error);
      }
    });
  });
}
