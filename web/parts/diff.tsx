import { Table } from '@mantine/core';
import { t, word } from '../messages/text.js';
import { pointerInWords } from './pointer.js';

export interface Difference {
  readonly pointer: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What was and what is, in words and color. */
export function Diff({ differences }: { readonly differences: readonly Difference[] }) {
  return (
    <Table className="stacked">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('diff.where')}</Table.Th>
          <Table.Th>{t('diff.before')}</Table.Th>
          <Table.Th>{t('diff.after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {differences.map(({ pointer, before, after }) => (
          <Table.Tr key={pointer}>
            <Table.Td data-label={t('diff.where')}>{pointerInWords(pointer, (name) => word('field', name))}</Table.Td>
            <Table.Td data-label={t('diff.before')}>{before === null ? '–' : <del>{before}</del>}</Table.Td>
            <Table.Td data-label={t('diff.after')}>{after === null ? '–' : <ins>{after}</ins>}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
