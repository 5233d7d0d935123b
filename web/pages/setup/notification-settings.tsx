import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import type { SubscriptionResponse, WebhookSettings } from '../../api/schema.js';
import { shownTime, t } from '../../messages/text.js';
import { useRefusedElsewhere } from '../../parts/held/held.js';
import { holdSignedIn } from '../../parts/held/hold-signed-in.js';
import { Needs } from '../../parts/roles.js';
import { Failed } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';

/** A new secret is agreed on within seconds. */
const LOOK_MS = 2_000;
const MEANINGS = ['attempt', 'generation'] as const;

/** How the platform's notifications prove to be its own; nothing before the platform sends any. */
export function NotificationSettings() {
  const { data: subscription } = apiQuery.useQuery(
    'get',
    '/api/v1/subscription',
    {},
    { retry: false, refetchInterval: ({ state: { data } }) => (data?.rotationRequestedAt ? LOOK_MS : false) },
  );
  const { data: settings } = apiQuery.useQuery('get', '/api/v1/webhook-settings', {}, { retry: false });
  return (
    <>
      {subscription?.secretSince ? <Secret subscription={subscription} /> : null}
      {settings === undefined ? null : <Time settings={settings} key={settings.timestampMeaning} />}
    </>
  );
}

function Secret({ subscription }: { readonly subscription: SubscriptionResponse }) {
  const { secretSince, previousSecretUntil, rotationRequestedAt } = subscription;
  const queryClient = useQueryClient();
  const rotate = apiQuery.useMutation('post', '/api/v1/subscription/secret-rotation', {
    onSuccess: () => queryClient.invalidateQueries(),
    onError: useRefusedElsewhere(t('link.newSecret')),
  });
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {rotationRequestedAt === null
          ? t('link.secretSince', { at: shownTime(secretSince ?? '') })
          : t('link.secretComing')}{' '}
        {previousSecretUntil === null ? null : t('link.secretBefore', { at: shownTime(previousSecretUntil) })}
      </Text>
      <Needs role="admin">
        <Button
          variant="default"
          w="fit-content"
          loading={rotate.isPending}
          disabled={rotationRequestedAt !== null}
          onClick={() => {
            holdSignedIn({
              text: t('link.heldSecret'),
              about: 'secret',
              act: () => rotate.mutateAsync({ keepalive: true }),
            });
          }}
        >
          {t('link.newSecret')}
        </Button>
      </Needs>
      {rotate.error === null ? null : <Failed error={rotate.error} />}
    </Stack>
  );
}

function Time({ settings: { timestampMeaning } }: { readonly settings: WebhookSettings }) {
  const queryClient = useQueryClient();
  const { values, change, clear } = useStoredForm<WebhookSettings>(`notifications ${timestampMeaning}`, {
    timestampMeaning,
  });
  const save = apiQuery.useMutation('put', '/api/v1/webhook-settings', {
    onSuccess: async () => {
      clear();
      notifications.show({ color: 'green', message: t('setup.saved') });
      await queryClient.invalidateQueries();
    },
  });
  return (
    <Needs role="admin">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ body: values });
        }}
      >
        <Stack gap="xs" maw={560}>
          <Group align="flex-end">
            <NativeSelect
              label={t('link.time')}
              value={values.timestampMeaning}
              data={MEANINGS.map((value) => ({ value, label: t(`audit-value-timestamp_meaning.${value}`) }))}
              onChange={(event) => {
                const chosen = MEANINGS.find((one) => one === event.currentTarget.value);
                if (chosen !== undefined) {
                  change({ timestampMeaning: chosen });
                }
              }}
            />
            <Button
              type="submit"
              variant="default"
              loading={save.isPending}
              disabled={values.timestampMeaning === timestampMeaning}
            >
              {t('action.save')}
            </Button>
          </Group>
          <Text size="sm" c="dimmed">
            {t('link.timeNote')}
          </Text>
          {save.error === null ? null : <Failed error={save.error} />}
        </Stack>
      </form>
    </Needs>
  );
}
