import { Button, Group, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import type { ResolutionRequest } from '../../api/schema.js';
import { shownDay, shownTime, t } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { useAccountNames } from '../../parts/erp-value.js';
import { holdSignedIn } from '../../parts/held/hold-signed-in.js';
import { Money } from '../../parts/money.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded } from '../../parts/states.js';
import { Needs } from '../../parts/roles.js';
import { tellRefused } from '../../parts/refused.js';
import { useUnderWay } from '../../parts/table/under-way.js';

/** Postings of which the accounting system cannot say whether it has them: a person looks and records it. */
export function InDoubt() {
  const queryClient = useQueryClient();
  const names = useAccountNames();
  const postings = apiQuery.useInfiniteQuery('get', '/api/v1/in-doubt-postings', {}, PAGED);
  const resolve = apiQuery.useMutation('post', '/api/v1/in-doubt-postings/{accountingEntryId}/resolution', {
    onSuccess: () => queryClient.invalidateQueries(),
    onError: (error) => {
      tellRefused(error);
    },
  });
  const resolving = useUnderWay<ResolutionRequest>('post', '/api/v1/in-doubt-postings/{accountingEntryId}/resolution');
  return (
    <section aria-label={t('home.inDoubt')}>
      <Title order={2} size="h4" mb="sm">
        {t('home.inDoubt')}
      </Title>
      <Loaded query={{ ...postings, data: rowsOf(postings.data) }}>
        {(rows) => (
          <DataTable
            label={t('home.inDoubt')}
            empty={t('inDoubt.none')}
            rows={rows}
            keyOf={({ accountingEntryId }) => accountingEntryId}
            more={postings.hasNextPage ? () => void postings.fetchNextPage() : undefined}
            columns={[
              { header: t('inDoubt.sent'), cell: ({ sentAt }) => shownTime(sentAt) },
              {
                header: t('item.entry'),
                cell: ({ entries }) =>
                  entries.map(({ role, postingDate, lines }) => (
                    <div key={role}>
                      <Text size="sm">{shownDay(postingDate)}</Text>
                      {lines.map(({ accountCode, money }, index) => (
                        <div key={`${index.toString()} ${accountCode}`}>
                          {[accountCode, names.get(accountCode)].filter(Boolean).join(' ')} <Money money={money} />
                        </div>
                      ))}
                    </div>
                  )),
              },
              {
                header: t('action.actions'),
                cell: ({ accountingEntryId, reference }) => (
                  <Group gap="xs">
                    <Text size="sm">{t('inDoubt.search', { reference })}</Text>
                    <Needs role="bookkeeper" explained>
                      {(['in-the-books', 'not-in-the-books'] as const).map((outcome) => (
                        <Button
                          key={outcome}
                          size="xs"
                          variant="default"
                          loading={resolving(accountingEntryId)?.body?.outcome === outcome}
                          disabled={resolving(accountingEntryId) !== undefined}
                          onClick={() => {
                            holdSignedIn({
                              text: t(`inDoubt.held-${outcome}`, { reference }),
                              about: `in doubt ${accountingEntryId}`,
                              act: () => {
                                const params = { path: { accountingEntryId } };
                                return resolve.mutateAsync({ params, body: { outcome }, keepalive: true });
                              },
                            });
                          }}
                        >
                          {t(`inDoubt.${outcome}`)}
                        </Button>
                      ))}
                    </Needs>
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </section>
  );
}
