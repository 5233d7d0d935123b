import { Table } from '../../../foundation/pages/table.js';
import { settingsLayout } from '../settings-page/settings-layout.js';
import type { ProblemTypeView } from './problem-types.js';

/** The types of problems as a page for people. @param types one, or all */
export function problemTypesPage(types: readonly ProblemTypeView[]): string {
  return settingsLayout(
    types.length === 1 ? (types[0]?.title ?? '') : 'Problems',
    null,
    <section>
      <Table columns={['Type', 'Status', 'Title', 'What to do']}>
        {types.map(({ name, type, status, title, remedy }) => (
          <tr key={name}>
            <td>
              <a href={`/problems/${name}`}>{type}</a>
            </td>
            <td>{status}</td>
            <td>{title}</td>
            <td>{remedy}</td>
          </tr>
        ))}
      </Table>
    </section>,
  );
}
