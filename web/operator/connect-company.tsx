import { Button, Modal, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../api/client.js';
import { problemAt } from '../api/problem-fields.js';
import { t } from '../messages/text.js';
import { Failed } from '../parts/states.js';
import { useDialog } from '../shell/address.js';
import { say } from './words.js';

/** Connects a company by an API key of the platform, where its administrator cannot sign in. */
export function ConnectCompany() {
  const dialog = useDialog('connect');
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {say('connect.title')}
      </Button>
      <Modal
        opened={dialog.isOpen}
        onClose={dialog.close}
        title={say('connect.title')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <ConnectForm />
      </Modal>
    </>
  );
}

/** The key is never stored in the browser, and gone with the dialog. */
function ConnectForm() {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [apiKey, setApiKey] = useState('');
  const [companyId, setCompanyId] = useState('');
  const connect = apiQuery.useMutation('post', '/api/v1/operator/installations', {
    onSuccess: async ({ installationId, companyName }) => {
      notifications.show({ color: 'green', role: 'status', message: say('connect.done', { name: companyName }) });
      await queryClient.invalidateQueries();
      // In place of the entry of the dialog: going back does not open it again.
      await navigate({ to: `/customers/${installationId}`, replace: true });
    },
  });
  const wrongKey = problemAt(connect.error, '/apiKey');
  const wrongCompany = problemAt(connect.error, '/companyId');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const company = companyId.trim();
        connect.mutate({ body: { apiKey: apiKey.trim(), ...(company === '' ? {} : { companyId: company }) } });
      }}
    >
      <Stack>
        <Text size="sm">{say('connect.about')}</Text>
        <PasswordInput
          data-autofocus
          label={say('connect.apiKey')}
          required
          autoComplete="off"
          value={apiKey}
          error={wrongKey}
          visibilityToggleButtonProps={{ 'aria-label': t('action.showTyped') }}
          onChange={(event) => {
            setApiKey(event.currentTarget.value);
          }}
        />
        <TextInput
          label={say('connect.companyId')}
          description={say('connect.companyIdWhen')}
          value={companyId}
          error={wrongCompany}
          onChange={(event) => {
            setCompanyId(event.currentTarget.value);
          }}
        />
        {connect.error === null || wrongKey !== undefined || wrongCompany !== undefined ? null : (
          <Failed error={connect.error} />
        )}
        <Button type="submit" w="fit-content" loading={connect.isPending}>
          {say('connect.connect')}
        </Button>
      </Stack>
    </form>
  );
}
