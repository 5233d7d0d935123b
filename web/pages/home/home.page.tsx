import { Anchor, Badge, Card, Group, Progress, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api/client.js';
import type {
  HealthResponse,
  JobResponse,
  OpenWorkResponse,
  OverviewResponse,
  RunningJobResponse,
} from '../../api/schema.js';
import { shownTime, t } from '../../messages/text.js';
import { CertificateBadge } from '../../parts/certificate-badge.js';
import { RunningClock, WaitingNotice } from '../../parts/clock.js';
import { DataTable } from '../../parts/table/data-table.js';
import { IssueCard } from '../../parts/issues/issue-card.js';
import { Amounts } from '../../parts/money.js';
import { Needs } from '../../parts/roles.js';
import { Empty, Loaded, PageTitle, State } from '../../parts/states.js';
import { ReadyCard } from './ready-card.js';

/** What needs me, what runs, and whether all is right. */
export function HomePage() {
  const overview = apiQuery.useQuery('get', '/api/v1/overview');
  return (
    <>
      <PageTitle title={t('home.title')} />
      <Loaded query={overview}>{(data) => <Home overview={data} />}</Loaded>
    </>
  );
}

function Home({ overview }: { readonly overview: OverviewResponse }) {
  const { issues, inDoubtPostings, discrepancies, runningJobs, lastExports, nextRuns, platform, erp } = overview;
  return (
    <Stack gap="xl">
      <section aria-labelledby="attention">
        <Title order={2} size="h4" id="attention" mb="sm">
          {t('home.attention', { count: overview.needsAttention })}
        </Title>
        <SimpleGrid cols={{ base: 1, xs: 3 }} mb="md">
          <Work label={t('home.issues')} to="/issues" work={issues} />
          <Work label={t('home.inDoubt')} to="/reconciliation" work={inDoubtPostings} />
          <Work label={t('home.discrepancies')} to="/reconciliation" work={discrepancies} />
        </SimpleGrid>
        <Stack gap="xs">
          {isBroken(platform) ? <Health label={t('home.platform')} health={platform} /> : null}
          {isBroken(erp) ? <Health label={t('home.erp')} health={erp} /> : null}
          {overview.failedExport === null ? null : <FailedExport job={overview.failedExport} />}
          {issues.first.map((issue) => (
            <IssueCard key={issue.issueKey} issue={issue} />
          ))}
          {issues.count > issues.first.length ? (
            <Anchor component={Link} to="/issues">
              {t('home.allIssues', { count: issues.count })}
            </Anchor>
          ) : null}
        </Stack>
      </section>
      <ReadyCard />
      <Section title={t('home.running')}>
        {runningJobs.length === 0 ? (
          <Empty text={t('home.nothingRuns')} />
        ) : (
          runningJobs.map((job) => <Running key={job.id} job={job} />)
        )}
      </Section>
      <Section title={t('home.lastExports')}>
        <DataTable
          label={t('home.lastExports')}
          empty={t('exports.empty')}
          rows={lastExports}
          keyOf={({ id }) => id}
          columns={[
            {
              header: t('export.detected'),
              cell: ({ id, detectedAt }) => (
                <Anchor component={Link} to={`/exports/${id}`}>
                  {shownTime(detectedAt)}
                </Anchor>
              ),
            },
            { header: t('export.state'), cell: ({ state }) => <State state={state} /> },
            {
              header: t('export.items'),
              isAmount: true,
              cell: ({ successful, failed, numberOfItems }) =>
                t('export.counts', { successful, failed, total: numberOfItems }),
            },
            {
              header: t('export.certificate'),
              cell: ({ id, certificate }) => <CertificateBadge exportJobId={id} certificate={certificate} />,
            },
          ]}
        />
      </Section>
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        {isBroken(platform) && isBroken(erp) ? null : (
          <Section title={t('home.health')}>
            {isBroken(platform) ? null : <Health label={t('home.platform')} health={platform} />}
            {isBroken(erp) ? null : <Health label={t('home.erp')} health={erp} />}
          </Section>
        )}
        <Section title={t('home.nextRuns')}>
          <Text>
            {t('home.nextSync')}: {nextRuns.sync === null ? t('home.notPlanned') : shownTime(nextRuns.sync)}
          </Text>
          <Text>
            {t('home.nextReconciliation')}:{' '}
            {nextRuns.reconciliation === null ? t('home.notPlanned') : shownTime(nextRuns.reconciliation)}
          </Text>
        </Section>
      </SimpleGrid>
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </section>
  );
}

function Work({
  label,
  to,
  work,
}: {
  readonly label: string;
  readonly to: '/issues' | '/reconciliation';
  readonly work: OpenWorkResponse;
}) {
  return (
    <Card withBorder component={Link} to={to} c="inherit" className="mantine-focus-auto">
      <Group justify="space-between">
        <Text>{label}</Text>
        <Badge color={work.count > 0 ? 'orange' : 'green'} variant="light" size="lg" circle={work.count < 100}>
          {work.count}
        </Badge>
      </Group>
      <Amounts amounts={work.amounts} />
      {work.oldest === null ? null : (
        <Text size="sm" c="dimmed">
          {t('home.since', { at: shownTime(work.oldest) })}
        </Text>
      )}
    </Card>
  );
}

/** An export that failed as a whole, which no issue reports. */
function FailedExport({ job }: { readonly job: JobResponse }) {
  return (
    <Card withBorder component="article" aria-label={t('home.failedExport')}>
      <Group justify="space-between" align="flex-start" className="card-head">
        <div className="wrap grow">
          <Anchor component={Link} to={`/exports/${job.id}`} fw={600}>
            {t('home.failedExport')}
          </Anchor>{' '}
          <State state={job.state} />
          <Text size="sm">{job.failureReason ?? job.failure?.text}</Text>
          <Text size="sm" mt={4}>
            <strong>{t('issue.todo')}</strong>{' '}
            {t('home.failedExport.advice', { reason: job.failureReason === null ? 'none' : 'given' })}
          </Text>
        </div>
        <div className="amount figure">
          <Text size="sm">
            {t('export.counts', { successful: job.successful, failed: job.failed, total: job.numberOfItems })}
          </Text>
          <Text size="sm" c="dimmed">
            {shownTime(job.detectedAt)}
          </Text>
        </div>
      </Group>
    </Card>
  );
}

function Running({ job }: { readonly job: RunningJobResponse }) {
  const done = job.successful + job.failed;
  const share = job.numberOfItems === 0 ? 0 : (100 * done) / job.numberOfItems;
  return (
    <Card withBorder mb="xs">
      <Group justify="space-between">
        <Anchor component={Link} to={`/exports/${job.id}`}>
          {shownTime(job.detectedAt)}
        </Anchor>
        <State state={job.state} />
        <Text>{t('export.counts', { successful: job.successful, failed: job.failed, total: job.numberOfItems })}</Text>
        <RunningClock job={job} />
      </Group>
      <Progress value={share} mt="sm" aria-label={t('home.progress')} />
      <WaitingNotice job={job} />
      {job.notice === null ? null : <Text size="sm">{job.notice}</Text>}
    </Card>
  );
}

/** Whether it is counted among what needs attention. */
function isBroken({ state }: HealthResponse): boolean {
  return state === 'action-needed' || state === 'not-connected';
}

function Health({ label, health }: { readonly label: string; readonly health: HealthResponse }) {
  return (
    <Stack gap={2} mb="xs">
      <Group gap="xs">
        <Text fw={500}>{health.name ?? label}</Text>
        <State state={health.state} />
      </Group>
      {health.problem === null ? null : <Text size="sm">{health.problem}</Text>}
      {isBroken(health) ? (
        <Needs role="admin">
          <Anchor component={Link} to="/setup" size="sm" underline="always">
            {t('home.health.resolve')}
          </Anchor>
        </Needs>
      ) : null}
    </Stack>
  );
}
