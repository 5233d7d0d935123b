import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { problemAt } from '../../api/problem-fields.js';
import { apiQuery } from '../../api/client.js';
import { t } from '../../messages/text.js';
import { Needs } from '../../parts/roles.js';
import { Failed, Overtaken } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';

const MAX_DAYS = 365;

/** After how many days an open discrepancy raises an alert. */
export function AlertLimit({ days }: { readonly days: number }) {
  const queryClient = useQueryClient();
  const { values, change, clear, putBack } = useStoredForm(`alert limit ${days.toString()}`, { days: days.toString() });
  const save = apiQuery.useMutation('put', '/api/v1/reconciliation/settings', {
    onSuccess: async () => {
      clear();
      notifications.show({ color: 'green', message: t('setup.saved') });
      await queryClient.invalidateQueries();
    },
  });
  const wrong = problemAt(save.error, '/alertAfterDays');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate({ body: { alertAfterDays: Number(values.days) } });
      }}
    >
      <Stack gap="xs" mb="sm">
        <Text size="sm">{t('reconciliation.alertAfter', { days })}</Text>
        <Needs role="admin" explained>
          <Group align="flex-end">
            <TextInput
              label={t('reconciliation.days')}
              required
              type="number"
              min={1}
              max={MAX_DAYS}
              value={values.days}
              error={wrong}
              onChange={(event) => {
                change({ days: event.currentTarget.value });
              }}
            />
            <Button type="submit" variant="default" loading={save.isPending} disabled={values.days === days.toString()}>
              {t('action.save')}
            </Button>
          </Group>
        </Needs>
        <Overtaken putBack={putBack} />
        {save.error === null || wrong !== undefined ? null : <Failed error={save.error} />}
      </Stack>
    </form>
  );
}
