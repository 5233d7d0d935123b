import { Table } from '@mantine/core';
import type { PlannedEntryResponse, RuleChangeResponse } from '../api/schema.js';
import { t, word } from '../messages/text.js';
import { shownDecimal, shownWhen } from '../messages/values.js';
import { shownMoney } from './money.js';
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
  const shown = (pointer: string, text: string) => inWords(pointer, text, entries);
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

const AMOUNT = /^\/(\d+)\/lines\/(\d+)\/(amountMinor|baseMinor)$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;

/** A value as the reader writes amounts, rates and dates, and in words where there are some for it. */
function inWords(pointer: string, text: string, entries: readonly PlannedEntryResponse[]): string {
  const [, entry, line, field] = AMOUNT.exec(pointer) ?? [];
  if (field !== undefined) {
    const lines = entries[Number(entry)]?.lines ?? [];
    // A line that is no longer there was in the currency of the others.
    const like = lines[Number(line)] ?? lines[0];
    const money = field === 'amountMinor' ? like?.money : like?.baseMoney;
    return money ? shownMoney({ ...money, amountMinor: text }) : text;
  }
  if (pointer.endsWith('/rate') && DECIMAL.test(text)) {
    return shownDecimal(text);
  }
  if (text === 'true' || text === 'false') {
    return t(text === 'true' ? 'audit.yes' : 'audit.no');
  }
  return shownWhen(text) ?? (pointer.startsWith('/policies/') ? word('policy-value', text) : text);
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
