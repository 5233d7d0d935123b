import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useRef } from 'react';
import type { ExchangeRatesResponse } from '../../api/schema.js';
import { locale } from '../../messages/language.js';
import { shownDay, shownTime, t } from '../../messages/text.js';
import { shownDecimal } from '../../messages/values.js';
import { DataTable } from '../../parts/table/data-table.js';
import { tellUndoable } from '../../parts/held/held.js';
import { useNames } from '../../parts/people.js';
import { Needs, useMay } from '../../parts/roles.js';
import { Loaded } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { RateFile } from './rate-file.js';
import { RateForm } from './rate-form.js';
import {
  csvOfRates,
  keyOfRate,
  rateLike,
  ratesOf,
  withoutRate,
  withRate,
  type Rate,
} from '../../parts/figures/rate-lines.js';
import { asTyped } from '../../parts/figures/typed-number.js';
import { useRates } from './use-rates.js';

/** The exchange rates of a company whose accounting system has none: one by one, or as a file. */
export function Rates() {
  const { query, ...changing } = useRates();
  return <Loaded query={query}>{(table) => <Table table={table} changing={changing} />}</Loaded>;
}

interface TableProps {
  readonly table: Partial<ExchangeRatesResponse>;
  readonly changing: Omit<ReturnType<typeof useRates>, 'query'>;
}

function Table({ table, changing }: TableProps) {
  const { change, isChanging, rateError, fileError } = changing;
  const isAdmin = useMay('admin');
  const rateField = useRef<HTMLInputElement>(null);
  const form = useStoredForm('exchange rate', { date: '', from: '', to: '', rate: '' });
  const rates = ratesOf(table.csv ?? '');
  const putBack = (changed: Rate) => {
    const before = rateLike(rates, changed);
    change((all) => (before === undefined ? withoutRate(all, changed) : withRate(all, before)));
  };
  const save = (rate: Rate) => {
    change((all) => withRate(all, rate), {
      onSuccess: () => {
        form.clear();
        tellUndoable(t('rates.saved', { ...named(rate), rate: shownDecimal(rate.rate) }), () => {
          putBack(rate);
        });
      },
    });
  };
  const remove = (rate: Rate) => {
    change((all) => withoutRate(all, rate), {
      onSuccess: () => {
        tellUndoable(t('rates.removed', named(rate)), () => {
          putBack(rate);
        });
      },
    });
  };
  const replace = (csv: string, onSaved: () => void) => {
    const before = table.csv ?? csvOfRates([]);
    change(
      { version: table.version ?? 0, csv },
      {
        onSuccess: ({ version }) => {
          onSaved();
          tellUndoable(t('rates.replaced'), () => {
            change({ version, csv: before });
          });
        },
      },
    );
  };
  const actions = {
    header: t('action.actions'),
    cell: (rate: Rate) => (
      <Actions
        rate={rate}
        onCorrect={() => {
          form.change({ ...rate, rate: asTyped(rate.rate, locale()) });
          rateField.current?.focus();
        }}
        onRemove={() => {
          remove(rate);
        }}
      />
    ),
  };
  return (
    <Stack>
      <About table={table} />
      <Needs role="admin" explained>
        <RateForm
          form={form}
          rates={rates}
          error={rateError}
          isSaving={isChanging}
          onSave={save}
          rateField={rateField}
        />
        <RateFile csv={table.csv} count={rates.length} error={fileError} isSaving={isChanging} onSave={replace} />
        <Text size="sm">
          {t('rates.afterwards')}{' '}
          <Anchor component={Link} to="/issues" td="underline" inherit>
            {t('issue.all')}
          </Anchor>
        </Text>
      </Needs>
      <DataTable
        label={t('references.rates')}
        empty={t('rates.none')}
        rows={rates.toSorted((one, other) => (keyOfRate(one) < keyOfRate(other) ? 1 : -1))}
        keyOf={keyOfRate}
        columns={[
          { header: t('rates.day'), cell: ({ date }) => shownDay(date) },
          { header: t('rates.from'), cell: ({ from }) => from },
          { header: t('rates.to'), cell: ({ to }) => to },
          { header: t('rates.rate'), isAmount: true, cell: ({ rate }) => shownDecimal(rate) },
          ...(isAdmin ? [actions] : []),
        ]}
      />
    </Stack>
  );
}

interface ActionsProps {
  readonly rate: Rate;
  readonly onCorrect: () => void;
  readonly onRemove: () => void;
}

function Actions({ rate, onCorrect, onRemove }: ActionsProps) {
  return (
    <Group gap="xs">
      <Button size="xs" variant="default" aria-label={t('rates.correctOf', named(rate))} onClick={onCorrect}>
        {t('rates.correct')}
      </Button>
      <Button size="xs" variant="subtle" color="red" aria-label={t('rates.removeOf', named(rate))} onClick={onRemove}>
        {t('action.remove')}
      </Button>
    </Group>
  );
}

/** Whether they are used, how many there are, and who entered them. */
function About({ table }: { readonly table: TableProps['table'] }) {
  const nameOf = useNames();
  const { inUse, numberOfRates = 0, from, to, uploadedBy = '', uploadedAt } = table;
  return (
    <div>
      <Text>{t(inUse === undefined ? 'rates.whenNeeded' : inUse ? 'rates.inUse' : 'rates.notInUse')}</Text>
      {uploadedAt === undefined ? null : (
        <Text size="sm" c="dimmed">
          {from && to
            ? t('rates.counts', { count: numberOfRates, from: shownDay(from), to: shownDay(to) })
            : t('rates.none')}{' '}
          {t('rates.by', { name: nameOf(uploadedBy), at: shownTime(uploadedAt) })}
        </Text>
      )}
    </div>
  );
}

function named({ date, from, to }: Rate) {
  return { day: shownDay(date), from, to };
}
