import { Alert, Button, Modal, Stack, Text, TextInput } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import { t } from '../../messages/text.js';
import { Failed } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { useDialog } from '../../shell/address.js';

/** The way out of the connector. It cannot be taken back in ten seconds, so it asks for the company's name. */
export function DisconnectCompany() {
  const dialog = useDialog('disconnect-company');
  const form = useStoredForm('disconnect company', { companyName: '' });
  return (
    <>
      <Button variant="default" w="fit-content" onClick={dialog.open}>
        {t('link.disconnect')}
      </Button>
      <Modal
        opened={dialog.isOpen}
        onClose={() => {
          dialog.close();
          form.clear();
        }}
        title={t('link.disconnect')}
        closeButtonProps={{ 'aria-label': t('action.close') }}
      >
        <Disconnect form={form} />
      </Modal>
    </>
  );
}

interface DisconnectProps {
  readonly form: ReturnType<typeof useStoredForm<{ companyName: string }>>;
}

function Disconnect({ form: { values, change, clear } }: DisconnectProps) {
  const { data: connection } = apiQuery.useQuery('get', '/api/v1/connection');
  const name = connection?.companyName ?? '';
  const { data: erp } = apiQuery.useQuery('get', '/api/v1/erp-connection', {}, { retry: false });
  const leave = apiQuery.useMutation('delete', '/api/v1/installation', { onSuccess: clear });
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
        // A name that was copied often has a blank at its end; the API wants every character as it has them.
        const typed = values.companyName.trim();
        leave.mutate({ params: { query: { companyName: typed === name.trim() ? name : typed } } });
      }}
    >
      <Stack>
        <Text size="sm">{t('link.consequences')}</Text>
        {erp?.givesFiles === true ? <Text size="sm">{t('link.consequencesFiles')}</Text> : null}
        <TextInput
          label={t('link.name', { name })}
          required
          autoComplete="off"
          value={values.companyName}
          onChange={(event) => {
            change({ companyName: event.currentTarget.value });
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
