import pg from 'pg';
import { Bug } from '../../kernel/faults.js';

/** A statement and its bound values. Only the `sql` tag makes one, so no value can become SQL text. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

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
