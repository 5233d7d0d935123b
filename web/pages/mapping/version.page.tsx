import { Anchor, Group, NativeSelect, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { FullVersionResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Diff, RuleChanges } from '../../parts/diff.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { conditionsOf } from '../../parts/rules/rule-words.js';
import { useNames } from '../../parts/people.js';
import { Empty, Loaded, PageTitle } from '../../parts/states.js';
import { useAddress, useFilters } from '../../shell/address.js';
import { Reason } from './versions.js';

/** A list that is still chosen from. */
const MAX_EARLIER = 500;

/** One version of the mapping by its own address: what it changed, its settings, and its rules. */
export function VersionPage() {
  const { id } = useAddress();
  const version = apiQuery.useQuery('get', '/api/v1/mapping/versions/{version}', { params: { path: { version: id } } });
  return (
    <>
      <PageTitle title={t('versions.title', { version: id })}>
        <Anchor component={Link} to="/mapping" search={{ tab: 'versions' } as never}>
          {t('versions.all')}
        </Anchor>
      </PageTitle>
      <Loaded query={version}>
        {(found) => (
          <Stack gap="xl" key={found.version}>
            <Facts of={found} />
            <Comparison version={found.version} />
            <Settings version={found.version} />
            <Rules version={found.version} />
          </Stack>
        )}
      </Loaded>
    </>
  );
}

function Facts({ of: { action, author, createdAt, reason, restoredFrom } }: { readonly of: FullVersionResponse }) {
  const nameOf = useNames();
  return (
    <Text className="wrap">
      {[word('version-action', action), nameOf(author), shownTime(createdAt)].join(' · ')}
      {reason === null ? null : <Reason reason={reason} />}
      {restoredFrom === null ? null : (
        <>
          {' · '}
          <Anchor component={Link} to={`/mapping/versions/${restoredFrom.toString()}`} inherit underline="always">
            {t('versions.restoredFrom', { version: restoredFrom })}
          </Anchor>
        </>
      )}
    </Text>
  );
}

/** With the version before it, or any other earlier one, which the address names. */
function Comparison({ version }: { readonly version: number }) {
  const [filters, setFilters] = useFilters({ with: '' });
  const earlier = Array.from({ length: Math.min(version - 1, MAX_EARLIER) }, (_, index) =>
    (version - 1 - index).toString(),
  );
  const from = earlier.find((one) => one === filters.with) ?? (version - 1).toString();
  const diff = apiQuery.useQuery('get', '/api/v1/mapping/versions/{from}/diff/{to}', {
    params: { path: { from, to: version.toString() } },
  });
  if (earlier.length === 0) {
    return null;
  }
  return (
    <section aria-label={t('versions.changes')}>
      <Title order={2} size="h4" mb="sm">
        {t('versions.changes')}
      </Title>
      <Group mb="sm">
        <NativeSelect
          label={t('versions.with', { version })}
          value={from}
          data={earlier}
          onChange={(event) => {
            const chosen = event.currentTarget.value;
            setFilters({ with: chosen === earlier[0] ? '' : chosen });
          }}
        />
      </Group>
      <Loaded query={diff}>
        {({ settings, rules }) =>
          settings.length + rules.length === 0 ? (
            <Empty text={t('versions.same')} />
          ) : (
            <Stack>
              {settings.length === 0 ? null : <Diff differences={settings} />}
              {rules.length === 0 ? null : <RuleChanges changes={rules} />}
            </Stack>
          )
        }
      </Loaded>
    </section>
  );
}

/** All of them: what differs from the empty state before the first version. */
function Settings({ version }: { readonly version: number }) {
  const all = apiQuery.useQuery('get', '/api/v1/mapping/versions/{from}/diff/{to}', {
    params: { path: { from: '0', to: version.toString() } },
  });
  return (
    <section aria-label={t('versions.settings')}>
      <Title order={2} size="h4">
        {t('versions.settings')}
      </Title>
      <Loaded query={all}>{({ settings }) => <Diff differences={settings} isState />}</Loaded>
    </section>
  );
}

function Rules({ version }: { readonly version: number }) {
  const rules = apiQuery.useInfiniteQuery('get', '/api/v1/mapping/rules', { params: { query: { version } } }, PAGED);
  return (
    <section aria-label={t('versions.rules')}>
      <Title order={2} size="h4">
        {t('versions.rules')}
      </Title>
      <Loaded query={{ ...rules, data: rowsOf(rules.data) }}>
        {(rows) => (
          <DataTable
            label={t('versions.rules')}
            empty={t('mapping.none')}
            rows={rows}
            keyOf={({ id }) => id}
            more={rules.hasNextPage ? () => void rules.fetchNextPage() : undefined}
            isLoadingMore={rules.isFetchingNextPage}
            columns={[
              { header: t('mapping.number'), cell: ({ id }) => id },
              { header: t('mapping.kind'), cell: ({ subject }) => word('subject', subject) },
              {
                header: t('mapping.source'),
                cell: ({ sourceGroup, source }) => [sourceGroup, source].filter(Boolean).join(' / '),
              },
              { header: t('mapping.when'), cell: conditionsOf },
              {
                header: t('mapping.target'),
                cell: ({ targetGroup, target }) => [targetGroup, target].filter(Boolean).join(' / '),
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}
