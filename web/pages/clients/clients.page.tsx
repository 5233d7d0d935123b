import { Button, Stack, Text } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import { t, word } from '../../messages/text.js';
import { shownCount } from '../../messages/values.js';
import { DataTable } from '../../parts/table/data-table.js';
import { Amounts, shownMoney } from '../../parts/money.js';
import { Loaded, PageTitle, State } from '../../parts/states.js';
import { sumOf } from '../../parts/figures/sum.js';
import { useSwitch } from '../../shell/use-switch.js';

/** All companies of a person: which of them needs attention, and for how much; the neediest first. */
export function ClientsPage() {
  const installations = apiQuery.useQuery('get', '/api/v1/me/installations');
  const switchTo = useSwitch();
  return (
    <>
      <PageTitle title={t('nav.clients')} />
      <Loaded query={installations}>
        {({ data }) => (
          <Stack>
            <Text>
              {t('clients.sum', {
                clients: data.length,
                needy: data.filter(({ needsAttention }) => needsAttention > 0).length,
                entries: data.reduce((sum, { failedEntries }) => sum + failedEntries, 0),
              })}{' '}
              <span className="figure">
                {sumOf(data.flatMap(({ amounts }) => amounts))
                  .map(shownMoney)
                  .join(' · ')}
              </span>
            </Text>
            <DataTable
              label={t('nav.clients')}
              empty={t('items.none')}
              rows={[...data].sort((one, other) => other.needsAttention - one.needsAttention)}
              keyOf={({ installationId }) => installationId}
              columns={[
                { header: t('clients.company'), cell: ({ companyName }) => companyName },
                { header: t('people.role'), cell: ({ role }) => word('role-of-member', role) },
                { header: t('home.platform'), cell: ({ connection }) => <State state={connection} /> },
                {
                  header: t('clients.needsAttention'),
                  isAmount: true,
                  cell: ({ needsAttention }) => needsAttention,
                },
                {
                  header: t('clients.failedEntries'),
                  isAmount: true,
                  cell: ({ failedEntries }) => shownCount(failedEntries),
                },
                { header: t('item.amount'), isAmount: true, cell: ({ amounts }) => <Amounts amounts={amounts} /> },
                {
                  header: t('action.actions'),
                  cell: ({ installationId, companyName, current }) =>
                    current ? (
                      t('clients.current')
                    ) : (
                      <Button
                        size="xs"
                        variant="default"
                        aria-label={t('clients.openOf', { company: companyName })}
                        onClick={() => {
                          switchTo(installationId);
                        }}
                      >
                        {t('clients.open')}
                      </Button>
                    ),
                },
              ]}
            />
          </Stack>
        )}
      </Loaded>
    </>
  );
}
