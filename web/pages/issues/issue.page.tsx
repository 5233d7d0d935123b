import { Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { IssueDetailResponse } from '../../api/schema.js';
import { shownTime, t } from '../../messages/text.js';
import { detailsOf, titleOf } from '../../parts/facts.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Money } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded, PageTitle } from '../../parts/states.js';
import { useAddress } from '../../shell/address.js';
import { OpenIssue } from './open-issue.js';
import { ReexportProgress } from './reexport-progress.js';

/** One issue with the entries that it holds back: where a link from elsewhere leads. */
export function IssuePage() {
  const { id: issueKey } = useAddress();
  const issue = apiQuery.useQuery('get', '/api/v1/issues/{issueKey}', { params: { path: { issueKey } } });
  return (
    <>
      <PageTitle title={t('issue.title')}>
        <Anchor component={Link} to="/issues">
          {t('issue.all')}
        </Anchor>
      </PageTitle>
      <Loaded query={issue}>{(data) => <Issue issue={data} />}</Loaded>
    </>
  );
}

function Issue({ issue }: { readonly issue: IssueDetailResponse }) {
  const suggestions = apiQuery.useQuery('get', '/api/v1/mapping/suggestions').data?.data ?? [];
  const { data: me } = apiQuery.useQuery('get', '/api/v1/me');
  const entries = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/issues/{issueKey}/entries',
    { params: { path: { issueKey: issue.issueKey } } },
    PAGED,
  );
  return (
    <Stack>
      <OpenIssue issue={issue} suggestions={suggestions} myName={me?.displayName ?? me?.name ?? ''} />
      {issue.latestReexport === null ? null : <ReexportProgress id={issue.latestReexport.id} />}
      <Title order={2} size="h4">
        {t('issue.heldBack')}
      </Title>
      <Loaded query={{ ...entries, data: rowsOf(entries.data) }}>
        {(rows) => (
          <DataTable
            label={t('issue.heldBack')}
            empty={t('items.none')}
            rows={rows}
            keyOf={({ accountingEntryId }) => accountingEntryId}
            more={entries.hasNextPage ? () => void entries.fetchNextPage() : undefined}
            isLoadingMore={entries.isFetchingNextPage}
            columns={[
              {
                header: t('item.entry'),
                cell: ({ itemType, entry, accountingEntryId }) => (
                  <div className="wrap">
                    <Anchor component={Link} to={`/entries/${accountingEntryId}`}>
                      {titleOf(entry ?? { type: itemType }) ?? t('item.entry')}
                    </Anchor>
                    <Text size="sm" c="dimmed">
                      {detailsOf(entry ?? {})}
                    </Text>
                  </div>
                ),
              },
              { header: t('issue.since'), cell: ({ firstSeen }) => shownTime(firstSeen) },
              {
                header: t('entry.export'),
                cell: ({ exportJobId }) => (
                  <Anchor component={Link} to={`/exports/${exportJobId}`}>
                    {t('export.title')}
                  </Anchor>
                ),
              },
              { header: t('item.amount'), isAmount: true, cell: ({ money }) => <Money money={money} /> },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}
