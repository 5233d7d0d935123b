import { Text, Title } from '@mantine/core';
import type { MonthAccountResponse, MonthEndResponse } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Money, shownMoney } from '../../parts/money.js';

interface OfMonth {
  readonly report: MonthEndResponse;
}

const keyOf = ({ accountCode, currency }: MonthAccountResponse) => `${accountCode} ${currency}`;

/** The accounts that should hold the same on both sides: wallets and payables. */
export function ControlTable({ report: { accounts } }: OfMonth) {
  const control = accounts.filter(({ role }) => role !== null);
  return (
    <section aria-label={t('monthEnd.control')}>
      <Title order={3} size="h4" mb="sm">
        {t('monthEnd.control')}
      </Title>
      <DataTable
        label={t('monthEnd.control')}
        empty={t('monthEnd.nothing')}
        rows={control}
        keyOf={keyOf}
        columns={[
          { header: t('entry.account'), cell: (account) => <Account account={account} /> },
          { header: t('monthEnd.ours'), isAmount: true, cell: ({ ours }) => <Money money={ours.closing} /> },
          { header: t('monthEnd.ledger'), isAmount: true, cell: (account) => <OfLedger account={account} /> },
          { header: t('monthEnd.difference'), isAmount: true, cell: (account) => <Difference account={account} /> },
        ]}
      />
    </section>
  );
}

/** Every account that the connector has posted to, as a trial balance. */
export function AccountsTable({ report: { accounts, totals } }: OfMonth) {
  return (
    <section aria-label={t('monthEnd.accounts')}>
      <Title order={3} size="h4" mb="sm">
        {t('monthEnd.accounts')}
      </Title>
      <DataTable
        label={t('monthEnd.accounts')}
        empty={t('monthEnd.nothing')}
        rows={accounts}
        keyOf={keyOf}
        columns={[
          { header: t('entry.account'), cell: (account) => <Account account={account} /> },
          { header: t('monthEnd.opening'), isAmount: true, cell: ({ ours }) => <Money money={ours.opening} /> },
          { header: t('entry.debit'), isAmount: true, cell: ({ ours }) => <Money money={ours.debit} /> },
          { header: t('entry.credit'), isAmount: true, cell: ({ ours }) => <Money money={ours.credit} /> },
          { header: t('monthEnd.closing'), isAmount: true, cell: ({ ours }) => <Money money={ours.closing} /> },
          { header: t('monthEnd.ledger'), isAmount: true, cell: (account) => <OfLedger account={account} /> },
        ]}
      />
      {totals.map(({ currency, debit, credit }) => (
        <Text key={currency} mt="xs" ta="right" fw={600}>
          {t('monthEnd.totals', {
            debit: debit === null ? '–' : shownMoney(debit),
            credit: credit === null ? '–' : shownMoney(credit),
          })}
        </Text>
      ))}
    </section>
  );
}

function Account({ account: { accountCode, accountName, role } }: { readonly account: MonthAccountResponse }) {
  return (
    <div className="wrap">
      <strong>{accountCode}</strong> {accountName}
      {role === null ? null : (
        <Text size="sm" c="dimmed">
          {word('month-role', role)}
        </Text>
      )}
    </div>
  );
}

function OfLedger({ account: { ledger, ledgerMissing } }: { readonly account: MonthAccountResponse }) {
  return ledger === null ? (
    <Text size="sm" c="dimmed">
      {word('ledger-missing', ledgerMissing ?? 'not-offered')}
    </Text>
  ) : (
    <Money money={ledger.closing} />
  );
}

function Difference({ account: { difference } }: { readonly account: MonthAccountResponse }) {
  if (difference === null) {
    return '–';
  }
  const isEqual = difference.amountMinor === '0';
  return (
    <span className={isEqual ? 'good figure' : 'bad figure'}>
      {isEqual ? t('monthEnd.equal') : shownMoney(difference)}
    </span>
  );
}
