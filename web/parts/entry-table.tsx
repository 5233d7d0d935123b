import { Table, Text } from '@mantine/core';
import type { MoneyResponse, PlannedEntryResponse, PlannedLineResponse } from '../api/schema.js';
import { shownDay, t, word } from '../messages/text.js';
import { useAccountNames } from './erp-value.js';
import { Money, shownMoney } from './money.js';

const NOTHING = { amountMinor: '0', currency: '', exponent: 2 };
const moneyOf = ({ money }: PlannedLineResponse): MoneyResponse => money ?? NOTHING;
const absolute = (line: PlannedLineResponse): MoneyResponse => ({
  ...moneyOf(line),
  amountMinor: moneyOf(line).amountMinor.replace('-', ''),
});
const isCredit = (line: PlannedLineResponse) => moneyOf(line).amountMinor.startsWith('-');

function totalOf(lines: readonly PlannedLineResponse[]): string {
  const minor = lines.reduce((sum, line) => sum + BigInt(absolute(line).amountMinor), 0n);
  const [first] = lines;
  return first === undefined ? '–' : shownMoney({ ...moneyOf(first), amountMinor: minor.toString() });
}

/** A journal entry as a bookkeeper writes it: debit left, credit right, each line with why it is there. */
export function EntryTable({ entry }: { readonly entry: PlannedEntryResponse }) {
  const { lines } = entry;
  return (
    <Table className="stacked" captionSide="top" aria-label={word('role', entry.role)}>
      <Table.Caption>
        {word('role', entry.role)} · {shownDay(entry.postingDate)}
        {entry.documentNumber === undefined ? '' : ` · ${entry.documentNumber}`}
      </Table.Caption>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{t('entry.account')}</Table.Th>
          <Table.Th className="amount">{t('entry.debit')}</Table.Th>
          <Table.Th className="amount">{t('entry.credit')}</Table.Th>
          <Table.Th>{t('entry.tax')}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {lines.map((line, index) => (
          <EntryLine key={`${index.toString()} ${line.account.code}`} line={line} />
        ))}
        <Table.Tr className="total">
          <Table.Td data-label="">{t('entry.total')}</Table.Td>
          <Table.Td data-label={t('entry.debit')} className="amount figure">
            {totalOf(lines.filter((line) => !isCredit(line)))}
          </Table.Td>
          <Table.Td data-label={t('entry.credit')} className="amount figure">
            {totalOf(lines.filter(isCredit))}
          </Table.Td>
          <Table.Td />
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

function EntryLine({ line }: { readonly line: PlannedLineResponse }) {
  const { account, vendor, taxCode, dimensions = [] } = line;
  const names = useAccountNames();
  return (
    <Table.Tr>
      <Table.Td data-label={t('entry.account')}>
        <strong>{account.code}</strong> {names.get(account.code)}
        {account.decision === undefined ? null : (
          <Text size="sm" c="dimmed">
            {word('decision', account.decision.by)}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {[vendor?.code, ...dimensions.map(({ dimension, value }) => `${dimension} ${value}`)]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Table.Td>
      <Table.Td data-label={t('entry.debit')} className="amount">
        {isCredit(line) ? '' : <Money money={line.money} />}
      </Table.Td>
      <Table.Td data-label={t('entry.credit')} className="amount">
        {isCredit(line) ? <Money money={absolute(line)} /> : ''}
      </Table.Td>
      <Table.Td data-label={t('entry.tax')}>{taxCode?.code ?? ''}</Table.Td>
    </Table.Tr>
  );
}
