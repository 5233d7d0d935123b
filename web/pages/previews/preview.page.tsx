import { Alert, Anchor, Button, Card, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { Link, useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { PreviewEntryResponse, PreviewResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { shownCount } from '../../messages/values.js';
import { Diff } from '../../parts/diff.js';
import { EntryTable } from '../../parts/entry-table.js';
import { detailsOf, titleOf } from '../../parts/facts.js';
import { holdSignedIn } from '../../parts/held/hold-signed-in.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { useMay } from '../../parts/roles.js';
import { Outside } from '../../parts/outside.js';
import { useAddress, useFilters } from '../../shell/address.js';
import { tellRefused } from '../../parts/refused.js';

const STANDARD = { action: '' };

/** What an export would post, as a bookkeeper writes entries, and in words what differs from the books. Nothing is posted. */
export function PreviewPage() {
  const { id } = useAddress();
  const [filters] = useFilters(STANDARD);
  const preview = apiQuery.useQuery('get', '/api/v1/previews/{id}', { params: { path: { id } } });
  const action = preview.data?.actions.find((one) => one.action === filters.action)?.action;
  return (
    <>
      <PageTitle title={t('preview.title')} />
      <Loaded query={preview}>
        {(data) => (
          <Stack>
            <Summary preview={data} />
            <Found preview={data} chosen={action} />
            <Entries key={action} id={data.id} action={action} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Summary({ preview }: { readonly preview: PreviewResponse }) {
  const { id, jobId, saved, mappingVersion, entries, toPost, more, expiresAt, digest } = preview;
  const navigate = useNavigate();
  const mayPost = useMay('bookkeeper');
  const commit = apiQuery.useMutation('post', '/api/v1/previews/{id}/commit', {
    onSuccess: () => {
      notifications.show({ message: t('preview.committed') });
      return navigate({ to: '/exports' });
    },
    onError: (error) => {
      tellRefused(error);
    },
  });
  return (
    <Card withBorder>
      <Group justify="space-between">
        <Text>
          {t('preview.of', { entries, version: mappingVersion, until: shownTime(expiresAt) })}{' '}
          <Anchor component={Link} to={`/mapping/versions/${mappingVersion.toString()}`} inherit underline="always">
            {t('preview.version')}
          </Anchor>
        </Text>
        {jobId === null ? null : (
          <Anchor component={Link} to={`/exports/${jobId}`}>
            {t('entry.export')}
          </Anchor>
        )}
        {saved && mayPost && toPost > 0 ? (
          <Button
            variant="default"
            loading={commit.isPending}
            onClick={() => {
              holdSignedIn({
                text: t('preview.held', { entries: toPost }),
                about: `preview ${id}`,
                act: () => commit.mutateAsync({ params: { path: { id } }, body: { digest }, keepalive: true }),
              });
            }}
          >
            {t('preview.commit')}
          </Button>
        ) : null}
      </Group>
      <Text size="sm" c="dimmed">
        {t(saved ? 'preview.nothingPosted' : 'preview.unsaved')}{' '}
        {saved ? t('preview.wouldPost', { entries: toPost }) : ''} {more ? t('preview.more') : ''}
      </Text>
    </Card>
  );
}

type Action = PreviewEntryResponse['action'];

/** How many entries have which fate; each number is a filter. */
function Found({ preview, chosen }: { readonly preview: PreviewResponse; readonly chosen: Action | undefined }) {
  const [, setFilters] = useFilters(STANDARD);
  const choices = [{ action: undefined, entries: preview.entries }, ...preview.actions];
  return (
    <Group gap="xs" role="group" aria-label={t('export.filter')}>
      {choices.map(({ action, entries }) => (
        <Button
          key={action ?? ''}
          size="xs"
          variant={action === chosen ? 'filled' : 'default'}
          aria-pressed={action === chosen}
          onClick={() => {
            setFilters({ action: action ?? '' });
          }}
        >
          {action === undefined ? t('preview.all') : word('preview-action', action)}: {shownCount(entries)}
        </Button>
      ))}
    </Group>
  );
}

function Entries({ id, action }: { readonly id: string; readonly action: Action | undefined }) {
  const entries = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/previews/{id}/entries',
    { params: { path: { id }, query: { limit: 20, ...(action === undefined ? {} : { action }) } } },
    PAGED,
  );
  return (
    <Loaded query={{ ...entries, data: rowsOf(entries.data) }}>
      {(rows) => (
        <Stack>
          {rows.map((entry) => (
            <Entry key={entry.accountingEntryId} entry={entry} />
          ))}
          {entries.hasNextPage ? (
            <Button variant="default" loading={entries.isFetchingNextPage} onClick={() => void entries.fetchNextPage()}>
              {t('list.more')}
            </Button>
          ) : null}
        </Stack>
      )}
    </Loaded>
  );
}

/** Red: not into the books as it is. Green: it is there, as it should be. */
const ACTION_COLORS: Readonly<Partial<Record<Action, string>>> = {
  fail: 'bad',
  'refuse-change': 'bad',
  'report-existing': 'good',
};

function Entry({ entry }: { readonly entry: PreviewEntryResponse }) {
  const { position, accountingEntryId, action, entries, warnings, issues, inBooks, differences } = entry;
  const title = titleOf(entry) ?? t('preview.entry', { position });
  return (
    <Card withBorder component="section" aria-label={title}>
      <Group justify="space-between">
        <div className="wrap grow">
          <Text fw={600}>{title}</Text>
          <Text size="sm" c="dimmed">
            {detailsOf(entry)}
          </Text>
          <Text size="sm" className={ACTION_COLORS[action]}>
            {word('preview-action', action)}
          </Text>
        </div>
        <Group gap="xs">
          {inBooks.state === 'standing' ? <State state="posted" /> : null}
          <Outside href={entry.expenseUrl} label={t('item.expense')} />
          <Outside href={inBooks.externalUrl} label={t('item.open')} />
          <Anchor component={Link} to={`/entries/${accountingEntryId}`} size="sm">
            {t('item.why')}
          </Anchor>
        </Group>
      </Group>
      {issues.map(({ issueKey, message }) => (
        <Alert key={issueKey} color="red" mt="sm">
          {message}{' '}
          <Anchor component={Link} to={`/issues/${encodeURIComponent(issueKey)}`} c="inherit" td="underline">
            {t('item.resolve')}
          </Anchor>
        </Alert>
      ))}
      {warnings.map((warning) => (
        <Text key={warning} size="sm" mt="sm">
          {warning}
        </Text>
      ))}
      {entries.map((planned, index) => (
        <EntryTable key={`${index.toString()} ${planned.role}`} entry={planned} />
      ))}
      {differences.length === 0 ? null : (
        <>
          <Text fw={500} mt="sm">
            {t('preview.differs', { count: differences.length })}
          </Text>
          <Diff differences={differences} entries={entries} />
        </>
      )}
    </Card>
  );
}
