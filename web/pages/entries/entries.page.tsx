import { Anchor, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import type { EntryResponse } from '../../api/schema.js';
import { shownDay, shownTime, t, word } from '../../messages/text.js';
import { Choice } from '../../parts/choice.js';
import { DataTable } from '../../parts/data-table.js';
import { Money } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { SearchBox } from '../../parts/search-box.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { chosenOf, useFilters } from '../../shell/address.js';

const STATES = ['', 'posted', 'failed', 'uncertain', 'reversed'] as const;
const STANDARD = { search: '', supplier: '', amount: '', account: '', from: '', to: '', state: '' };
/** As the API takes an amount: in main units. */
const AMOUNT = /^\d{1,15}([.,]\d{1,4})?$/;
const TYPING_MS = 300;

/** Every entry of all exports, found by what a bookkeeper knows of it. */
export function EntriesPage() {
  const [filters, setFilters] = useFilters(STANDARD);
  const state = STATES.find((one) => one === filters.state) ?? '';
  const { search, supplier, account, from, to } = filters;
  const amount = AMOUNT.test(filters.amount) ? filters.amount : '';
  const query = chosenOf({ search, supplier, amount, account, from, to });
  const entries = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/entries',
    { params: { query: { ...query, ...(state === '' ? {} : { state }) } } },
    { ...PAGED, placeholderData: keepPreviousData },
  );
  const isSearched = state !== '' || Object.keys(query).length > 0;
  const change = (name: keyof typeof STANDARD) => (text: string) => {
    setFilters({ [name]: text });
  };
  return (
    <>
      <PageTitle title={t('nav.entries')} />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} mb="md" className="fields">
        <SearchBox value={search} placeholder={t('entries.search')} onSearch={change('search')} />
        <Field label={t('entries.supplier')} value={supplier} onType={change('supplier')} />
        <Field
          label={t('item.amount')}
          value={filters.amount}
          onType={change('amount')}
          error={filters.amount === amount ? undefined : t('entries.amountForm')}
        />
        <Field label={t('entry.account')} value={account} onType={change('account')} />
        {(['from', 'to'] as const).map((name) => (
          <Field key={name} type="date" label={t(`entries.${name}`)} value={filters[name]} onType={change(name)} />
        ))}
        <Choice
          label={t('export.state')}
          value={state}
          values={STATES}
          textOf={(value) => (value === '' ? t('exports.everyState') : word('state', value))}
          onChoose={change('state')}
        />
      </SimpleGrid>
      <Loaded query={{ ...entries, data: rowsOf(entries.data) }}>
        {(rows) => (
          <DataTable
            label={t('nav.entries')}
            empty={t(isSearched ? 'list.nothingFound' : 'exports.empty')}
            rows={rows}
            keyOf={({ accountingEntryId }) => accountingEntryId}
            more={entries.hasNextPage ? () => void entries.fetchNextPage() : undefined}
            isLoadingMore={entries.isFetchingNextPage}
            columns={[
              {
                header: t('item.date'),
                cell: ({ date }) => <span className="figure">{date === null ? '–' : shownDay(date)}</span>,
              },
              { header: t('item.supplier'), cell: (entry) => <What entry={entry} /> },
              {
                header: t('entry.account'),
                cell: ({ accounts }) =>
                  accounts.map(({ code, name }) => <div key={code}>{[code, name].filter(Boolean).join(' ')}</div>),
              },
              { header: t('item.amount'), isAmount: true, cell: (entry) => <Money money={entry.amount} /> },
              { header: t('export.state'), cell: (entry) => <State state={entry.state} /> },
              {
                header: t('entry.export'),
                cell: ({ exportJobId, detectedAt }) => (
                  <Anchor component={Link} to={`/exports/${exportJobId}`} size="sm">
                    {shownTime(detectedAt)}
                  </Anchor>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

function What({ entry }: { readonly entry: EntryResponse }) {
  const { accountingEntryId, supplier, type, documentNumber, failure, externalUrl } = entry;
  const kind = type === null ? null : word('item-type', type);
  return (
    <div className="wrap">
      <Anchor component={Link} to={`/entries/${accountingEntryId}`}>
        {supplier ?? kind ?? t('item.why')}
      </Anchor>
      <Text size="sm" c="dimmed">
        {[supplier === null ? null : kind, documentNumber, failure?.text].filter(Boolean).join(' · ')}
      </Text>
      {externalUrl === null ? null : (
        <Anchor href={externalUrl} target="_blank" rel="noreferrer" size="sm">
          {t('item.open')}
        </Anchor>
      )}
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onType: (text: string) => void;
  readonly type?: 'date';
  readonly error?: string | undefined;
}

/** Searches soon after the last key. */
function Field({ label, value, onType, type, error }: FieldProps) {
  const [text, setText] = useState(value);
  const tell = useDebouncedCallback(onType, TYPING_MS);
  return (
    <TextInput
      {...(type === undefined ? { placeholder: label, 'aria-label': label } : { type, label })}
      value={text}
      error={error}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value);
      }}
    />
  );
}
