import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded, problemText, State } from '../../parts/states.js';
import { Needs } from '../../parts/roles.js';

const KINDS = ['tax-codes', 'accounts', 'tags', 'vendors'] as const;

/** Has both sides compared now. */
export function CompareNow() {
  const queryClient = useQueryClient();
  const start = apiQuery.useMutation('post', '/api/v1/reference-data/runs', {
    onSuccess: async () => {
      notifications.show({ message: t('sync.started') });
      await queryClient.invalidateQueries();
    },
    onError: (error) => notifications.show({ color: 'red', message: problemText(error) }),
  });
  return (
    <Needs role="bookkeeper">
      <Button
        variant="default"
        loading={start.isPending}
        onClick={() => {
          start.mutate({ body: { kinds: [...KINDS] } });
        }}
      >
        {t('sync.start')}
      </Button>
    </Needs>
  );
}

/** When accounts, tax codes, tags and vendors of both sides were compared, and what that changed on the platform. */
export function Comparisons() {
  const runs = apiQuery.useInfiniteQuery('get', '/api/v1/reference-data/runs', {}, PAGED);
  return (
    <Loaded query={{ ...runs, data: rowsOf(runs.data) }}>
      {(rows) => (
        <DataTable
          label={t('nav.referenceData')}
          empty={t('sync.none')}
          rows={rows}
          keyOf={({ id }) => id}
          more={runs.hasNextPage ? () => void runs.fetchNextPage() : undefined}
          columns={[
            { header: t('sync.requested'), cell: ({ requestedAt }) => shownTime(requestedAt) },
            { header: t('sync.kind'), cell: ({ kind }) => word('sync-kind', kind) },
            {
              header: t('export.state'),
              cell: ({ state, failure }) => (
                <Group gap="xs">
                  <State state={state} />
                  {failure}
                </Group>
              ),
            },
            {
              header: t('sync.changes'),
              cell: ({ counts }) =>
                t('sync.counts', {
                  created: counts.created,
                  updated: counts.updated,
                  archived: counts.archived,
                  problems: counts.problems,
                }),
            },
          ]}
        />
      )}
    </Loaded>
  );
}
