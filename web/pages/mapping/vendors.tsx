import { Button, Group, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import { t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { hold } from '../../parts/held/held.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Loaded } from '../../parts/states.js';
import { Needs } from '../../parts/roles.js';
import { LinkVendor } from './link-vendor.js';
import { useSaved } from './saved.js';

/** Vendors that are not matched by themselves: a person links, creates or archives. */
export function Vendors() {
  const queryClient = useQueryClient();
  const matches = apiQuery.useInfiniteQuery('get', '/api/v1/reference-data/vendor-matches', {}, PAGED);
  const { failed } = useSaved();
  const decide = apiQuery.useMutation('post', '/api/v1/reference-data/vendor-matches/{platformVendorId}/decision', {
    onSuccess: () => queryClient.invalidateQueries(),
    onError: failed,
  });
  return (
    <Loaded query={{ ...matches, data: rowsOf(matches.data) }}>
      {(rows) => (
        <DataTable
          label={t('mapping.vendors')}
          empty={t('vendors.none')}
          rows={rows}
          keyOf={({ platformVendorId }) => platformVendorId}
          more={matches.hasNextPage ? () => void matches.fetchNextPage() : undefined}
          columns={[
            { header: t('vendors.name'), cell: ({ name }) => name },
            { header: t('vendors.reason'), cell: ({ reason, detail }) => detail ?? word('vendor-reason', reason) },
            {
              header: t('action.actions'),
              cell: ({ platformVendorId, candidates, name: vendor }) => (
                <Needs role="admin" explained>
                  <Group gap="xs">
                    {candidates.map(({ number, name, country }) => (
                      <Button
                        key={number}
                        size="xs"
                        variant="default"
                        onClick={() => {
                          hold({
                            text: t('vendors.held-link', { vendor, name }),
                            about: `vendor ${platformVendorId}`,
                            act: () =>
                              decide.mutateAsync({
                                params: { path: { platformVendorId } },
                                body: { decision: 'link', erpVendorNumber: number },
                                keepalive: true,
                              }),
                          });
                        }}
                      >
                        {t('vendors.link', { number, name: [name, country].filter(Boolean).join(', ') })}
                      </Button>
                    ))}
                    <LinkVendor platformVendorId={platformVendorId} vendor={vendor} />
                    {(['create', 'archive'] as const).map((decision) => (
                      <Button
                        key={decision}
                        size="xs"
                        variant="subtle"
                        onClick={() => {
                          hold({
                            text: t(`vendors.held-${decision}`, { vendor }),
                            about: `vendor ${platformVendorId}`,
                            act: () =>
                              decide.mutateAsync({
                                params: { path: { platformVendorId } },
                                body: { decision },
                                keepalive: true,
                              }),
                          });
                        }}
                      >
                        {t(`vendors.${decision}`)}
                      </Button>
                    ))}
                    {candidates.length === 0 ? <Text size="sm">{t('vendors.noCandidate')}</Text> : null}
                  </Group>
                </Needs>
              ),
            },
          ]}
        />
      )}
    </Loaded>
  );
}
