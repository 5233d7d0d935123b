import { Alert, Button, Checkbox, Group, NativeSelect, Stack, TextInput, Title } from '@mantine/core';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import type { AlertSettingsRequest, AlertSettingsResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { Failed, Loaded, Overtaken, State } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { ifMatch } from '../mapping/saved.js';
import { useChanged } from './changed.js';
import { ShownOnce } from './tokens.js';

type Channel = AlertSettingsRequest['channel'];
const CHANNELS = ['off', 'mail', 'webhook'] as const;
const KINDS = [
  'export-failed',
  'export-with-errors',
  'deadline-near',
  'authorization-needed',
  'erp-authorization-needed',
  'erp-company-wanted',
  'subscription-disabled',
  'discrepancies-overdue',
  'in-doubt-posting',
  'sync-failed',
  'digest-daily',
  'digest-weekly',
] as const;

/** Who is notified of what, and what was sent. */
export function Alerts() {
  const settings = apiQuery.useQuery('get', '/api/v1/alert-settings');
  const [secret, setSecret] = useState<string | null>(null);
  const alerts = apiQuery.useInfiniteQuery('get', '/api/v1/alerts', {}, PAGED);
  return (
    <Stack>
      <Loaded query={settings}>
        {(data) => (
          <>
            <Form settings={data} onSaved={setSecret} />
            {secret === null ? null : <ShownOnce value={secret} title={t('alerts.secret')} />}
            {data.channel === 'off' ? null : <TestMessage />}
          </>
        )}
      </Loaded>
      <Title order={2} size="h4">
        {t('alerts.sent')}
      </Title>
      <Loaded query={{ ...alerts, data: rowsOf(alerts.data) }}>
        {(rows) => (
          <DataTable
            label={t('alerts.sent')}
            empty={t('alerts.none')}
            rows={rows}
            keyOf={({ id }) => id}
            more={alerts.hasNextPage ? () => void alerts.fetchNextPage() : undefined}
            columns={[
              { header: t('versions.when'), cell: ({ raisedAt }) => shownTime(raisedAt) },
              { header: t('versions.what'), cell: ({ message }) => message.text },
              {
                header: t('export.state'),
                cell: ({ state, problem }) => (
                  <Group gap="xs">
                    <State state={state} />
                    {problem}
                  </Group>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

/** To the address that is saved. */
function TestMessage() {
  const test = apiQuery.useMutation('post', '/api/v1/alert-settings/test');
  return (
    <Stack gap="xs">
      <Button
        variant="default"
        w="fit-content"
        loading={test.isPending}
        onClick={() => {
          test.mutate({});
        }}
      >
        {t('alerts.test')}
      </Button>
      {test.error === null ? null : <Failed error={test.error} />}
      {test.data === undefined ? null : (
        <Alert color={test.data.delivered ? 'green' : 'red'} role="status">
          {test.data.problem === null ? t('alerts.tested') : t('alerts.notTested', { problem: test.data.problem })}
        </Alert>
      )}
    </Stack>
  );
}

interface FormProps {
  readonly settings: AlertSettingsResponse;
  /** @param secret of a webhook that is new, which is never shown again */
  readonly onSaved: (secret: string | null) => void;
}

function Form({ settings, onSaved }: FormProps) {
  const { version, channel, address, kinds, canSendMail } = settings;
  const { values, change, clear, putBack } = useStoredForm(`alerts ${version.toString()}`, {
    channel,
    address: channel === 'mail' ? (address ?? '') : '',
    kinds: [...kinds],
  });
  // The API shows only a part of a webhook's address, and keeps it when none is sent.
  const isKept = channel === 'webhook' && values.channel === 'webhook';
  const changed = useChanged();
  const save = apiQuery.useMutation('put', '/api/v1/alert-settings', {
    onSuccess: ({ secret }) => {
      clear();
      onSaved(secret);
      return changed.onSuccess();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const to = values.channel === 'off' || values.address === '' ? {} : { address: values.address };
        save.mutate({
          params: { header: ifMatch(version) },
          body: { channel: values.channel, kinds: values.kinds, ...to },
        });
      }}
    >
      <Stack maw={560}>
        <NativeSelect
          label={t('alerts.channel')}
          value={values.channel}
          data={CHANNELS.map((value) =>
            value === 'mail' && !canSendMail
              ? { value, label: t('alerts.noMailServer'), disabled: true }
              : { value, label: t(`alerts.${value}`) },
          )}
          onChange={(event) => {
            change({ channel: event.currentTarget.value as Channel });
          }}
        />
        {values.channel === 'off' ? null : (
          <TextInput
            label={t('alerts.address')}
            required={!isKept}
            description={isKept ? t('alerts.kept', { address: address ?? '' }) : undefined}
            value={values.address}
            onChange={(event) => {
              change({ address: event.currentTarget.value });
            }}
          />
        )}
        <Checkbox.Group
          label={t('alerts.kinds')}
          value={values.kinds}
          onChange={(chosen) => {
            change({ kinds: KINDS.filter((kind) => chosen.includes(kind)) });
          }}
        >
          {KINDS.map((kind) => (
            <Checkbox key={kind} value={kind} mt="xs" label={word('alert', kind)} />
          ))}
        </Checkbox.Group>
        <Overtaken putBack={putBack} />
        {save.error === null ? null : <Failed error={save.error} />}
        <Button type="submit" loading={save.isPending} w="fit-content">
          {t('action.save')}
        </Button>
      </Stack>
    </form>
  );
}
