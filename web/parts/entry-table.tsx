import { Table, Text } from '@mantine/core';
import type { MoneyResponse, PlannedEntryResponse, PlannedLineResponse } from '../api/schema.js';
import { shownDay, t, word } from '../messages/text.js';
import { shownDecimal } from '../messages/values.js';
import { useAccountNames } from './erp-value.js';
import { settingInWords } from './rules/setting-words.js';
import { Money } from './money.js';
import { sumOf } from './figures/sum.js';

const absolute = (money: MoneyResponse): MoneyResponse => ({
  ...money,
  amountMinor: money.amountMinor.replace('-', ''),
});
const isCredit = ({ money }: PlannedLineResponse) => money?.amountMinor.startsWith('-') === true;

/** Its amount without sign; in the currency of the books, too, where that is another one. */
function amountsOf({ money, baseMoney }: PlannedLineResponse): readonly MoneyResponse[] {
  const amounts = [money, baseMoney?.currency === money?.currency ? null : baseMoney];
  return amounts.flatMap((amount) => (amount ? [absolute(amount)] : []));
}

const totalOf = (lines: readonly PlannedLineResponse[]) => sumOf(lines.flatMap(amountsOf));

/** A journal entry as a bookkeeper writes it: debit left, credit right, each line with why it is there. */
export function EntryTable({ entry }: { readonly entry: PlannedEntryResponse }) {
  const { lines, role, postingDate, originalDate, documentNumber, currency, functionalCurrency, rate } = entry;
  const facts = [
    word('role', role),
    shownDay(postingDate),
    documentNumber,
    originalDate === undefined ? undefined : t('entry.movedFrom', { day: shownDay(originalDate) }),
    rate === undefined || functionalCurrency === undefined || functionalCurrency === currency
      ? undefined
      : t('entry.rate', { currency, rate: shownDecimal(rate), base: functionalCurrency }),
  ];
  return (
    <Table className="stacked journal" captionSide="top" aria-label={word('role', role)}>
      <Table.Caption ta="left">{facts.filter(Boolean).join(' · ')}</Table.Caption>
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
          <Table.Td data-label={t('entry.debit')} className="amount">
            <BothAmounts amounts={totalOf(lines.filter((line) => !isCredit(line)))} />
          </Table.Td>
          <Table.Td data-label={t('entry.credit')} className="amount">
            <BothAmounts amounts={totalOf(lines.filter(isCredit))} />
          </Table.Td>
          <Table.Td />
        </Table.Tr>
      </Table.Tbody>
    </Table>
  );
}

/** The entry's own currency, and below it that of the books. */
function BothAmounts({ amounts }: { readonly amounts: readonly MoneyResponse[] }) {
  const [own, ...others] = amounts;
  return (
    <div>
      <Money money={own} />
      {others.map((money) => (
        <Text key={money.currency} size="sm" c="dimmed">
          <Money money={money} />
        </Text>
      ))}
    </div>
  );
}

function reasonOf({ setting, by }: NonNullable<PlannedLineResponse['account']['decision']>): string {
  return setting === undefined ? word('decision', by) : settingInWords(setting);
}

function EntryLine({ line }: { readonly line: PlannedLineResponse }) {
  const { account, vendor, employee, taxCode, dimensions = [] } = line;
  const names = useAccountNames();
  const amounts = <BothAmounts amounts={amountsOf(line)} />;
  const details = [vendor?.code, employee, ...dimensions.map(({ dimension, value }) => `${dimension} ${value}`)];
  return (
    <Table.Tr>
      <Table.Td data-label={t('entry.account')}>
        <div>
          <strong>{account.code}</strong> {names.get(account.code)}
          {account.decision === undefined ? null : (
            <Text size="sm" c="dimmed">
              {t('entry.because', { reason: reasonOf(account.decision) })}
            </Text>
          )}
          <Text size="sm" c="dimmed">
            {details.filter(Boolean).join(' · ')}
          </Text>
        </div>
      </Table.Td>
      <Table.Td data-label={t('entry.debit')} className="amount">
        {isCredit(line) ? '' : amounts}
      </Table.Td>
      <Table.Td data-label={t('entry.credit')} className="amount">
        {isCredit(line) ? amounts : ''}
      </Table.Td>
      <Table.Td data-label={t('entry.tax')}>{taxCode?.code ?? ''}</Table.Td>
    </Table.Tr>
  );
}
