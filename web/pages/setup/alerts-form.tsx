import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import { BASE } from '../../api/sample.js';
import type { AlertSettingsResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { Failed, Loaded, Overtaken } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { ifMatch } from '../mapping/saved.js';

/** Who is notified by mail when an export fails or a connection is lost. */
export function AlertsForm() {
  const settings = apiQuery.useQuery('get', '/api/v1/alert-settings');
  return <Loaded query={settings}>{(data) => (data.canSendMail ? <Form settings={data} /> : <NoMailServer />)}</Loaded>;
}

function NoMailServer() {
  return (
    <Stack gap="xs">
      <Text>{t('setup.noMailServer')}</Text>
      <OtherWays />
    </Stack>
  );
}

function OtherWays() {
  return (
    <Anchor href={`${BASE}/people?tab=alerts`} size="sm">
      {t('setup.moreAlerts')}
    </Anchor>
  );
}

function Form({ settings: { version, address, channel, kinds } }: { readonly settings: AlertSettingsResponse }) {
  const queryClient = useQueryClient();
  const known = channel === 'mail' ? (address ?? '') : '';
  const { values, change, clear, putBack } = useStoredForm(`alert address ${version.toString()}`, { address: known });
  const save = apiQuery.useMutation('put', '/api/v1/alert-settings', {
    onSuccess: async () => {
      clear();
      await queryClient.invalidateQueries();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const body = { channel: 'mail', address: values.address, kinds } as const;
        save.mutate({ params: { header: ifMatch(version) }, body });
      }}
    >
      <Stack>
        <Group align="flex-end">
          <TextInput
            type="email"
            required
            label={t('setup.mailAddress')}
            value={values.address}
            onChange={(event) => {
              change({ address: event.currentTarget.value });
            }}
          />
          <Button type="submit" loading={save.isPending}>
            {t('setup.tell')}
          </Button>
          <OtherWays />
        </Group>
        <Overtaken putBack={putBack} />
        {save.error === null ? null : <Failed error={save.error} />}
      </Stack>
    </form>
  );
}
