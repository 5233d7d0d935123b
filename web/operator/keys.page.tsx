import { Text } from '@mantine/core';
import { apiQuery } from '../api/client.js';
import { shownCount } from '../messages/values.js';
import { DataTable } from '../parts/table/data-table.js';
import { Loaded, PageTitle } from '../parts/states.js';
import { say } from './words.js';

const REFRESH_MS = 10_000;

/** How far the rotation to the first key of the configuration is, and which keys can be removed from it. */
export function KeysPage() {
  const keys = apiQuery.useQuery('get', '/api/v1/operator/credential-keys', {}, { refetchInterval: REFRESH_MS });
  return (
    <>
      <PageTitle title={say('nav.keys')} />
      <Loaded query={keys}>
        {({ primary, wrapped }) => {
          const left = wrapped.filter(({ keyId }) => keyId !== primary);
          return (
            <>
              <Text mb="sm">{say(left.length === 0 ? 'keys.done' : 'keys.underWay', { primary })}</Text>
              <DataTable
                label={say('nav.keys')}
                empty={say('keys.none')}
                rows={wrapped}
                keyOf={({ keyId }) => keyId}
                columns={[
                  { header: say('keys.key'), cell: ({ keyId }) => keyId },
                  {
                    header: say('customer.state'),
                    cell: ({ keyId }) => say(keyId === primary ? 'keys.isPrimary' : 'keys.isLeft'),
                  },
                  {
                    header: say('keys.installations'),
                    isAmount: true,
                    cell: ({ installations }) => shownCount(installations),
                  },
                ]}
              />
            </>
          );
        }}
      </Loaded>
    </>
  );
}
