import type { ReactNode } from 'react';

export interface TableProps {
  /** Headings, one per column; empty for a column of buttons. */
  readonly columns: readonly string[];
  /** The rows: `<tr>` elements. */
  readonly children: ReactNode;
}

/** A table with one row of headings. */
export function Table({ columns, children }: TableProps) {
  return (
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th key={column}>{column}</th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}
