import { Button, Radio, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import type { ErpCompanyListResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { SearchBox } from '../../parts/filters/search-box.js';
import { Empty, Failed, Loaded, unreadOf } from '../../parts/states.js';

/** More than these are searched. */
const SHOWN = 20;

/** Which company of the accounting system: from the list of those that the company's own connection opens. */
export function CompanyForm() {
  const connection = apiQuery.useQuery('get', '/api/v1/erp-connection', {}, { retry: false });
  const isConnected = connection.data !== undefined;
  const [search, setSearch] = useState('');
  const query = { limit: SHOWN, ...(search === '' ? {} : { search }) };
  const companies = apiQuery.useQuery(
    'get',
    '/api/v1/erp/companies',
    { params: { query } },
    { retry: false, enabled: isConnected },
  );
  const unread = unreadOf(connection);
  if (unread !== undefined) {
    return <Failed {...unread} />;
  }
  if (connection.isFetched && !isConnected) {
    return <Text>{t('setup.connectFirst')}</Text>;
  }
  return (
    <Stack maw={560}>
      {search !== '' || (companies.data?.total ?? 0) > SHOWN ? <SearchBox value={search} onSearch={setSearch} /> : null}
      <Loaded query={companies}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty text={t(search === '' ? 'setup.noCompanies' : 'list.nothingFound')} />
          ) : (
            <Choose companies={data} />
          )
        }
      </Loaded>
    </Stack>
  );
}

function Choose({ companies }: { readonly companies: ErpCompanyListResponse['data'] }) {
  const queryClient = useQueryClient();
  const [only] = companies;
  const linked = companies.find(({ isLinked }) => isLinked) ?? (companies.length === 1 ? only : undefined);
  const [chosen, setChosen] = useState(linked?.id ?? '');
  const link = apiQuery.useMutation('put', '/api/v1/erp-company', {
    onSuccess: async () => {
      notifications.show({ color: 'green', message: t('setup.linked') });
      await queryClient.invalidateQueries();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        link.mutate({ body: { erpCompanyId: chosen } });
      }}
    >
      <Radio.Group label={t('setup.block-company')} value={chosen} onChange={setChosen} mb="sm">
        {companies.map(({ id, name, registrationNumber }) => (
          <Radio key={id} value={id} mt="xs" label={[name, registrationNumber].filter(Boolean).join(' · ')} />
        ))}
      </Radio.Group>
      {link.error === null ? null : <Failed error={link.error} />}
      <Button type="submit" disabled={chosen === ''} loading={link.isPending}>
        {t('setup.link')}
      </Button>
    </form>
  );
}
