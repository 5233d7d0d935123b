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

/** What the server says of a column. */
interface ColumnDescription {
  readonly name: string;
  readonly dataTypeID: Parameters<pg.CustomTypesConfig['getTypeParser']>[0];
}

interface Column {
  readonly name: string;
  readonly parse: (text: string) => unknown;
}

/** A result as it comes in. */
class GrowingAnswer implements Answer {
  readonly rows: Record<string, unknown>[] = [];
  rowCount: number | null = null;
  command = '';

  /** @param values as the server writes them, one for each column */
  addRow(columns: readonly Column[], values: readonly (string | null)[]): void {
    const row: Record<string, unknown> = {};
    for (const [index, { name, parse }] of columns.entries()) {
      const value = values[index] ?? null;
      row[name] = value === null ? null : parse(value);
    }
    this.rows.push(row);
  }

  /** @param tag as `INSERT 0 5`, `UPDATE 3` or `COMMIT` */
  end(tag: string): void {
    const [command = '', ...counts] = tag.split(' ');
    const count = Number(counts.at(-1));
    this.command = command;
    this.rowCount = counts.length === 0 || Number.isNaN(count) ? null : count;
  }
}

/**
 * By connection and name, the columns of statements that the connection keeps: they are the same as long as it keeps them, so the
 * server is asked for them once.
 */
const columnsOfKept = new WeakMap<Wire, Map<string, readonly Column[]>>();

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
  private known = new Map<string, readonly Column[]>();
  /** Of the statement that it is at, where they are known. */
  private columns: readonly Column[] | undefined;
  private readonly results: readonly GrowingAnswer[];

  constructor(
    private readonly statements: readonly BatchedStatement[],
    private readonly types: pg.CustomTypesConfig,
  ) {
    this.results = statements.map(() => new GrowingAnswer());
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
    this.known = columnsOfKept.get(wire) ?? this.known;
    columnsOfKept.set(wire, this.known);
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
      if (isAsked && !this.known.has(name)) {
        wire.describe({ type: 'P' });
      }
      wire.execute();
    }
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly ColumnDescription[] }): void {
    this.columns = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: this.types.getTypeParser(dataTypeID, 'text') as Column['parse'],
    }));
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { isAsked, statement } = this.statements[this.at] ?? {};
    if (isAsked !== true || this.failure !== null) {
      return;
    }
    this.columns ??= this.known.get(statement?.name ?? '') ?? [];
    try {
      this.results[this.at]?.addRow(this.columns, fields);
    } catch (error) {
      this.failure = error as Error;
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    const { isAsked, statement } = this.statements[this.at] ?? {};
    if (isAsked === true && statement?.name !== undefined && !this.known.has(statement.name)) {
      // A statement that returns no rows has no columns.
      this.known.set(statement.name, this.columns ?? []);
    }
    this.results[this.at]?.end(text);
    this.columns = undefined;
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
