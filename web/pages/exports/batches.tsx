import { Anchor, Button, Group, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import { fileLink } from '../../api/reader.js';
import { shownTime, t } from '../../messages/text.js';
import { shownCount } from '../../messages/values.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded } from '../../parts/states.js';
import { Needs } from '../../parts/roles.js';
import { tellRefused } from '../../parts/refused.js';

const BATCHES = '/api/v1/erp-batches';

/** For a company whose accounting system reads files: what is to be imported there, with the receipts beside it. */
export function Batches() {
  const connection = apiQuery.useQuery('get', '/api/v1/erp-connection', {}, { retry: false });
  return connection.data?.givesFiles === true ? <GivenOut /> : null;
}

function GivenOut() {
  const queryClient = useQueryClient();
  const batches = apiQuery.useInfiniteQuery('get', BATCHES, {}, PAGED);
  const close = apiQuery.useMutation('post', BATCHES, {
    onSuccess: async ({ data }) => {
      notifications.show({ color: 'green', message: t('batches.closed', { count: data.length }) });
      await queryClient.invalidateQueries();
    },
    onError: (error) => {
      tellRefused(error);
    },
  });
  return (
    <section aria-label={t('batches.title')}>
      <Group justify="space-between" mt="xl" mb="xs">
        <Title order={2} size="h3">
          {t('batches.title')}
        </Title>
        <Needs role="bookkeeper">
          <Button
            variant="default"
            loading={close.isPending}
            onClick={() => {
              close.mutate({});
            }}
          >
            {t('batches.close')}
          </Button>
        </Needs>
      </Group>
      <Text size="sm" c="dimmed" mb="md">
        {t('batches.note')}
      </Text>
      <Loaded query={{ ...batches, data: rowsOf(batches.data) }}>
        {(rows) => (
          <DataTable
            label={t('batches.title')}
            empty={t('batches.none')}
            rows={rows}
            keyOf={({ number }) => number.toString()}
            more={batches.hasNextPage ? () => void batches.fetchNextPage() : undefined}
            isLoadingMore={batches.isFetchingNextPage}
            columns={[
              { header: t('batches.number'), cell: ({ number }) => number },
              {
                header: t('batches.file'),
                cell: ({ number, fileName, sha256 }) => (
                  <Anchor href={fileLink(`${BATCHES}/${number.toString()}`)} download title={`SHA-256 ${sha256}`}>
                    {fileName}
                  </Anchor>
                ),
              },
              { header: t('batches.made'), cell: ({ closedAt }) => shownTime(closedAt) },
              { header: t('batches.entries'), isAmount: true, cell: ({ entries }) => shownCount(entries) },
              {
                header: t('batches.receipts'),
                cell: ({ number, receipts }) => <Receipts number={number} receipts={receipts} />,
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}

function Receipts({ number, receipts }: { readonly number: number; readonly receipts: number }) {
  if (receipts === 0) {
    return 0;
  }
  const path = `${BATCHES}/${number.toString()}`;
  return (
    <Group gap="sm">
      <span>{shownCount(receipts)}</span>
      <Anchor href={fileLink(`${path}/receipts`)} download>
        {t('batches.receiptsOf')}
      </Anchor>
      <Anchor href={fileLink(`${path}/receipt-list`)} download>
        {t('batches.receiptList')}
      </Anchor>
    </Group>
  );
}
