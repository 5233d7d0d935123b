import { Anchor, Button, Group, Modal, NativeSelect, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/data-table.js';
import { Diff, RuleChanges } from '../../parts/diff.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { useNames } from '../../parts/people.js';
import { Loaded } from '../../parts/states.js';
import { useMay } from '../../parts/roles.js';
import { ifMatch, useSaved } from './saved.js';

/** A list that is still chosen from. */
const MAX_EARLIER = 500;

/** Who saved what when; any version can be compared with an earlier one, and restored. */
export function Versions() {
  const [shown, setShown] = useState<number>();
  const nameOf = useNames();
  const versions = apiQuery.useInfiniteQuery('get', '/api/v1/mapping/versions', {}, PAGED);
  const newest = versions.data?.pages[0]?.data[0]?.version ?? 0;
  const { saved, failed } = useSaved();
  const mayRestore = useMay('admin');
  const restore = apiQuery.useMutation('post', '/api/v1/mapping/versions/{version}/restore', {
    onSuccess: (result) => {
      saved(newest, result.version);
    },
    onError: failed,
  });
  return (
    <>
      <Loaded query={{ ...versions, data: rowsOf(versions.data) }}>
        {(rows) => (
          <DataTable
            label={t('mapping.versions')}
            empty={t('mapping.none')}
            rows={rows}
            keyOf={({ version }) => version.toString()}
            more={versions.hasNextPage ? () => void versions.fetchNextPage() : undefined}
            columns={[
              { header: t('versions.version'), cell: ({ version }) => version },
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
                        size="xs"
                        variant="default"
                        onClick={() => {
                          setShown(version);
                        }}
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
      <Modal
        opened={shown !== undefined}
        onClose={() => {
          setShown(undefined);
        }}
        title={t('versions.compare')}
        size="lg"
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        {shown === undefined ? null : <Comparison version={shown} />}
      </Modal>
    </>
  );
}

/** What the author has written, or which issue was resolved with it. */
function Reason({ reason }: { readonly reason: string }) {
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

/** With the version before it, or any other earlier one. */
function Comparison({ version }: { readonly version: number }) {
  const [from, setFrom] = useState((version - 1).toString());
  const earlier = Array.from({ length: Math.min(version - 1, MAX_EARLIER) }, (_, index) =>
    (version - 1 - index).toString(),
  );
  const diff = apiQuery.useQuery('get', '/api/v1/mapping/versions/{from}/diff/{to}', {
    params: { path: { from, to: version.toString() } },
  });
  return (
    <Stack>
      <NativeSelect
        label={t('versions.with', { version })}
        value={from}
        data={earlier}
        onChange={(event) => {
          setFrom(event.currentTarget.value);
        }}
      />
      <Loaded query={diff}>
        {({ settings, rules }) => (
          <Stack>
            {settings.length === 0 ? null : <Diff differences={settings} />}
            <RuleChanges changes={rules} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}
