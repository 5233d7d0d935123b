import { plainPage } from '../../../foundation/pages/plain-page.js';
import { Table } from '../../../foundation/pages/table.js';
import type { ProblemTypeView } from './problem-types.js';

/** The types of problems as a page for people. @param types one, or all */
export function problemTypesPage(types: readonly ProblemTypeView[]): string {
  const [type] = types;
  const isOne = types.length === 1;
  return plainPage({
    title: isOne && type !== undefined ? type.title : 'Problems',
    content: (
      <Table columns={['Type', 'Status', 'Title', 'What to do']}>
        {types.map(({ name, type: urn, status, title, remedy }) => (
          <tr key={name}>
            <td>
              <a href={`/problems/${name}`}>{urn}</a>
            </td>
            <td>{status}</td>
            <td>{title}</td>
            <td>{remedy}</td>
          </tr>
        ))}
      </Table>
    ),
    next: isOne
      ? { path: '/problems', words: 'All problems' }
      : { path: '/api/docs', words: 'Every operation of the API' },
  });
}
