import { Alert, Button, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import { t } from '../../messages/text.js';
import { Needs } from '../../parts/roles.js';
import { Failed } from '../../parts/states.js';
import { NotificationSettings } from './notification-settings.js';
import { PlatformKey } from './platform-key.js';
import { Received } from './received.js';
import { StoredData } from './stored-data.js';

/** The company's link to the platform: with what it was made, whether and how it announces exports, and the way out. */
export function PlatformLink() {
  const [isLeaving, setLeaving] = useState(false);
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
          <Button
            variant="default"
            w="fit-content"
            onClick={() => {
              setLeaving(true);
            }}
          >
            {t('link.disconnect')}
          </Button>
          <Modal
            opened={isLeaving}
            onClose={() => {
              setLeaving(false);
            }}
            title={t('link.disconnect')}
            closeButtonProps={{ 'aria-label': t('action.close') }}
          >
            <Disconnect />
          </Modal>
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

/** Cannot be taken back in ten seconds, so it asks for the company's name. */
function Disconnect() {
  const [companyName, setCompanyName] = useState('');
  const { data: connection } = apiQuery.useQuery('get', '/api/v1/connection');
  const { data: erp } = apiQuery.useQuery('get', '/api/v1/erp-connection', {}, { retry: false });
  const leave = apiQuery.useMutation('delete', '/api/v1/installation');
  if (leave.data !== undefined) {
    return (
      <Alert color="green" role="status">
        {t(leave.data.platformNotified ? 'link.disconnected' : 'link.disconnectedHere')}
      </Alert>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        leave.mutate({ params: { query: { companyName } } });
      }}
    >
      <Stack>
        <Text size="sm">{t('link.consequences')}</Text>
        {erp?.givesFiles === true ? <Text size="sm">{t('link.consequencesFiles')}</Text> : null}
        <TextInput
          label={t('link.name', { name: connection?.companyName ?? '' })}
          required
          autoComplete="off"
          value={companyName}
          onChange={(event) => {
            setCompanyName(event.currentTarget.value);
          }}
        />
        {leave.error === null ? null : <Failed error={leave.error} />}
        <Button type="submit" color="red.9" w="fit-content" loading={leave.isPending}>
          {t('link.disconnectNow')}
        </Button>
      </Stack>
    </form>
  );
}
