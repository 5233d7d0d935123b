/** A statement and its bound values. Only the `sql` tag makes one, so no value can become SQL text. */
export interface SqlStatement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Builds a parameterised statement from a template literal: every `${value}` becomes `$1`, `$2`, …
 * There is no way to splice text in; identifiers are written out in the statement.
 */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): SqlStatement {
  const text = parts.reduce((joined, part, index) => `${joined}$${index.toString()}${part}`);
  return { text, values };
}
