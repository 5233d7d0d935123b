import { Alert, Anchor, Card, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { SyncRunResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { useAddress } from '../../shell/address.js';
import { ConfirmArchives } from './confirm-archives.js';
import { RunRecords } from './run-records.js';

/** One run of reference data: how it ended, what it changed record by record, and what it waits for. */
export function RunPage() {
  const { id } = useAddress();
  const run = apiQuery.useQuery('get', '/api/v1/reference-data/runs/{id}', { params: { path: { id } } });
  const title =
    run.data === undefined
      ? t('sync.title')
      : t('sync.of', { kind: word('sync-kind', run.data.kind), at: shownTime(run.data.requestedAt) });
  return (
    <>
      <PageTitle title={title}>
        <Anchor component={Link} to="/reference-data">
          {t('sync.all')}
        </Anchor>
      </PageTitle>
      <Loaded query={run}>
        {(data) => (
          <Stack>
            <Summary run={data} />
            <RunRecords run={data} key={data.id} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Summary({ run }: { readonly run: SyncRunResponse }) {
  const { state, isPreview, reason, finishedAt, counts, confirmation, failure } = run;
  return (
    <Card withBorder>
      <Group>
        <State state={state} />
        <Text>{t('sync.counts', { ...counts })}</Text>
        <Text size="sm" c="dimmed">
          {[
            isPreview ? t('sync.preview') : null,
            word('sync-reason', reason),
            finishedAt === null ? null : t('sync.finished', { at: shownTime(finishedAt) }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
      </Group>
      {failure === null ? null : (
        <Alert color={confirmation === null ? 'red' : 'orange'} mt="sm">
          {confirmation === null ? failure : t('confirm.why', { ...confirmation })}
        </Alert>
      )}
      {confirmation === null ? null : <ConfirmArchives run={run} confirmation={confirmation} />}
    </Card>
  );
}
