import { Anchor, Button, Group, SimpleGrid, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { EntryResponse } from '../../api/schema.js';
import { dayOrNone } from '../../messages/company-days.js';
import { shownDay, shownTime, t, word } from '../../messages/text.js';
import { Choice } from '../../parts/choice.js';
import { DataTable } from '../../parts/table/data-table.js';
import { personOf, titleOf } from '../../parts/facts.js';
import { AmountField, amountsOf, FilterField } from '../../parts/filters/filter-field.js';
import { Found } from '../../parts/found.js';
import { Money } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { SearchBox } from '../../parts/filters/search-box.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { Outside } from '../../parts/outside.js';
import { chosenOf, useFilters } from '../../shell/address.js';

const STATES = ['', 'posted', 'failed', 'uncertain', 'reversed'] as const;
const SORTS = [
  'newest',
  ...(['date', 'supplier', 'account', 'amount'] as const).flatMap((by) => [by, `-${by}`] as const),
] as const;
const NARROWED = { minAmount: '', maxAmount: '', from: '', to: '' };
const STANDARD = {
  search: '',
  supplier: '',
  amount: '',
  account: '',
  state: '',
  ...NARROWED,
  sort: 'newest',
};

/** Every entry of all exports, found by what a bookkeeper knows of it. */
export function EntriesPage() {
  const [filters, setFilters] = useFilters(STANDARD);
  const state = STATES.find((one) => one === filters.state) ?? '';
  const { search, supplier, account } = filters;
  const from = dayOrNone(filters.from);
  const to = dayOrNone(filters.to);
  const sort = SORTS.find((one) => one === filters.sort) ?? 'newest';
  const amounts = { amount: filters.amount, minAmount: filters.minAmount, maxAmount: filters.maxAmount };
  const query = {
    ...chosenOf({ search, supplier, account, from, to, ...amountsOf(amounts) }),
    ...(state === '' ? {} : { state }),
  };
  const entries = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/entries',
    { params: { query: { ...query, ...(sort === 'newest' ? {} : { sort }) } } },
    { ...PAGED, placeholderData: keepPreviousData },
  );
  const totals = apiQuery.useQuery('get', '/api/v1/entries/totals', { params: { query } }).data;
  const isSearched = Object.keys(query).length > 0;
  return (
    <>
      <PageTitle title={t('nav.entries')} />
      <EntryFilters filters={filters} state={state} onFilter={setFilters} />
      {totals === undefined ? null : (
        <Found text={t('entries.total', { total: totals.total })} amounts={totals.amounts} />
      )}
      <Loaded query={{ ...entries, data: rowsOf(entries.data) }}>
        {(rows) => (
          <DataTable
            label={t('nav.entries')}
            empty={t(isSearched ? 'list.nothingFound' : 'exports.empty')}
            rows={rows}
            keyOf={({ accountingEntryId }) => accountingEntryId}
            more={entries.hasNextPage ? () => void entries.fetchNextPage() : undefined}
            isLoadingMore={entries.isFetchingNextPage}
            order={{
              by: sort,
              onOrder: (next) => {
                setFilters((now) => ({ sort: next(now.sort) }));
              },
            }}
            columns={[
              {
                header: t('item.date'),
                sort: 'date',
                cell: ({ date }) => <span className="figure">{date === null ? '–' : shownDay(date)}</span>,
              },
              { header: t('item.supplier'), sort: 'supplier', cell: (entry) => <What entry={entry} /> },
              {
                header: t('entry.account'),
                sort: 'account',
                cell: ({ accounts }) =>
                  accounts.map(({ code, name }) => <div key={code}>{[code, name].filter(Boolean).join(' ')}</div>),
              },
              {
                header: t('item.amount'),
                sort: 'amount',
                isAmount: true,
                cell: (entry) => <Money money={entry.amount} />,
              },
              { header: t('export.state'), cell: (entry) => <State state={entry.state} /> },
              {
                header: t('entry.export'),
                sort: 'newest',
                isSortedDownOnly: true,
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

interface EntryFiltersProps {
  readonly filters: typeof STANDARD;
  readonly state: (typeof STATES)[number];
  readonly onFilter: (changed: Partial<typeof STANDARD>) => void;
}

function EntryFilters({ filters, state, onFilter }: EntryFiltersProps) {
  const [isOpen, { toggle }] = useDisclosure(Object.keys(NARROWED).some((name) => Reflect.get(filters, name) !== ''));
  const change = (name: keyof typeof STANDARD) => (text: string) => {
    onFilter({ [name]: text });
  };
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} mb="md" className="fields">
      <SearchBox value={filters.search} placeholder={t('entries.search')} onSearch={change('search')} />
      <FilterField label={t('entries.supplier')} value={filters.supplier} onType={change('supplier')} />
      <FilterField label={t('entry.account')} value={filters.account} onType={change('account')} />
      <AmountField label={t('entries.amount')} value={filters.amount} onType={change('amount')} />
      <Choice
        label={t('export.state')}
        value={state}
        values={STATES}
        textOf={(value) => (value === '' ? t('exports.everyState') : word('state', value))}
        onChoose={change('state')}
      />
      <Button variant="default" onClick={toggle} aria-expanded={isOpen}>
        {t('items.moreFilters')}
      </Button>
      {isOpen ? (
        <>
          {(['minAmount', 'maxAmount'] as const).map((name) => (
            <AmountField key={name} label={t(`entries.${name}`)} value={filters[name]} onType={change(name)} />
          ))}
          {(['from', 'to'] as const).map((name) => (
            <FilterField
              key={name}
              type="date"
              label={t(`entries.${name}`)}
              value={filters[name]}
              onType={change(name)}
            />
          ))}
        </>
      ) : null}
    </SimpleGrid>
  );
}

function What({ entry }: { readonly entry: EntryResponse }) {
  const { accountingEntryId, supplier, type, documentNumber, failure, expenseUrl, externalUrl } = entry;
  const kind = type === null ? null : word('item-type', type);
  const details = supplier === null ? [documentNumber] : [kind, personOf(entry), documentNumber];
  return (
    <div className="wrap">
      <Anchor component={Link} to={`/entries/${accountingEntryId}`}>
        {titleOf(entry) ?? t('item.why')}
      </Anchor>
      <Text size="sm" c="dimmed">
        {[...details, failure?.text].filter(Boolean).join(' · ')}
      </Text>
      <Group gap="sm">
        <Outside href={expenseUrl} label={t('item.expense')} />
        <Outside href={externalUrl} label={t('item.open')} />
      </Group>
    </div>
  );
}
