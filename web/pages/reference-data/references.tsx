import { Anchor, Group, Text } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { ReferenceResponse } from '../../api/schema.js';
import { shownDay, t, word } from '../../messages/text.js';
import { Choice } from '../../parts/choice.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Amounts } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { SearchBox } from '../../parts/filters/search-box.js';
import { Loaded, State } from '../../parts/states.js';
import { fillForm } from '../../parts/stored-form.js';
import { useMay } from '../../parts/roles.js';
import { chosenOf, useFilters } from '../../shell/address.js';

export const KINDS = ['categories', 'tax-codes', 'tags', 'vendors'] as const;
export type Kind = (typeof KINDS)[number];
const STATES = ['', 'unmapped', 'broken', 'partly', 'mapped'] as const;
const ACTIVE = ['true', 'false', ''] as const;
/** Where each kind is mapped. */
const TABS: Readonly<Record<Kind, string>> = {
  categories: 'account',
  'tax-codes': 'tax-code',
  tags: 'tag',
  vendors: 'vendors',
};

/** A list of the platform: what each of it is in the books, what has no partner yet first, by use. */
export function References({ kind }: { readonly kind: Kind }) {
  const [filters, setFilters] = useFilters({ state: '', active: 'true', search: '' });
  const state = STATES.find((one) => one === filters.state) ?? '';
  const active = ACTIVE.find((one) => one === filters.active) ?? 'true';
  const { search } = filters;
  const query = {
    ...chosenOf({ search }),
    ...(state === '' ? {} : { state }),
    ...(active === '' ? {} : { active }),
  };
  const list = apiQuery.useInfiniteQuery(
    'get',
    `/api/v1/reference-data/${kind}`,
    { params: { query } },
    { ...PAGED, placeholderData: keepPreviousData, retry: false },
  );
  const first = list.data?.pages[0];
  return (
    <>
      <Group mb="md">
        <SearchBox
          value={search}
          onSearch={(text) => {
            setFilters({ search: text });
          }}
        />
        <Choice
          label={t('export.state')}
          value={state}
          values={STATES}
          textOf={(value) => (value === '' ? t('exports.everyState') : word('state', value))}
          onChoose={(value) => {
            setFilters({ state: value });
          }}
        />
        <Choice
          label={t('references.archived')}
          value={active}
          values={ACTIVE}
          textOf={(value) => t(`references.active-${value === '' ? 'both' : value}`)}
          onChoose={(value) => {
            setFilters({ active: value });
          }}
        />
        {first === undefined ? null : (
          <Text role="status">{t('references.counts', { ...first.counts, total: first.total })}</Text>
        )}
      </Group>
      <Loaded query={{ ...list, data: rowsOf(list.data) }}>
        {(rows) => (
          <DataTable
            label={t(`references.${kind}`)}
            empty={t('list.nothingFound')}
            rows={rows}
            keyOf={({ id }) => id}
            more={list.hasNextPage ? () => void list.fetchNextPage() : undefined}
            isLoadingMore={list.isFetchingNextPage}
            columns={[
              { header: t('mapping.source'), cell: (row) => <Named row={row} /> },
              { header: t('export.state'), cell: (row) => <State state={row.state} /> },
              { header: t('mapping.target'), cell: (row) => <Target row={row} tab={TABS[kind]} /> },
              {
                header: t('mapping.used'),
                isAmount: true,
                cell: ({ entries, amounts }) => (
                  <>
                    {t('issue.entries', { entries })}
                    <Amounts amounts={amounts} />
                  </>
                ),
              },
              {
                header: t('mapping.lastSeen'),
                cell: ({ lastUsed }) => <span className="figure">{lastUsed === null ? '–' : shownDay(lastUsed)}</span>,
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

function Named({ row: { code, name, group, groupName, active } }: { readonly row: ReferenceResponse }) {
  return (
    <div className="wrap">
      <strong>{code}</strong> {name}
      <Text size="sm" c="dimmed">
        {[groupName ?? group, active ? null : t('references.active-false')].filter(Boolean).join(' · ')}
      </Text>
    </div>
  );
}

function Target({
  row: { code, group, target, ruleId, furtherRules },
  tab,
}: {
  readonly row: ReferenceResponse;
  readonly tab: string;
}) {
  const navigate = useNavigate();
  const isRule = ruleId !== null || furtherRules > 0;
  // Matching vendors is for administrators, rules are for bookkeepers.
  const mayMap = useMay(tab === 'vendors' ? 'admin' : 'bookkeeper');
  return (
    <div className="wrap">
      {target === null ? '–' : [target.group, target.code, target.name].filter(Boolean).join(' · ')}{' '}
      {isRule || (target === null && mayMap) ? (
        <Anchor
          component="button"
          size="sm"
          onClick={() => {
            const opensForm = !isRule && tab !== 'vendors';
            if (opensForm) {
              fillForm(`rule ${tab}`, { sourceGroup: group ?? '', source: code });
            }
            void navigate({ to: '/mapping', search: { tab, ...(opensForm ? { dialog: 'rule' } : {}) } });
          }}
        >
          {t(isRule ? 'references.rule' : 'references.map')}
        </Anchor>
      ) : null}
    </div>
  );
}
