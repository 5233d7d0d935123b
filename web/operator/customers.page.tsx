import { Anchor, Group } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../api/client.js';
import type { CustomerResponse } from '../api/schema.js';
import { shownTime, t } from '../messages/text.js';
import { shownCount } from '../messages/values.js';
import { Choice } from '../parts/choice.js';
import { DataTable } from '../parts/table/data-table.js';
import { PAGED, rowsOf } from '../parts/paged.js';
import { SearchBox } from '../parts/filters/search-box.js';
import { Loaded, PageTitle, State } from '../parts/states.js';
import { chosenOf, useFilters } from '../shell/address.js';
import { Concerns } from './concerns.js';
import { ConnectCompany } from './connect-company.js';
import { say, sayOf } from './words.js';

const CONCERNS = [
  '',
  'near-expiry',
  'stuck',
  'uncertain',
  'failed-tasks',
  'discrepancies',
  'authorization-lost',
  'paused',
] as const;
const STANDARD = { search: '', concern: '' };
const REFRESH_MS = 15_000;

/** All customers, or those that need an operator. */
export function CustomersPage() {
  const [filters, setFilters] = useFilters(STANDARD);
  const concern = CONCERNS.find((one) => one === filters.concern) ?? '';
  const { search } = filters;
  const customers = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/operator/customers',
    { params: { query: { ...chosenOf({ search }), ...(concern === '' ? {} : { concern }) } } },
    { ...PAGED, placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  return (
    <>
      <PageTitle title={say('nav.customers')}>
        <ConnectCompany />
      </PageTitle>
      <Group mb="md">
        <SearchBox
          value={search}
          placeholder={say('customers.search')}
          onSearch={(text) => {
            setFilters({ search: text });
          }}
        />
        <Choice
          label={say('customers.concern')}
          value={concern}
          values={CONCERNS}
          textOf={(value) => (value === '' ? say('customers.all') : sayOf('concern', value))}
          onChoose={(value) => {
            setFilters({ concern: value });
          }}
        />
      </Group>
      <Loaded query={{ ...customers, data: rowsOf(customers.data) }}>
        {(rows) => (
          <DataTable
            label={say('nav.customers')}
            empty={search === '' && concern === '' ? say('customers.none') : t('list.nothingFound')}
            rows={rows}
            keyOf={({ id }) => id}
            more={customers.hasNextPage ? () => void customers.fetchNextPage() : undefined}
            isLoadingMore={customers.isFetchingNextPage}
            columns={[
              {
                header: say('customer.name'),
                cell: ({ id, companyName }) => (
                  <Anchor component={Link} to={`/customers/${id}`}>
                    {companyName}
                  </Anchor>
                ),
              },
              { header: say('customer.state'), cell: ({ state }) => <State state={state} /> },
              { header: say('customer.concerns'), cell: (customer) => <Concerns of={customer} /> },
              { header: say('customer.openJobs'), isAmount: true, cell: ({ openJobs }) => shownCount(openJobs) },
              { header: say('customer.lastExport'), cell: (customer) => <LastExport of={customer} /> },
            ]}
          />
        )}
      </Loaded>
    </>
  );
}

/** When it was detected, and how it ended. */
function LastExport({ of: { lastExportAt, lastExportState } }: { readonly of: CustomerResponse }) {
  return lastExportAt === null || lastExportState === null ? null : (
    <Group gap="xs">
      <span>{shownTime(lastExportAt)}</span>
      <State state={lastExportState} />
    </Group>
  );
}
