import { Alert, Anchor, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../api/client.js';
import type { CustomerDetailResponse } from '../api/schema.js';
import { shownTime, t } from '../messages/text.js';
import { Clock } from '../parts/clock.js';
import { DataTable } from '../parts/table/data-table.js';
import { Loaded, PageTitle, State } from '../parts/states.js';
import { useStoredForm } from '../parts/stored-form.js';
import { useAddress } from '../shell/address.js';
import { useDone } from './changed.js';
import { Concerns } from './concerns.js';
import { DeadLetters } from './dead-letters.js';
import { FirstAdmin } from './first-admin.js';
import { StoredData } from './stored-data.js';
import { say } from './words.js';

const REFRESH_MS = 10_000;
const MAX_REASON = 300;

/** How one customer is, and what an operator can do about it. */
export function CustomerPage() {
  const { id } = useAddress();
  const customer = apiQuery.useQuery(
    'get',
    '/api/v1/operator/customers/{id}',
    { params: { path: { id } } },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Stack gap="lg">
      <Anchor component={Link} to="/">
        {say('customer.back')}
      </Anchor>
      <Loaded query={customer}>{(found) => <Details of={found} />}</Loaded>
    </Stack>
  );
}

function Details({ of: customer }: { readonly of: CustomerDetailResponse }) {
  const { id, companyId, companyName, state, hasAdmin, erp, connectionProblem, lastExportAt, lastExportState } =
    customer;
  return (
    <>
      <div>
        <PageTitle title={companyName}>
          <State state={state} />
        </PageTitle>
        <Text size="sm" c="dimmed" className="wrap">
          {say('customer.ids', { id, companyId })}
        </Text>
      </div>
      <Concerns of={customer} />
      <Text>
        {lastExportAt === null || lastExportState === null
          ? say('customer.neverExported')
          : say('customer.lastExportAt', { at: shownTime(lastExportAt) })}{' '}
        {lastExportState === null ? null : <State state={lastExportState} />}
      </Text>
      {erp === null ? (
        <Text>{say('customer.noErp')}</Text>
      ) : (
        <Text>
          {say('customer.erp', { kind: erp.kind })} <State state={erp.state} /> {erp.problem}
        </Text>
      )}
      {connectionProblem === null ? null : <Alert color="red" title={connectionProblem} />}
      <Pause of={customer} />
      <Jobs of={customer} />
      <section aria-label={say('nav.deadLetters')}>
        <Title order={2} size="h4">
          {say('nav.deadLetters')}
        </Title>
        <DeadLetters customer={id} />
      </section>
      {state === 'active' && !hasAdmin ? <FirstAdmin customer={id} /> : null}
      <StoredData customer={id} name={companyName} />
    </>
  );
}

function Pause({ of: { id, pause } }: { readonly of: CustomerDetailResponse }) {
  // A session of an hour may end while it is typed.
  const { values, change, clear } = useStoredForm(`pause ${id}`, { reason: '' });
  const { reason } = values;
  const done = useDone(say('pause.paused'));
  const hold = apiQuery.useMutation('put', '/api/v1/operator/customers/{id}/pause', {
    ...done,
    onSuccess: () => {
      clear();
      return done.onSuccess();
    },
  });
  const resume = apiQuery.useMutation('delete', '/api/v1/operator/customers/{id}/pause', useDone(say('pause.resumed')));
  const params = { path: { id } };
  if (pause !== null) {
    const { at, by } = pause;
    return (
      <Alert color="orange" title={say('pause.since', { at: shownTime(at), by })}>
        <Text size="sm" className="wrap">
          {pause.reason}
        </Text>
        <Button
          mt="sm"
          size="xs"
          loading={resume.isPending}
          onClick={() => {
            resume.mutate({ params });
          }}
        >
          {say('pause.resume')}
        </Button>
      </Alert>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        hold.mutate({ params, body: { reason: reason.trim() } });
      }}
    >
      <Group align="flex-end">
        <TextInput
          className="grow"
          label={say('pause.reason')}
          description={say('pause.readByCustomer')}
          required
          maxLength={MAX_REASON}
          value={reason}
          onChange={(event) => {
            change({ reason: event.currentTarget.value });
          }}
        />
        <Button type="submit" variant="default" loading={hold.isPending}>
          {say('pause.pause')}
        </Button>
      </Group>
    </form>
  );
}

/** Exports that have not ended, the nearest end first. */
function Jobs({ of: { id, jobs } }: { readonly of: CustomerDetailResponse }) {
  const done = useDone(say('job.retried'));
  const retry = apiQuery.useMutation('post', '/api/v1/operator/customers/{id}/jobs/{jobId}/retry', done);
  return (
    <section aria-label={say('customer.jobs')}>
      <Title order={2} size="h4">
        {say('customer.jobs')}
      </Title>
      <DataTable
        label={say('customer.jobs')}
        empty={say('job.none')}
        rows={jobs}
        keyOf={(job) => job.id}
        columns={[
          { header: t('export.detected'), cell: ({ detectedAt }) => shownTime(detectedAt) },
          { header: t('export.state'), cell: ({ state }) => <State state={state} /> },
          { header: say('job.left'), isAmount: true, cell: ({ secondsLeft }) => <Clock secondsLeft={secondsLeft} /> },
          {
            header: say('job.items'),
            isAmount: true,
            cell: ({ items, successful, failed }) => say('job.progress', { items, successful, failed }),
          },
          { header: say('job.attempts'), isAmount: true, cell: ({ attempts }) => attempts },
          { header: say('job.nextRun'), cell: ({ nextRunAt }) => shownTime(nextRunAt) },
          { header: say('job.stuck'), cell: ({ stuck }) => (stuck ? say('job.isStuck') : null) },
          {
            header: t('action.actions'),
            cell: (job) => (
              <Button
                size="xs"
                variant="default"
                onClick={() => {
                  retry.mutate({ params: { path: { id, jobId: job.id } } });
                }}
              >
                {say('job.retry')}
              </Button>
            ),
          },
        ]}
      />
    </section>
  );
}
