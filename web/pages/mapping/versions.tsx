import { Button, Group, Modal, Stack } from '@mantine/core';
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

/** Who saved what when; any version can be compared with the one before, and restored. */
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
                cell: ({ action, rules, reason }) =>
                  `${word('version-action', action)} · ${t('versions.counts', { ...rules })}${reason === null ? '' : ` · ${reason}`}`,
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

function Comparison({ version }: { readonly version: number }) {
  const diff = apiQuery.useQuery('get', '/api/v1/mapping/versions/{from}/diff/{to}', {
    params: { path: { from: (version - 1).toString(), to: version.toString() } },
  });
  return (
    <Loaded query={diff}>
      {({ settings, rules }) => (
        <Stack>
          {settings.length === 0 ? null : <Diff differences={settings} />}
          <RuleChanges changes={rules} />
        </Stack>
      )}
    </Loaded>
  );
}
