import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import type { RefObject } from 'react';
import { apiQuery } from '../../api/client.js';
import { locale } from '../../messages/language.js';
import { t } from '../../messages/text.js';
import { shownDecimal } from '../../messages/values.js';
import { Failed } from '../../parts/states.js';
import type { useStoredForm } from '../../parts/stored-form.js';
import { rateLike, rateTyped, type Rate } from '../../parts/figures/rate-lines.js';
import { groupMarkOf } from '../../parts/figures/typed-number.js';

interface RateFormProps {
  readonly form: ReturnType<typeof useStoredForm<Rate>>;
  readonly rates: readonly Rate[];
  readonly error: unknown;
  readonly isSaving: boolean;
  readonly onSave: (rate: Rate) => void;
  readonly rateField: RefObject<HTMLInputElement | null>;
}

/** One rate: a new one, or in the place of the one of that day. */
export function RateForm({ form: { values, change }, rates, error, isSaving, onSave, rateField }: RateFormProps) {
  const { data: connection } = apiQuery.useQuery('get', '/api/v1/erp-connection', {}, { retry: false });
  const to = values.to === '' ? (connection?.functionalCurrency ?? '') : values.to;
  const { date, from } = values;
  const rate = rateTyped(values.rate, groupMarkOf(locale()));
  const before = rateLike(rates, { date, from, to });
  const isSame = from !== '' && from === to;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (rate !== undefined && !isSame && from !== '' && to !== '') {
          onSave({ date, from, to, rate });
        }
      }}
    >
      <Stack gap="xs">
        <Group align="flex-start">
          <TextInput
            type="date"
            required
            label={t('rates.day')}
            value={date}
            onChange={(event) => {
              change({ date: event.currentTarget.value });
            }}
          />
          <Currency
            label={t('rates.from')}
            value={from}
            onChoose={(currency) => {
              change({ from: currency });
            }}
          />
          <Currency
            label={t('rates.to')}
            value={to}
            error={isSame ? t('rates.sameCurrency') : undefined}
            onChoose={(currency) => {
              change({ to: currency });
            }}
          />
          <TextInput
            ref={rateField}
            required
            inputMode="decimal"
            autoComplete="off"
            label={t('rates.rate')}
            description={from !== '' && to !== '' ? t('rates.worth', { from, to }) : undefined}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            value={values.rate}
            error={values.rate === '' || rate !== undefined ? undefined : t('rates.form')}
            onChange={(event) => {
              change({ rate: event.currentTarget.value });
            }}
          />
        </Group>
        {error === null ? null : <Failed error={error} />}
        <Button type="submit" w="fit-content" loading={isSaving}>
          {t(before === undefined ? 'rates.save' : 'rates.saveCorrected', {
            rate: shownDecimal(before?.rate ?? '0'),
          })}
        </Button>
      </Stack>
    </form>
  );
}

interface CurrencyProps {
  readonly label: string;
  readonly value: string;
  readonly error?: string | undefined;
  readonly onChoose: (currency: string) => void;
}

function Currency({ label, value, error, onChoose }: CurrencyProps) {
  const names = new Intl.DisplayNames(locale(), { type: 'currency' });
  const currencies = Intl.supportedValuesOf('currency').map((code) => ({
    value: code,
    label: `${code} ${names.of(code) ?? ''}`,
  }));
  return (
    <NativeSelect
      label={label}
      required
      maw={220}
      error={error}
      value={value}
      data={['', ...currencies]}
      onChange={(event) => {
        onChoose(event.currentTarget.value);
      }}
    />
  );
}
