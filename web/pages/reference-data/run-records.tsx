import { Group, Text, Title } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import type { SyncRecordResponse, SyncRunResponse } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';
import { Choice } from '../../parts/choice.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded, State } from '../../parts/states.js';
import { useFilters } from '../../shell/address.js';

const ACTIONS = ['', 'create', 'update', 'archive', 'unarchive', 'activate', 'create-in-erp'] as const;
const OUTCOMES = ['', 'planned', 'sent', 'done', 'problem'] as const;

/** Each record that a run changed, would change or could not change. Where it waits to archive some, these come first. */
export function RunRecords({ run: { id, confirmation } }: { readonly run: SyncRunResponse }) {
  const [filters, setFilters] = useFilters({ action: confirmation === null ? '' : 'archive', outcome: '' });
  const action = ACTIONS.find((one) => one === filters.action) ?? '';
  const outcome = OUTCOMES.find((one) => one === filters.outcome) ?? '';
  const query = { ...(action === '' ? {} : { action }), ...(outcome === '' ? {} : { outcome }) };
  const records = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/reference-data/runs/{id}/records',
    { params: { path: { id }, query } },
    { ...PAGED, placeholderData: keepPreviousData },
  );
  return (
    <section aria-label={t('sync.records')}>
      <Title order={2} size="h4" mb="sm">
        {t('sync.records')}
      </Title>
      <Group mb="md">
        <Choice
          label={t('sync.action')}
          value={action}
          values={ACTIONS}
          textOf={(value) => (value === '' ? t('sync.everyAction') : word('sync-action', value))}
          onChoose={(value) => {
            setFilters({ action: value });
          }}
        />
        <Choice
          label={t('sync.outcome')}
          value={outcome}
          values={OUTCOMES}
          textOf={(value) => (value === '' ? t('sync.everyOutcome') : word('state', shownOutcome(value)))}
          onChoose={(value) => {
            setFilters({ outcome: value });
          }}
        />
      </Group>
      <Loaded query={{ ...records, data: rowsOf(records.data) }}>
        {(rows) => (
          <DataTable
            label={t('sync.records')}
            empty={t(action === '' && outcome === '' ? 'sync.noRecords' : 'list.nothingFound')}
            rows={rows}
            keyOf={({ seq }) => seq.toString()}
            more={records.hasNextPage ? () => void records.fetchNextPage() : undefined}
            isLoadingMore={records.isFetchingNextPage}
            columns={[
              { header: t('sync.kind'), cell: ({ subject }) => word('sync-subject', subject) },
              {
                header: t('sync.record'),
                cell: ({ key, name }) => (
                  <div className="wrap">
                    <strong>{key}</strong> {name}
                  </div>
                ),
              },
              {
                header: t('sync.action'),
                cell: ({ action: one }) => (one === null ? t('sync.noAction') : word('sync-action', one)),
              },
              { header: t('sync.outcome'), cell: (record) => <Outcome record={record} /> },
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}

/** What was sent, and has no response yet, is in doubt. */
function shownOutcome(outcome: SyncRecordResponse['outcome']): string {
  return outcome === 'sent' ? 'uncertain' : outcome;
}

function Outcome({ record: { outcome, detail } }: { readonly record: SyncRecordResponse }) {
  return (
    <div className="wrap">
      <State state={shownOutcome(outcome)} />
      {detail === null ? null : <Text size="sm">{detail}</Text>}
    </div>
  );
}
