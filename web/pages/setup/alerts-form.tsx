import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import { BASE } from '../../api/sample.js';
import type { AlertSettingsRequest, AlertSettingsResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { Failed, Loaded, Overtaken } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { ifMatch } from '../mapping/saved.js';

interface Settings {
  readonly settings: AlertSettingsResponse;
}

/** Who is notified by mail when an export fails or a connection is lost; that no person is, is a decision, too. */
export function AlertsForm() {
  const settings = apiQuery.useQuery('get', '/api/v1/alert-settings');
  return (
    <Loaded query={settings}>
      {(data) => (data.canSendMail ? <MailForm settings={data} /> : <NoMailServer settings={data} />)}
    </Loaded>
  );
}

function NoMailServer({ settings }: Settings) {
  const save = useSave(settings);
  return (
    <Stack gap="xs">
      <Text>{t('setup.noMailServer')}</Text>
      <Group>
        <NoAlerts settings={settings} save={save} />
        <OtherWays />
      </Group>
      {save.error === null ? null : <Failed error={save.error} />}
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

/** Not offered where it is decided already. */
function NoAlerts({ settings: { channel, version }, save }: Settings & { readonly save: Save }) {
  return channel === 'off' && version > 0 ? null : (
    <Button
      variant="default"
      loading={save.isPending && save.wanted === 'off'}
      disabled={save.isPending && save.wanted !== 'off'}
      onClick={() => {
        save.choose({ channel: 'off' });
      }}
    >
      {t('setup.noAlerts')}
    </Button>
  );
}

type Choice = Pick<AlertSettingsRequest, 'channel' | 'address'>;
type Save = ReturnType<typeof useSave>;

/** Saves who is notified; of what stays as it is. */
function useSave({ version, kinds }: AlertSettingsResponse, onSaved?: () => void) {
  const queryClient = useQueryClient();
  const { mutate, isPending, error, variables } = apiQuery.useMutation('put', '/api/v1/alert-settings', {
    onSuccess: async () => {
      onSaved?.();
      await queryClient.invalidateQueries();
    },
  });
  const choose = (choice: Choice) => {
    mutate({ params: { header: ifMatch(version) }, body: { ...choice, kinds } });
  };
  return { choose, isPending, error, wanted: variables?.body.channel };
}

function MailForm({ settings }: Settings) {
  const { version, address, channel } = settings;
  const known = channel === 'mail' ? (address ?? '') : '';
  const { values, change, clear, putBack } = useStoredForm(`alert address ${version.toString()}`, { address: known });
  const save = useSave(settings, clear);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.choose({ channel: 'mail', address: values.address });
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
          <Button
            type="submit"
            loading={save.isPending && save.wanted === 'mail'}
            disabled={save.isPending && save.wanted !== 'mail'}
          >
            {t('setup.tell')}
          </Button>
          <NoAlerts settings={settings} save={save} />
          <OtherWays />
        </Group>
        <Overtaken putBack={putBack} />
        {save.error === null ? null : <Failed error={save.error} />}
      </Stack>
    </form>
  );
}
