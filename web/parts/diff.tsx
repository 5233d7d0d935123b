import { Table } from '@mantine/core';
import type { PlannedEntryResponse, RuleChangeResponse } from '../api/schema.js';
import { t, word } from '../messages/text.js';
import { valueInWords } from './figures/value-in-words.js';
import { fieldInWords, pointerInWords } from './pointer.js';
import { ruleInWords } from './rules/rule-words.js';

export interface Difference {
  readonly pointer: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface DiffProps {
  readonly differences: readonly Difference[];
  /** What the pointers lead into, where that is entries: their amounts are in minor units of a currency that stands there. */
  readonly entries?: readonly PlannedEntryResponse[];
  /** Only what is: there was nothing before. */
  readonly isState?: boolean;
}

/** What was and what is, in words and color. */
export function Diff({ differences, entries = [], isState = false }: DiffProps) {
  const shown = (pointer: string, text: string) => valueInWords(pointer, text, entries);
  return (
    <Table className="stacked">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('diff.where')}</Table.Th>
          {isState ? null : <Table.Th>{t('diff.before')}</Table.Th>}
          <Table.Th>{t(isState ? 'diff.value' : 'diff.after')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {differences.map(({ pointer, before, after }) => (
          <Table.Tr key={pointer}>
            <Table.Td data-label={t('diff.where')}>{pointerInWords(pointer, fieldInWords)}</Table.Td>
            {isState ? (
              <Table.Td data-label={t('diff.value')}>{after === null ? '–' : shown(pointer, after)}</Table.Td>
            ) : (
              <>
                <Table.Td data-label={t('diff.before')}>
                  {before === null ? '–' : <del>{shown(pointer, before)}</del>}
                </Table.Td>
                <Table.Td data-label={t('diff.after')}>
                  {after === null ? '–' : <ins>{shown(pointer, after)}</ins>}
                </Table.Td>
              </>
            )}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

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
            <Table.Td data-label={t('diff.before')}>{before ? <del>{ruleInWords(before)}</del> : '–'}</Table.Td>
            <Table.Td data-label={t('diff.after')}>{after ? <ins>{ruleInWords(after)}</ins> : '–'}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
