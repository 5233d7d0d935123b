import { Table } from '@mantine/core';
import type { RuleChangeResponse, RuleResponse } from '../api/schema.js';
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

const textOf = (rule: RuleResponse) =>
  `${[rule.sourceGroup, rule.source].filter(Boolean).join('/')} → ${[rule.targetGroup, rule.target].filter(Boolean).join('/')}`;

/** Each changed rule as it was and as it is. */
export function RuleChanges({ changes }: { readonly changes: readonly RuleChangeResponse[] }) {
  return (
    <Table className="stacked">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('mapping.kind')}</Table.Th>
          <Table.Th>{t('diff.before')}</Table.Th>
          <Table.Th>{t('diff.after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {changes.map(({ id, before, after }) => (
          <Table.Tr key={id}>
            <Table.Td data-label={t('mapping.kind')}>{word('subject', (after ?? before)?.subject ?? '')}</Table.Td>
            <Table.Td data-label={t('diff.before')}>{before ? <del>{textOf(before)}</del> : '–'}</Table.Td>
            <Table.Td data-label={t('diff.after')}>{after ? <ins>{textOf(after)}</ins> : '–'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
