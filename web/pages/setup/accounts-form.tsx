import { Button, Group, Select, SimpleGrid, Stack } from '@mantine/core';
import { useState } from 'react';
import type { SetupStepResponse } from '../../api/schema.js';
import { locale } from '../../messages/language.js';
import { t } from '../../messages/text.js';
import { ErpValue } from '../../parts/erp-value.js';
import { Failed, Overtaken } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { accountLabel, accountOf, checksOf, withAccount } from './account-fields.js';
import { useSaveSettings, useSettings } from './use-settings.js';

/** Accounts that belong together, each with what is proposed for it and why; one press says that they are right. */
export function AccountsForm({ steps }: { readonly steps: readonly SetupStepResponse[] }) {
  const isWallets = steps.some(({ check }) => check.startsWith('wallet-'));
  const { settings, isPending, unread, version } = useSettings();
  const saved = steps.map(({ check }) => [check, accountOf(settings.accounts, check)]);
  const { values, change, clear, putBack } = useStoredForm<Record<string, string>>(
    `accounts ${JSON.stringify(saved)}`,
    {},
  );
  const { isSaving, error, saveAll } = useSaveSettings(version, clear);
  if (isPending) {
    return null;
  }
  if (unread !== undefined) {
    return <Failed {...unread} />;
  }
  const checks = checksOf(
    steps.map(({ check }) => check),
    values,
  );
  const valueOf = (check: string) => {
    const proposal = steps.find((step) => step.check === check)?.proposal;
    return values[check] ?? (accountOf(settings.accounts, check) || (proposal?.code ?? ''));
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const accounts = checks.reduce((all, check) => withAccount(all, check, valueOf(check)), settings.accounts);
        saveAll({ ...settings, accounts });
      }}
    >
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {checks.map((check) => {
            const why = steps.find((step) => step.check === check)?.why;
            return (
              <ErpValue
                key={check}
                list="account"
                label={accountLabel(check)}
                value={valueOf(check)}
                {...(why ? { description: why.text } : {})}
                onChoose={(code) => {
                  change({ [check]: code });
                }}
              />
            );
          })}
        </SimpleGrid>
        <Overtaken putBack={putBack} />
        {error === null ? null : <Failed error={error} />}
        <Group align="flex-end">
          <Button type="submit" loading={isSaving}>
            {t('setup.looksRight')}
          </Button>
          {isWallets ? (
            <AddCurrency
              onAdd={(currency) => {
                const check = `wallet-${currency}`;
                if (!checks.includes(check)) {
                  change({ [check]: '' });
                }
              }}
            />
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}

function AddCurrency({ onAdd }: { readonly onAdd: (currency: string) => void }) {
  const names = new Intl.DisplayNames(locale(), { type: 'currency' });
  const [typed, setTyped] = useState('');
  return (
    <Select
      aria-label={t('setup.addCurrency')}
      placeholder={t('setup.addCurrency')}
      searchable
      value={null}
      searchValue={typed}
      onSearchChange={setTyped}
      limit={50}
      data={Intl.supportedValuesOf('currency').map((code) => ({
        value: code,
        label: `${code} ${names.of(code) ?? ''}`,
      }))}
      onChange={(currency) => {
        if (currency !== null) {
          onAdd(currency);
          setTyped('');
        }
      }}
    />
  );
}
