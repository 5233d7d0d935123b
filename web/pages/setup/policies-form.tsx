import { Button, NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { t } from '../../messages/text.js';
import { Failed, Overtaken } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { useSaveSettings, useSettings } from './use-settings.js';

/** Which there are, with what can be chosen. */
export const POLICIES = {
  postingState: ['posted', 'draft'],
  unknownVendor: ['fail', 'create'],
  closedPeriod: ['fail', 'next-open'],
  conflicts: ['fail', 'reverse-and-repost'],
  receipts: ['post-without', 'fail'],
  reversedInErp: ['repost', 'fail'],
} as const;

/** What happens where an export cannot go the usual way. */
export function PoliciesForm() {
  const { settings, isPending, unread, version } = useSettings();
  const { values, change, clear, putBack } = useStoredForm<Record<string, string>>(
    `policies ${JSON.stringify(settings.policies)}`,
    {},
  );
  const { isSaving, error, saveAll } = useSaveSettings(version, clear);
  if (isPending) {
    return null;
  }
  if (unread !== undefined) {
    return <Failed {...unread} />;
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        saveAll({ ...settings, policies: { ...settings.policies, ...values } });
      }}
    >
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {(Object.keys(POLICIES) as (keyof typeof POLICIES)[]).map((name) => (
            <NativeSelect
              key={name}
              label={t(`policy.${name}`)}
              value={values[name] ?? settings.policies[name]}
              data={POLICIES[name].map((value) => ({ value, label: t(`policy-value.${value}`) }))}
              onChange={(event) => {
                change({ [name]: event.currentTarget.value });
              }}
            />
          ))}
        </SimpleGrid>
        <Overtaken putBack={putBack} />
        {error === null ? null : <Failed error={error} />}
        <Button type="submit" loading={isSaving} w="fit-content">
          {t('setup.looksRight')}
        </Button>
      </Stack>
    </form>
  );
}
