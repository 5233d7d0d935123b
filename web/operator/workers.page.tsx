import { Badge, Button } from '@mantine/core';
import { apiQuery } from '../api/client.js';
import { shownTime, t } from '../messages/text.js';
import { DataTable } from '../parts/table/data-table.js';
import { hold } from '../parts/held/held.js';
import { Loaded, PageTitle } from '../parts/states.js';
import { useDone } from './changed.js';
import { say, sayOf } from './words.js';

const REFRESH_MS = 5_000;
const COLORS: Readonly<Record<string, string>> = { working: 'green', draining: 'orange', drained: 'blue' };

/** Worker processes of the last days. */
export function WorkersPage() {
  const workers = apiQuery.useQuery('get', '/api/v1/operator/workers', {}, { refetchInterval: REFRESH_MS });
  const done = useDone(say('worker.drains'));
  const drain = apiQuery.useMutation('post', '/api/v1/operator/workers/{id}/drain', done);
  return (
    <>
      <PageTitle title={say('nav.workers')} />
      <Loaded query={workers}>
        {({ data }) => (
          <DataTable
            label={say('nav.workers')}
            empty={say('worker.none')}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { header: say('worker.process'), cell: ({ host, pid }) => `${host} · ${pid.toString()}` },
              {
                header: say('customer.state'),
                cell: ({ state }) => (
                  <Badge color={COLORS[state] ?? 'gray'} variant="light" className="state">
                    {sayOf('worker', state)}
                  </Badge>
                ),
              },
              { header: say('worker.running'), isAmount: true, cell: ({ running }) => running },
              { header: say('worker.startedAt'), cell: ({ startedAt }) => shownTime(startedAt) },
              { header: say('worker.lastBeatAt'), cell: ({ lastBeatAt }) => shownTime(lastBeatAt) },
              { header: say('worker.drainedBy'), cell: ({ drainRequestedBy }) => drainRequestedBy },
              {
                header: t('action.actions'),
                cell: ({ id, host, pid, state }) =>
                  state === 'working' ? (
                    <Button
                      size="xs"
                      variant="default"
                      onClick={() => {
                        // It is not undone before the process is started again.
                        hold({
                          text: say('worker.willDrain', { worker: `${host} · ${pid.toString()}` }),
                          about: `worker ${id}`,
                          act: () => drain.mutateAsync({ params: { path: { id } }, keepalive: true }),
                        });
                      }}
                    >
                      {say('worker.drain')}
                    </Button>
                  ) : null,
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}
