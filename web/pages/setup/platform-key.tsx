import { Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { problemAt } from '../../api/problem-fields.js';
import { apiQuery } from '../../api/client.js';
import { shownTime, t } from '../../messages/text.js';
import { Needs } from '../../parts/roles.js';
import { Failed } from '../../parts/states.js';
import { useDialog } from '../../shell/address.js';

/** With what the connector gets in at the platform, and a new API key in its place. */
export function PlatformKey() {
  const dialog = useDialog('platform-key');
  const { data: connection } = apiQuery.useQuery('get', '/api/v1/connection');
  const credential = connection?.credential;
  return (
    <>
      {credential ? (
        <Text size="sm">{t(`link.with-${credential.kind}`, { at: shownTime(credential.updatedAt) })}</Text>
      ) : null}
      <Needs role="admin">
        <Button variant="default" w="fit-content" onClick={dialog.open}>
          {t('link.newKey')}
        </Button>
        <Modal
          opened={dialog.isOpen}
          onClose={dialog.close}
          title={t('link.newKey')}
          closeButtonProps={{ 'aria-label': t('action.close') }}
        >
          <KeyForm onSaved={dialog.close} />
        </Modal>
      </Needs>
    </>
  );
}

/** The key is never stored in the browser, and gone with the dialog. */
function KeyForm({ onSaved }: { readonly onSaved: () => void }) {
  const queryClient = useQueryClient();
  const [apiKey, setApiKey] = useState('');
  const save = apiQuery.useMutation('put', '/api/v1/connection/api-key', {
    onSuccess: async ({ companyName }) => {
      onSaved();
      notifications.show({ color: 'green', message: t('link.keySaved', { name: companyName }) });
      await queryClient.invalidateQueries();
    },
  });
  const wrong = problemAt(save.error, '/apiKey');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { apiKey: apiKey.trim() } });
      }}
    >
      <Stack>
        <Text size="sm">{t('link.keyNote')}</Text>
        <PasswordInput
          label={t('link.key')}
          required
          autoComplete="off"
          data-autofocus
          value={apiKey}
          error={wrong}
          // The library leaves it out here.
          aria-invalid={wrong !== undefined}
          errorProps={{ role: 'alert' }}
          onChange={(event) => {
            setApiKey(event.currentTarget.value);
          }}
        />
        {save.error === null || wrong !== undefined ? null : <Failed error={save.error} />}
        <Button type="submit" w="fit-content" loading={save.isPending}>
          {t('setup.renew')}
        </Button>
      </Stack>
    </form>
  );
}
