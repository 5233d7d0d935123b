import { Alert, Anchor, Button, Card, Group, Progress, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { JobResponse } from '../../api/schema.js';
import { shownTime, t } from '../../messages/text.js';
import { CertificateBadge } from '../../parts/certificate-badge.js';
import { RunningClock, WaitingNotice } from '../../parts/clock.js';
import { Amounts } from '../../parts/money.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { Needs } from '../../parts/roles.js';
import { useAddress } from '../../shell/address.js';
import { tellRefused } from '../../parts/refused.js';
import { Items } from './items.js';

const RUNNING = ['detected', 'running', 'verdict_decided'];

/** One export: how far it is, and of each item how it ended and what resolves it. */
export function ExportPage() {
  const { id } = useAddress();
  const job = apiQuery.useQuery('get', '/api/v1/jobs/{id}', { params: { path: { id } } });
  return (
    <>
      <PageTitle
        title={job.data === undefined ? t('export.title') : t('export.of', { at: shownTime(job.data.detectedAt) })}
      />
      <Loaded query={job}>
        {(data) => (
          <Stack>
            <Summary job={data} />
            <Items job={data} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

/** As many as a preview takes at once. */
const PREVIEWED = 1_000;

function Summary({ job }: { readonly job: JobResponse }) {
  // The overview knows the clock and the certificate of what is recent.
  const { data: overview } = apiQuery.useQuery('get', '/api/v1/overview');
  const navigate = useNavigate();
  const preview = apiQuery.useMutation('post', '/api/v1/previews', {
    onSuccess: ({ id }) => navigate({ to: `/previews/${id}` }),
    onError: (error) => {
      tellRefused(error);
    },
  });
  const running = overview?.runningJobs.find(({ id }) => id === job.id);
  const ended = overview?.lastExports.find(({ id }) => id === job.id);
  const done = job.successful + job.failed;
  return (
    <Card withBorder>
      <Group justify="space-between">
        <State state={job.state} />
        <Text>{t('export.counts', { successful: job.successful, failed: job.failed, total: job.numberOfItems })}</Text>
        {running === undefined ? null : <RunningClock job={running} />}
        {ended === undefined ? null : <CertificateBadge exportJobId={job.id} certificate={ended.certificate} />}
      </Group>
      {RUNNING.includes(job.state) ? (
        <Progress
          mt="sm"
          value={job.numberOfItems === 0 ? 0 : (100 * done) / job.numberOfItems}
          aria-label={t('home.progress')}
        />
      ) : null}
      <Amounts amounts={job.amounts} />
      {job.failureReason === null ? null : (
        <Alert color="red" mt="sm" title={job.failure?.text}>
          {job.failureReason}
        </Alert>
      )}
      <WaitingNotice job={job} />
      {job.notice === null ? null : <Text size="sm">{job.notice}</Text>}
      <Group mt="sm">
        {job.failed === 0 ? null : (
          <Anchor component={Link} to="/issues">
            {t('export.resolve')}
          </Anchor>
        )}
        <Needs role="bookkeeper">
          <Button
            variant="default"
            size="xs"
            loading={preview.isPending}
            onClick={() => {
              preview.mutate({ body: { jobId: job.id, skip: 0, limit: PREVIEWED } });
            }}
          >
            {t('preview.make')}
          </Button>
        </Needs>
      </Group>
    </Card>
  );
}
