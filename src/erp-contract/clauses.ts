// Clauses are collected before they are checked, so that the program that runs them decides how: the command one after the other,
// the tests of this repository as tests.
import { format } from 'node:util';

type Check = () => Promise<void> | void;

export interface Clause {
  /** With the headings it stands under. */
  readonly title: string;
  /** Why it does not apply to the adapter; undefined when it does. */
  readonly skipped: string | undefined;
  /** @throws what says that the clause does not hold */
  readonly check: () => Promise<void>;
}

type Mutable<Row extends readonly unknown[]> = Row extends readonly [...infer Cells] ? [...Cells] : never;
type Each<Row extends unknown[]> = (title: string, check: (...row: Row) => Promise<void> | void) => void;

export interface Declare {
  (title: string, check: Check): void;
  /** One clause for each row; `%s` of the title stands for its cells, one after the other. */
  each<Row extends readonly [unknown, ...unknown[]]>(rows: readonly Row[]): Each<Mutable<Row>>;
  each<Cell extends string>(cells: readonly Cell[]): Each<[Cell]>;
}

let clauses: Clause[] = [];
const headings: string[] = [];

/** @param declare calls `describe` and `it` */
export function collectClauses(declare: () => void): readonly Clause[] {
  clauses = [];
  declare();
  return clauses;
}

export function describe(heading: string, declare: () => void): void {
  headings.push(heading);
  declare();
  headings.pop();
}

function declaring(skipped: string | undefined): Declare {
  const declare = (title: string, check: Check) => {
    clauses.push({ title: [...headings, title].join(': '), skipped, check: async () => check() });
  };
  const each =
    (rows: readonly unknown[]) => (title: string, check: (...cells: readonly unknown[]) => Promise<void>) => {
      const places = title.split('%s').length - 1;
      for (const row of rows) {
        const cells: readonly unknown[] = Array.isArray(row) ? row : [row];
        declare(format(title, ...cells.slice(0, places)), () => check(...cells));
      }
    };
  return Object.assign(declare, { each }) as Declare;
}

export const it = Object.assign(declaring(undefined), {
  /** A clause that does not apply for this reason; without one it does. */
  unless: declaring,
});
