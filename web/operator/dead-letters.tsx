import { Anchor, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../api/client.js';
import type { DeadLetterResponse } from '../api/schema.js';
import { shownTime, t } from '../messages/text.js';
import { shownCount } from '../messages/values.js';
import { DataTable, type Column } from '../parts/table/data-table.js';
import { PAGED, rowsOf } from '../parts/paged.js';
import { Loaded } from '../parts/states.js';
import { useDone } from './changed.js';
import { say, sayOf } from './words.js';

const REFRESH_MS = 15_000;

/** Tasks whose attempts were used up and messages that were quarantined, newest first; of one customer, or of all. */
export function DeadLetters({ customer }: { readonly customer?: string }) {
  const letters = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/operator/dead-letters',
    { params: { query: customer === undefined ? {} : { customer } } },
    { ...PAGED, refetchInterval: REFRESH_MS },
  );
  const done = useDone(say('letter.replayed'));
  const replay = apiQuery.useMutation('post', '/api/v1/operator/customers/{id}/dead-letters/{letterId}/replay', {
    onSuccess: ({ outcome }) =>
      outcome === 'quarantined' ? notifications.show({ message: say('letter.again') }) : done.onSuccess(),
    onError: done.onError,
  });
  const ofCustomer: Column<DeadLetterResponse> = {
    header: say('customer.name'),
    cell: ({ installationId, companyName }) => (
      <Anchor component={Link} to={`/customers/${installationId}`}>
        {companyName}
      </Anchor>
    ),
  };
  return (
    <Loaded query={{ ...letters, data: rowsOf(letters.data) }}>
      {(rows) => (
        <DataTable
          label={say('nav.deadLetters')}
          empty={say('letter.none')}
          rows={rows}
          keyOf={({ id }) => id}
          more={letters.hasNextPage ? () => void letters.fetchNextPage() : undefined}
          isLoadingMore={letters.isFetchingNextPage}
          columns={[
            { header: say('letter.at'), cell: ({ at }) => shownTime(at) },
            { header: say('letter.kind'), cell: ({ kind }) => sayOf('letter', kind) },
            ...(customer === undefined ? [ofCustomer] : []),
            { header: say('letter.subject'), cell: ({ subject }) => subject },
            { header: say('letter.problem'), cell: ({ problem }) => problem },
            { header: say('letter.times'), isAmount: true, cell: ({ times }) => shownCount(times) },
            {
              header: t('action.actions'),
              cell: ({ id, installationId }) => (
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => {
                    replay.mutate({ params: { path: { id: installationId, letterId: id } } });
                  }}
                >
                  {say('letter.replay')}
                </Button>
              ),
            },
          ]}
        />
      )}
    </Loaded>
  );
}
