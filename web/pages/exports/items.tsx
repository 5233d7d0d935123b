import { Anchor, Button, Group, SegmentedControl, SimpleGrid, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { ItemResponse, ItemsResponse, JobResponse } from '../../api/schema.js';
import { dayOrNone } from '../../messages/company-days.js';
import { shownDay, t, word } from '../../messages/text.js';
import { Choice } from '../../parts/choice.js';
import { DataTable } from '../../parts/table/data-table.js';
import { AmountField, amountsOf, FilterField } from '../../parts/filters/filter-field.js';
import { personOf } from '../../parts/facts.js';
import { Found } from '../../parts/found.js';
import { Money } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { SearchBox } from '../../parts/filters/search-box.js';
import { Loaded, State } from '../../parts/states.js';
import { Outside } from '../../parts/outside.js';
import { chosenOf, useFilters } from '../../shell/address.js';

const STATES = ['all', 'failed', 'pending', 'successful'] as const;
const SORTS = [
  'position',
  ...(['date', 'supplier', 'account', 'amount'] as const).flatMap((by) => [by, `-${by}`] as const),
] as const;
const NARROWED = { supplier: '', person: '', minAmount: '', maxAmount: '', from: '', to: '' };
const STANDARD = { state: '', sort: 'position', search: '', type: '', account: '', ...NARROWED };
const ITEM_TYPES = [
  'card_purchase',
  'card_invoice',
  'atm_withdrawal',
  'fee',
  'refund',
  'chargeback',
  'cashback',
  'out_of_pocket',
  'mileage',
  'per_diem',
  'direct_reimbursement',
  'external_reimbursement',
  'personal_spend',
  'invoice',
  'invoice_payment',
  'wallet_topup',
  'wallet_unload',
] as const;

function emptyText({ state }: JobResponse, shown: string, isNarrowed: boolean) {
  if (isNarrowed) {
    return 'list.nothingFound';
  }
  return shown === 'all' && ['detected', 'running'].includes(state) ? 'items.notRead' : 'items.none';
}

/** What became of each item of an export: search, filters and order are those of the API. */
export function Items({ job }: { readonly job: JobResponse }) {
  const [filters, setFilters] = useFilters({ ...STANDARD, state: job.failed > 0 ? 'failed' : 'all' });
  const shown = STATES.find((value) => value === filters.state) ?? 'all';
  const sort = SORTS.find((value) => value === filters.sort) ?? 'position';
  const { search, type, account, supplier, person } = filters;
  const from = dayOrNone(filters.from);
  const to = dayOrNone(filters.to);
  const amounts = amountsOf({ minAmount: filters.minAmount, maxAmount: filters.maxAmount });
  const narrowed = chosenOf({ search, type, account, supplier, person, from, to, ...amounts });
  const state = shown === 'all' ? {} : { state: shown };
  const items = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/jobs/{id}/items',
    { params: { path: { id: job.id }, query: { ...state, sort, ...narrowed } } },
    { ...PAGED, placeholderData: keepPreviousData },
  );
  return (
    <>
      <ItemFilters filters={filters} shown={shown} found={items.data?.pages[0]} onFilter={setFilters} />
      <Loaded query={{ ...items, data: rowsOf(items.data) }}>
        {(rows) => (
          <DataTable
            label={t('export.items')}
            empty={t(emptyText(job, shown, Object.keys(narrowed).length > 0))}
            rows={rows}
            keyOf={({ accountingEntryId }) => accountingEntryId}
            more={items.hasNextPage ? () => void items.fetchNextPage() : undefined}
            isLoadingMore={items.isFetchingNextPage}
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
              { header: t('item.supplier'), sort: 'supplier', cell: (item) => <Who item={item} /> },
              {
                header: t('entry.account'),
                sort: 'account',
                cell: ({ accounts }) =>
                  accounts.map(({ code, name }) => (
                    <Anchor
                      key={code}
                      component="button"
                      display="block"
                      size="sm"
                      ta="inherit"
                      onClick={() => {
                        setFilters({ account: code, state: 'all' });
                      }}
                    >
                      {[code, name].filter(Boolean).join(' ')}
                    </Anchor>
                  )),
              },
              {
                header: t('item.amount'),
                sort: 'amount',
                isAmount: true,
                cell: ({ amount }) => <Money money={amount} />,
              },
              { header: t('export.state'), cell: ({ state: itemState }) => <State state={itemState} /> },
              { header: t('item.outcome'), cell: (item) => <Outcome item={item} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

interface ItemFiltersProps {
  readonly filters: typeof STANDARD;
  readonly shown: (typeof STATES)[number];
  readonly found: Pick<ItemsResponse, 'total' | 'amounts'> | undefined;
  readonly onFilter: (changed: Partial<typeof STANDARD>) => void;
}

function ItemFilters({ filters, shown, found, onFilter }: ItemFiltersProps) {
  const { search, type, account } = filters;
  const [isOpen, { toggle }] = useDisclosure(Object.keys(NARROWED).some((name) => Reflect.get(filters, name) !== ''));
  const change = (name: keyof typeof NARROWED) => (text: string) => {
    onFilter({ [name]: text });
  };
  return (
    <>
      <Group>
        <SegmentedControl
          aria-label={t('export.filter')}
          value={shown}
          onChange={(value) => {
            onFilter({ state: value });
          }}
          data={STATES.map((value) => ({ value, label: t(`items.${value}`) }))}
        />
        <SearchBox
          value={search}
          placeholder={t('items.search')}
          onSearch={(text) => {
            onFilter({ search: text });
          }}
        />
        <Choice
          label={t('item.type')}
          value={type}
          values={['', ...ITEM_TYPES]}
          textOf={(value) => (value === '' ? t('items.everyType') : word('item-type', value))}
          onChoose={(value) => {
            onFilter({ type: value });
          }}
        />
        {account === '' ? null : (
          <Button
            variant="light"
            size="xs"
            onClick={() => {
              onFilter({ account: '' });
            }}
          >
            {t('items.ofAccount', { account })} ×
          </Button>
        )}
        <Button variant="default" onClick={toggle} aria-expanded={isOpen}>
          {t('items.moreFilters')}
        </Button>
      </Group>
      {isOpen ? (
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} className="fields">
          {(['supplier', 'person'] as const).map((name) => (
            <FilterField key={name} label={t(`entries.${name}`)} value={filters[name]} onType={change(name)} />
          ))}
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
        </SimpleGrid>
      ) : null}
      {found === undefined ? null : <Found text={t('items.total', { total: found.total })} amounts={found.amounts} />}
    </>
  );
}

function Who({ item }: { readonly item: ItemResponse }) {
  const { supplier, documentNumber, type } = item;
  const person = personOf(item);
  return (
    <div className="wrap">
      <Text>{supplier ?? person ?? '–'}</Text>
      <Text size="sm" c="dimmed">
        {[type === null ? null : word('item-type', type), supplier === null ? null : person, documentNumber]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </div>
  );
}

function Outcome({ item }: { readonly item: ItemResponse }) {
  const {
    failureType,
    failure,
    failureReason,
    warnings,
    reportProblem,
    issueKeys,
    expenseUrl,
    externalUrl,
    accountingEntryId,
  } = item;
  return (
    <div className="wrap">
      {failureType === null ? null : <Text fw={500}>{failure?.text ?? word('failure', failureType)}</Text>}
      <Text size="sm">{failureReason ?? warnings.join(' ')}</Text>
      {reportProblem === null ? null : <Text size="sm">{reportProblem}</Text>}
      <Group gap="xs">
        {issueKeys.map((key) => (
          <Anchor key={key} component={Link} to={`/issues/${encodeURIComponent(key)}`} size="sm" fw={600}>
            {t('item.resolve')}
          </Anchor>
        ))}
        {item.state === 'pending' ? null : (
          <Anchor component={Link} to={`/entries/${accountingEntryId}`} size="sm">
            {t('item.why')}
          </Anchor>
        )}
        <Outside href={expenseUrl} label={t('item.expense')} />
        <Outside href={externalUrl} label={t('item.open')} />
      </Group>
    </div>
  );
}
