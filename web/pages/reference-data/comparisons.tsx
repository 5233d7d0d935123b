import { Anchor, Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded, State } from '../../parts/states.js';
import { Needs } from '../../parts/roles.js';
import { tellRefused } from '../../parts/refused.js';

const KINDS = ['tax-codes', 'accounts', 'tags', 'vendors'] as const;

/** Has both sides compared now. */
export function CompareNow() {
  const queryClient = useQueryClient();
  const start = apiQuery.useMutation('post', '/api/v1/reference-data/runs', {
    onSuccess: async () => {
      notifications.show({ message: t('sync.started') });
      await queryClient.invalidateQueries();
    },
    onError: (error) => {
      tellRefused(error);
    },
  });
  return (
    <Needs role="bookkeeper" explained>
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
          isLoadingMore={runs.isFetchingNextPage}
          columns={[
            { header: t('sync.requested'), cell: ({ id, requestedAt }) => <ToRun id={id} at={requestedAt} /> },
            {
              header: t('sync.kind'),
              cell: ({ kind, isPreview }) =>
                [word('sync-kind', kind), isPreview ? t('sync.preview') : null].filter(Boolean).join(' · '),
            },
            {
              header: t('export.state'),
              cell: ({ state, confirmation, failure }) => (
                <Group gap="xs">
                  <State state={state} />
                  {confirmation === null ? failure : t('confirm.waits', { ...confirmation })}
                </Group>
              ),
            },
            {
              header: t('sync.changes'),
              cell: ({ counts }) => t('sync.counts', { ...counts }),
            },
          ]}
        />
      )}
    </Loaded>
  );
}

function ToRun({ id, at }: { readonly id: string; readonly at: string }) {
  return (
    <Anchor component={Link} to={`/reference-data/${id}`}>
      {shownTime(at)}
    </Anchor>
  );
}
