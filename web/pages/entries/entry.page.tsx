import { Alert, Anchor, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { ExplanationResponse } from '../../api/schema.js';
import { useAddress } from '../../shell/address.js';
import { shownTime, t } from '../../messages/text.js';
import { Diff } from '../../parts/diff.js';
import { EntryTable } from '../../parts/entry-table.js';
import { useNames } from '../../parts/people.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { EntryHistory } from './entry-history.js';

/** Why an entry was booked as it was, and what it would be today. */
export function EntryPage() {
  const { id } = useAddress();
  const query = apiQuery.useQuery('get', '/api/v1/entries/{accountingEntryId}/explanation', {
    params: { path: { accountingEntryId: id } },
  });
  return (
    <>
      <PageTitle title={t('entry.title')} />
      <Stack>
        <Loaded query={query}>{(explanation) => <Explanation explanation={explanation} />}</Loaded>
        <EntryHistory id={id} />
      </Stack>
    </>
  );
}

function Explanation({ explanation }: { readonly explanation: ExplanationResponse }) {
  const nameOf = useNames();
  const { state, postedAt, externalId, externalUrl, exportJobId, entries, version, today } = explanation;
  return (
    <Stack>
      <Group>
        <State state={state} />
        {postedAt === null ? null : <Text>{shownTime(postedAt)}</Text>}
        {externalUrl === null ? <Text>{externalId}</Text> : <Anchor href={externalUrl}>{t('item.open')}</Anchor>}
        <Anchor component={Link} to={`/exports/${exportJobId}`}>
          {t('entry.export')}
        </Anchor>
      </Group>
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
      <Card withBorder>
        <Title order={2} size="h4">
          {t('entry.today')}
        </Title>
        <State state={today.outcome} />
        {today.reason === null ? null : <Alert mt="sm">{today.reason}</Alert>}
        {today.differences.length === 0 ? null : <Diff differences={today.differences} />}
      </Card>
    </Stack>
  );
}
