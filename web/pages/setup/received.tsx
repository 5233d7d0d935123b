import { Button, Collapse, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import type { NotificationResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { Choice } from '../../parts/choice.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { useMay } from '../../parts/roles.js';
import { Loaded, State } from '../../parts/states.js';
import { tellRefused } from '../../parts/refused.js';

const STATES = ['', 'taken', 'ignored', 'quarantined', 'replayed'] as const;

/** What the platform has sent, for who looks for it: also what was set aside, and a way to take it in once more. */
export function Received() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button
        variant="default"
        w="fit-content"
        aria-expanded={isOpen}
        onClick={() => {
          setOpen(!isOpen);
        }}
      >
        {t(isOpen ? 'received.hide' : 'received.show')}
      </Button>
      <Collapse expanded={isOpen}>{isOpen ? <List /> : null}</Collapse>
    </>
  );
}

function List() {
  const [state, setState] = useState<(typeof STATES)[number]>('');
  const isAdmin = useMay('admin');
  const received = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/notifications',
    { params: { query: state === '' ? {} : { state } } },
    PAGED,
  );
  return (
    <Stack gap="xs">
      <Group>
        <Choice
          label={t('export.state')}
          value={state}
          values={STATES}
          textOf={(value) => (value === '' ? t('exports.everyState') : t(`received-state.${value}`))}
          onChoose={setState}
        />
        <Text size="sm" c="dimmed">
          {t('received.note')}
        </Text>
      </Group>
      <Loaded query={{ ...received, data: rowsOf(received.data) }}>
        {(rows) => (
          <DataTable
            label={t('received.title')}
            empty={t('received.none')}
            rows={rows}
            keyOf={({ id }) => id}
            more={received.hasNextPage ? () => void received.fetchNextPage() : undefined}
            isLoadingMore={received.isFetchingNextPage}
            columns={[
              { header: t('received.at'), cell: ({ receivedAt }) => shownTime(receivedAt) },
              {
                header: t('versions.what'),
                cell: ({ eventType, eventId }) => (
                  <div className="wrap">
                    {eventType === null ? t('received.unreadable') : word('event', eventType)}
                    <Text size="sm" c="dimmed">
                      {eventId}
                    </Text>
                  </div>
                ),
              },
              { header: t('export.state'), cell: (one) => <Outcome message={one} /> },
              ...(isAdmin ? [{ header: t('action.actions'), cell: Again }] : []),
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

function Outcome({ message: { state, detail, deliveries } }: { readonly message: NotificationResponse }) {
  return (
    <div className="wrap">
      {state === 'quarantined' ? <State state={state} /> : t(`received-state.${state}`)}
      {detail === null ? null : <Text size="sm">{detail}</Text>}
      {deliveries > 1 ? (
        <Text size="sm" c="dimmed">
          {t('received.deliveries', { count: deliveries })}
        </Text>
      ) : null}
    </div>
  );
}

function Again({ id, receivedAt }: NotificationResponse) {
  return <AgainButton id={id} at={shownTime(receivedAt)} />;
}

/** Nothing is done twice by it: what was done already is recognized. */
function AgainButton({ id, at }: { readonly id: string; readonly at: string }) {
  const queryClient = useQueryClient();
  const replay = apiQuery.useMutation('post', '/api/v1/notifications/{id}/replay', {
    onSuccess: async ({ outcome, detail }) => {
      const color = outcome === 'quarantined' ? 'orange' : 'green';
      notifications.show({ color, title: t(`received.outcome-${outcome}`), message: detail });
      await queryClient.invalidateQueries();
    },
    onError: (error) => {
      tellRefused(error);
    },
  });
  return (
    <Button
      size="xs"
      variant="default"
      aria-label={t('received.againOf', { at })}
      loading={replay.isPending}
      onClick={() => {
        replay.mutate({ params: { path: { id } } });
      }}
    >
      {t('received.again')}
    </Button>
  );
}
