/** A statement and its bound values. Only this file makes one, so no value can become SQL text. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Under which a connection keeps it parsed and planned; absent: it does not. */
  readonly name?: string;
}

/** The literal parts of everything the tag has made: what is found here may become part of another statement. */
const knownStatements = new WeakMap<object, readonly string[]>();

/** By the literal parts, of which a place in the code has always the same: the text of a statement that takes in no other. */
const plainTexts = new WeakMap<readonly string[], string>();

/**
 * Builds a parameterized statement from a template literal: every `${value}` becomes `$1`, `$2`, …, and a `${part}` that the
 * tag has made itself becomes part of the statement with its values. Text comes from literals in the code only.
 */
export function sql(parts: readonly string[], ...values: readonly unknown[]): SqlStatement {
  if (!values.some((value) => partsOf(value) !== undefined)) {
    const text = plainTexts.get(parts) ?? numbered(parts);
    plainTexts.set(parts, text);
    const statement = { text, values };
    knownStatements.set(statement, parts);
    return statement;
  }
  const literals = [parts[0] ?? ''];
  const bound: unknown[] = [];
  const append = (literal: string) => literals.push((literals.pop() ?? '') + literal);
  for (const [index, value] of values.entries()) {
    const inner = partsOf(value);
    if (inner === undefined) {
      bound.push(value);
      literals.push('');
    } else {
      const [first = '', ...rest] = inner;
      append(first);
      literals.push(...rest);
      bound.push(...(value as SqlStatement).values);
    }
    append(parts[index + 1] ?? '');
  }
  const statement = { text: numbered(literals), values: bound };
  knownStatements.set(statement, literals);
  return statement;
}

function partsOf(value: unknown): readonly string[] | undefined {
  return typeof value === 'object' && value !== null ? knownStatements.get(value) : undefined;
}

function numbered(literals: readonly string[]): string {
  return literals.reduce((joined, part, index) => `${joined}$${index.toString()}${part}`);
}

/** By its text, of which there are as many as the code has. */
const namesOfPrepared = new Map<string, string>();
/** Each connection keeps each of them; any further text is planned each time. */
const MAX_PREPARED = 500;

/**
 * A statement that each connection parses and plans once. For those of an export that bind the contents of hundreds of entries: a plan of
 * its own for each execution copies the bound values several times, which costs more than the writing. Such a plan outlives what
 * the tables held when it was made, so these statements find their rows by keys, in a transaction of such
 * statements (`TenantDatabase.byKeys`) or in one of their own (`readOnce`, `writeOnce`).
 */
export function prepared(statement: SqlStatement): SqlStatement {
  const known = namesOfPrepared.get(statement.text);
  if (known === undefined && namesOfPrepared.size >= MAX_PREPARED) {
    return statement;
  }
  const name = known ?? `planned_${namesOfPrepared.size.toString()}`;
  namesOfPrepared.set(statement.text, name);
  return { ...statement, name };
}

/** Parts of a statement one after the other, with commas between them. */
export function sqlList(parts: readonly SqlStatement[]): SqlStatement {
  return parts.reduce((joined, part) => sql`${joined}, ${part}`);
}

/** By how many there are. */
const settingTexts = new Map<number, string>();

/** One statement for settings of PostgreSQL that end with the transaction, each by its name. */
export function settingTogether(settings: readonly (readonly [name: string, value: string])[]): SqlStatement {
  const count = settings.length;
  const places = () =>
    settings.map((_, at) => `set_config($${(2 * at + 1).toString()}, $${(2 * at + 2).toString()}, true)`);
  const text = settingTexts.get(count) ?? `SELECT ${places().join(', ')}`;
  settingTexts.set(count, text);
  return { text, values: settings.flat() };
}
