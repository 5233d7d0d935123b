import { Alert, Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { ExplanationResponse } from '../../api/schema.js';
import { useAddress } from '../../shell/address.js';
import { shownTime, t } from '../../messages/text.js';
import { Diff } from '../../parts/diff.js';
import { EntryTable } from '../../parts/entry-table.js';
import { detailsOf, titleOf } from '../../parts/facts.js';
import { IssueCard } from '../../parts/issues/issue-card.js';
import { Money } from '../../parts/money.js';
import { useNames } from '../../parts/people.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { Outside } from '../../parts/outside.js';
import { EntryHistory } from './entry-history.js';
import { LaterChanges } from './later-changes.js';

/** What an entry is, why it was booked as it was or is held back, and what it would be today. */
export function EntryPage() {
  const { id } = useAddress();
  const params = { path: { accountingEntryId: id } };
  const query = apiQuery.useQuery('get', '/api/v1/entries/{accountingEntryId}/explanation', { params });
  const { data: history } = apiQuery.useQuery('get', '/api/v1/entries/{accountingEntryId}', { params });
  const [newest] = history?.exports ?? [];
  return (
    <>
      <PageTitle title={(history && titleOf(history)) ?? t('item.entry')}>
        <Text fw={600} size="lg">
          {newest === undefined ? null : <Money money={newest.amount} />}
        </Text>
      </PageTitle>
      <Stack>
        {history === undefined ? null : <Text c="dimmed">{detailsOf(history)}</Text>}
        <Loaded query={query}>
          {(explanation) => <Explanation explanation={explanation} expenseUrl={history?.expenseUrl} />}
        </Loaded>
        {/* Of an entry that is not there once is enough. */}
        {query.isError && history === undefined ? null : <EntryHistory id={id} />}
      </Stack>
    </>
  );
}

interface ExplanationProps {
  readonly explanation: ExplanationResponse;
  readonly expenseUrl: string | null | undefined;
}

function Explanation({ explanation, expenseUrl }: ExplanationProps) {
  const nameOf = useNames();
  const { state, postedAt, externalUrl, exportJobId, entries, version, today, blockedBy } = explanation;
  return (
    <Stack>
      <Group>
        <State state={state} />
        {postedAt === null ? null : <Text>{shownTime(postedAt)}</Text>}
        <Outside href={expenseUrl} label={t('item.expense')} />
        <Outside href={externalUrl} label={t('item.open')} />
        <Anchor component={Link} to={`/exports/${exportJobId}`} size="sm">
          {t('entry.export')}
        </Anchor>
      </Group>
      {blockedBy.length === 0 ? null : (
        <section aria-labelledby="held-back">
          <Title order={2} size="h4" id="held-back" mb="sm">
            {t('entry.heldBackBy')}
          </Title>
          <Stack gap="xs">
            {blockedBy.map((issue) => (
              <IssueCard key={issue.issueKey} issue={issue} />
            ))}
          </Stack>
        </section>
      )}
      {entries.length === 0 ? null : (
        <section aria-labelledby="why">
          <Title order={2} size="h4" id="why">
            {t('entry.title')}
          </Title>
          {entries.map((entry, index) => (
            <EntryTable key={`${index.toString()} ${entry.role}`} entry={entry} />
          ))}
          {version ? (
            <Text>
              {t('entry.version', {
                version: version.version,
                author: nameOf(version.author),
                at: shownTime(version.createdAt),
              })}
            </Text>
          ) : null}
          <LaterChanges explanation={explanation} />
        </section>
      )}
      <Today today={today} isHeldBack={blockedBy.length > 0} />
    </Stack>
  );
}

interface TodayProps {
  readonly today: ExplanationResponse['today'];
  /** Why it would fail stands above then. */
  readonly isHeldBack: boolean;
}

function Today({ today: { outcome, reason, differences, entries }, isHeldBack }: TodayProps) {
  return (
    <Card withBorder component="section" aria-labelledby="today">
      <Group justify="space-between">
        <Title order={2} size="h4" id="today">
          {t('entry.today')}
        </Title>
        <State state={outcome} />
      </Group>
      {reason === null || (isHeldBack && outcome === 'fails') ? null : <Alert mt="sm">{reason}</Alert>}
      {differences.length === 0 ? null : <Diff differences={differences} entries={entries} />}
      {outcome === 'posts'
        ? entries.map((entry, index) => <EntryTable key={`${index.toString()} ${entry.role}`} entry={entry} />)
        : null}
    </Card>
  );
}
