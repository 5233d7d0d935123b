import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import type { ReconciliationResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { shownCount } from '../../messages/values.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { Needs } from '../../parts/roles.js';
import { tellRefused } from '../../parts/refused.js';
import { AlertLimit } from './alert-limit.js';
import { Discrepancies } from './discrepancies.js';
import { InDoubt } from './in-doubt.js';

/** Platform, record and accounting system compared: what differs, what is uncertain, and each comparison. */
export function ReconciliationPage() {
  const queryClient = useQueryClient();
  const runs = apiQuery.useInfiniteQuery('get', '/api/v1/reconciliation', {}, PAGED);
  const start = apiQuery.useMutation('post', '/api/v1/reconciliation', {
    onSuccess: async () => {
      notifications.show({ message: t('reconciliation.started') });
      await queryClient.invalidateQueries();
    },
    onError: (error) => {
      tellRefused(error);
    },
  });
  const status = runs.data?.pages[0];
  // One of a single export compares that one only.
  const isUnderWay = rowsOf(runs.data)?.some(
    ({ kind, state }) => kind === 'period' && (state === 'requested' || state === 'running'),
  );
  return (
    <>
      <PageTitle title={t('nav.reconciliation')}>
        <Needs role="bookkeeper" explained>
          <Group gap="sm">
            {isUnderWay === true ? (
              <Text size="sm" c="dimmed" role="status">
                {t('reconciliation.underWay')}
              </Text>
            ) : null}
            <Button
              variant="default"
              loading={start.isPending}
              disabled={isUnderWay === true}
              onClick={() => {
                start.mutate({ body: {} });
              }}
            >
              {t('reconciliation.start')}
            </Button>
          </Group>
        </Needs>
      </PageTitle>
      <Stack gap="xl">
        <div>
          <Discrepancies />
          {status === undefined ? null : <AlertLimit days={status.alertAfterDays} key={status.alertAfterDays} />}
        </div>
        <InDoubt />
        <section aria-label={t('reconciliation.runs')}>
          <Title order={2} size="h4" mb="sm">
            {t('reconciliation.runs')}
          </Title>
          <Summary summary={status} />
          <Loaded query={{ ...runs, data: rowsOf(runs.data) }}>
            {(rows) => (
              <DataTable
                label={t('reconciliation.runs')}
                empty={t('reconciliation.none')}
                rows={rows}
                keyOf={({ id }) => id}
                more={runs.hasNextPage ? () => void runs.fetchNextPage() : undefined}
                columns={[
                  { header: t('reconciliation.requested'), cell: ({ requestedAt }) => shownTime(requestedAt) },
                  { header: t('reconciliation.reason'), cell: ({ reason }) => word('run-reason', reason) },
                  {
                    header: t('export.state'),
                    cell: ({ state, failure }) => (
                      <Group gap="xs">
                        <State state={state} />
                        {failure}
                      </Group>
                    ),
                  },
                  { header: t('export.items'), isAmount: true, cell: ({ items }) => shownCount(items) },
                  {
                    header: t('home.discrepancies'),
                    isAmount: true,
                    cell: ({ discrepancies }) => shownCount(discrepancies),
                  },
                ]}
              />
            )}
          </Loaded>
        </section>
      </Stack>
    </>
  );
}

function Summary({ summary }: { readonly summary: ReconciliationResponse | undefined }) {
  return summary?.nextRunAt ? (
    <Text size="sm" mb="sm">
      {t('home.nextReconciliation')}: {shownTime(summary.nextRunAt)}
    </Text>
  ) : null;
}
