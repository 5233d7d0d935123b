import { Anchor, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { useNames } from '../../parts/people.js';
import { Loaded } from '../../parts/states.js';
import { Needs, useMay } from '../../parts/roles.js';
import { ifMatch, useSaved } from './saved.js';

/** Who saved what when; any version can be compared with an earlier one, and restored. */
export function Versions() {
  const nameOf = useNames();
  const versions = apiQuery.useInfiniteQuery('get', '/api/v1/mapping/versions', {}, PAGED);
  const newest = versions.data?.pages[0]?.data[0]?.version ?? 0;
  const { saved, failed } = useSaved();
  const mayRestore = useMay('admin');
  const restore = apiQuery.useMutation('post', '/api/v1/mapping/versions/{version}/restore', {
    onSuccess: (result) => {
      void saved(newest, result.version);
    },
    onError: failed,
  });
  return (
    <>
      <Needs role="admin" explained>
        {null}
      </Needs>
      <Loaded query={{ ...versions, data: rowsOf(versions.data) }}>
        {(rows) => (
          <DataTable
            label={t('mapping.versions')}
            empty={t('mapping.none')}
            rows={rows}
            keyOf={({ version }) => version.toString()}
            more={versions.hasNextPage ? () => void versions.fetchNextPage() : undefined}
            columns={[
              {
                header: t('versions.version'),
                cell: ({ version }) => (
                  <Anchor component={Link} to={`/mapping/versions/${version.toString()}`}>
                    {t('versions.name', { version })}
                  </Anchor>
                ),
              },
              { header: t('versions.when'), cell: ({ createdAt }) => shownTime(createdAt) },
              { header: t('versions.who'), cell: ({ author }) => nameOf(author) },
              {
                header: t('versions.what'),
                cell: ({ action, rules, reason }) => (
                  <>
                    {`${word('version-action', action)} · ${t('versions.counts', { ...rules })}`}
                    {reason === null ? null : <Reason reason={reason} />}
                  </>
                ),
              },
              {
                header: t('action.actions'),
                cell: ({ version }) => (
                  <Group gap="xs">
                    {version > 1 ? (
                      <Button
                        component={Link}
                        to={`/mapping/versions/${version.toString()}`}
                        size="xs"
                        variant="default"
                        aria-label={t('versions.compareOf', { version })}
                      >
                        {t('versions.compare')}
                      </Button>
                    ) : null}
                    {version < newest && mayRestore ? (
                      <Button
                        size="xs"
                        variant="subtle"
                        aria-label={t('versions.restoreOf', { version })}
                        onClick={() => {
                          restore.mutate({
                            params: { path: { version: version.toString() }, header: ifMatch(newest) },
                          });
                        }}
                      >
                        {t('versions.restore')}
                      </Button>
                    ) : null}
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

/** What the author has written, or which issue was resolved with it. */
export function Reason({ reason }: { readonly reason: string }) {
  const issueKey = /^inbox (.+)$/.exec(reason)?.[1];
  return issueKey === undefined ? (
    <> · {reason}</>
  ) : (
    <>
      {' · '}
      <Anchor component={Link} to={`/issues/${encodeURIComponent(issueKey)}`} inherit underline="always">
        {t('versions.ofIssue')}
      </Anchor>
    </>
  );
}
