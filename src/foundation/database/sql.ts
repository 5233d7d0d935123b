import pg from 'pg';
import { Bug } from '../../kernel/faults.js';

/** A statement and its bound values. Only the `sql` tag makes one, so no value can become SQL text. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly unknown[];
  /** Under which a connection keeps it parsed and planned; absent: it does not. */
  readonly name?: string;
}

/** Identifiers, numbers, moments, names of states. */
const PLAIN = /^[\w:.+-]{0,64}$/;
/** A longer list is bound. */
const MAX_PLAIN_LIST = 100;

/** The literal parts of everything the tag has made: what is found here may become part of another statement. */
const knownStatements = new WeakMap<object, readonly string[]>();

/**
 * Builds a parameterized statement from a template literal: every `${value}` becomes `$1`, `$2`, …, and a `${part}` that the
 * tag has made itself becomes part of the statement with its values. Text comes from literals in the code only.
 */
export function sql(parts: readonly string[], ...values: readonly unknown[]): SqlStatement {
  const literals = [parts[0] ?? ''];
  const bound: unknown[] = [];
  const append = (literal: string) => literals.push((literals.pop() ?? '') + literal);
  for (const [index, value] of values.entries()) {
    const inner = typeof value === 'object' && value !== null ? knownStatements.get(value) : undefined;
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
  const text = literals.reduce((joined, part, index) => `${joined}$${index.toString()}${part}`);
  const statement = { text, values: bound };
  knownStatements.set(statement, literals);
  return statement;
}

/** By its text, of which there are as many as the code has. */
const namesOfPrepared = new Map<string, string>();
/** Each connection keeps each of them; a text beyond is planned anew. */
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

/** A named statement as SQL tells a connection of it, and as it is executed then: in a question of several, which binds nothing. */
export function asExecution(
  { text, values }: SqlStatement,
  name: string,
): { readonly name: string; readonly preparation: string; readonly execution: SqlStatement } {
  // Another name than the driver's for the same text: it keeps account of its own.
  const own = `${name}_told`;
  const places = values.map((_, index) => `$${(index + 1).toString()}`);
  const execution = { text: `EXECUTE ${own}${places.length === 0 ? '' : `(${places.join(', ')})`}`, values };
  return { name: own, preparation: `PREPARE ${own} AS ${text}`, execution };
}

/** Parts of a statement one after the other, with commas between them. */
export function sqlList(parts: readonly SqlStatement[]): SqlStatement {
  return parts.reduce((joined, part) => sql`${joined}, ${part}`);
}

/**
 * The text of a statement with its values as quoted literals: the only way into one question of several statements, which takes no
 * bound values.
 * @throws Bug for a value that is no text, or a text that PostgreSQL cannot hold
 */
export function withLiterals({ text, values }: SqlStatement): string {
  return text.replace(/\$(\d+)/g, (_, place: string) => {
    const value = values[Number(place) - 1];
    if (typeof value !== 'string' || value.includes('\0')) {
      throw new Bug(`value ${place} cannot be a literal of: ${text}`);
    }
    return pg.escapeLiteral(value);
  });
}

/**
 * The text of a statement whose values are nothing but identifiers, numbers, moments, names of states and short lists of them, as
 * literals: it can be asked together with others in one question. Everything else is bound, so that a statement that fails shows
 * nothing of a customer in the database's log.
 * @returns undefined where a value has to be bound
 */
export function withPlainLiterals({ text, values }: SqlStatement): string | undefined {
  const literals = values.map(plainLiteral);
  return literals.includes(undefined)
    ? undefined
    : text.replace(/\$(\d+)/g, (_, place: string) => literals[Number(place) - 1] ?? '');
}

function plainLiteral(value: unknown): string | undefined {
  if (value === null) {
    return 'NULL';
  }
  if (value instanceof Date) {
    return `'${value.toISOString()}'`;
  }
  if (Array.isArray(value)) {
    const parts = value.slice(0, MAX_PLAIN_LIST + 1).map(plainWord);
    // An empty text, and the word NULL, would have to be quoted.
    const isPlain =
      parts.length <= MAX_PLAIN_LIST && parts.every((part) => part !== undefined && !/^(null)?$/i.test(part));
    return isPlain ? `'{${parts.join(',')}}'` : undefined;
  }
  const word = plainWord(value);
  return word === undefined ? undefined : `'${word}'`;
}

function plainWord(value: unknown): string | undefined {
  const isScalar = ['string', 'number', 'bigint', 'boolean'].includes(typeof value);
  const word = String(value);
  return isScalar && PLAIN.test(word) ? word : undefined;
}
