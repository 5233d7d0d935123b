import { Button, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import { t } from '../../messages/text.js';
import { Needs } from '../../parts/roles.js';
import { Failed } from '../../parts/states.js';
import { DisconnectCompany } from './disconnect-company.js';
import { NotificationSettings } from './notification-settings.js';
import { PlatformKey } from './platform-key.js';
import { Received } from './received.js';
import { StoredData } from './stored-data.js';

/** The company's link to the platform: with what it was made, whether and how it announces exports, and the way out. */
export function PlatformLink() {
  return (
    <section aria-label={t('link.title')}>
      <Title order={2} size="h4" mb="sm">
        {t('link.title')}
      </Title>
      <Stack gap="sm">
        <PlatformKey />
        <Notifications />
        <NotificationSettings />
        <Received />
        <Needs role="admin" explained>
          <StoredData />
          <DisconnectCompany />
        </Needs>
      </Stack>
    </section>
  );
}

/** Offers to switch the notifications on where they are off. Switching them off is for tests, and not offered. */
function Notifications() {
  const queryClient = useQueryClient();
  const { data: subscription } = apiQuery.useQuery('get', '/api/v1/subscription', {}, { retry: false });
  const change = apiQuery.useMutation('put', '/api/v1/subscription', {
    onSuccess: () => queryClient.invalidateQueries(),
  });
  if (subscription === undefined || subscription.confirmedStatus === 'ACTIVE') {
    return null;
  }
  return (
    <>
      <Text size="sm">{t('link.notNotified')}</Text>
      <Needs role="admin">
        <Button
          variant="light"
          w="fit-content"
          loading={change.isPending}
          onClick={() => {
            change.mutate({ body: { status: 'ACTIVE' } });
          }}
        >
          {t('link.tellAgain')}
        </Button>
      </Needs>
      {change.error === null ? null : <Failed error={change.error} />}
    </>
  );
}
