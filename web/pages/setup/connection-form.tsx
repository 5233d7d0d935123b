import { Button, Checkbox, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import type { ErpConnectionResponse, ErpKindResponse, ProblemResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { Failed, Loaded, State, unreadOf } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { DisconnectErp } from './disconnect-erp.js';
import { propertiesOf, SettingsFields, settingsOf } from './settings-fields.js';

/** Which accounting system, and what opens it: the fields are those of its kind. */
export function ConnectionForm() {
  const kinds = apiQuery.useQuery('get', '/api/v1/erp-kinds');
  const connection = apiQuery.useQuery('get', '/api/v1/erp-connection', {}, { retry: false });
  const unread = unreadOf(connection);
  if (unread !== undefined) {
    return <Failed {...unread} />;
  }
  return (
    <Loaded query={kinds}>
      {({ data }) =>
        !connection.isFetched ? null : (
          <>
            <Form kinds={data} connection={connection.data} key={connection.data?.kind} />
            {connection.data === undefined ? null : <DisconnectErp name={connection.data.name} />}
          </>
        )
      }
    </Loaded>
  );
}

const NOT_CONFIRMED = 'urn:problem:not-confirmed';

interface FormProps {
  readonly kinds: readonly ErpKindResponse[];
  readonly connection: ErpConnectionResponse | undefined;
}

function Form({ kinds, connection }: FormProps) {
  const queryClient = useQueryClient();
  const { values, change, clear } = useStoredForm<Record<string, string>>(
    `erp connection ${connection?.connectedAt ?? ''}`,
    {},
  );
  // Never stored: they are typed again after a sign-in.
  const [secrets, setSecrets] = useState<Readonly<Record<string, string>>>({});
  const [isConfirmed, setConfirmed] = useState(false);
  const kind = kinds.find((one) => one.kind === (values['kind'] ?? connection?.kind)) ?? kinds[0];
  const done = async () => {
    clear();
    setSecrets({});
    notifications.show({ color: 'green', message: t('setup.connected') });
    await queryClient.invalidateQueries();
  };
  const save = apiQuery.useMutation('put', '/api/v1/erp-connection', { onSuccess: done });
  const signIn = apiQuery.useMutation('post', '/api/v1/erp-connection/sign-in', {
    onSuccess: ({ signInUrl }) => {
      location.assign(signInUrl);
    },
  });
  if (kind === undefined) {
    return <Text>{t('setup.noKinds')}</Text>;
  }
  const isChange = connection !== undefined && connection.kind !== kind.kind;
  const current = isChange ? {} : (connection?.settings ?? {});
  const body = () => ({
    kind: kind.kind,
    settings: settingsOf(kind, { ...values, ...secrets }, current),
    ...(isConfirmed ? { confirmChange: true } : {}),
  });
  // Of the button that was pressed last: the other begins anew.
  const error = save.error ?? signIn.error;
  // Also where the connection before has ended, and its company is still linked.
  const isAsked = (Object(error) as Partial<ProblemResponse>).type === NOT_CONFIRMED;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        signIn.reset();
        save.mutate({ body: body() });
      }}
    >
      <Stack maw={560}>
        {connection === undefined ? null : <Current connection={connection} />}
        <NativeSelect
          label={t('setup.kind')}
          value={kind.kind}
          data={kinds.map(({ kind: value, name }) => ({ value, label: name }))}
          onChange={(event) => {
            change({ kind: event.currentTarget.value });
          }}
        />
        <SettingsFields
          properties={propertiesOf(kind)}
          values={{ ...values, ...secrets }}
          current={current}
          error={error}
          onChange={(name, value, isSecret) => {
            if (isSecret) {
              setSecrets({ ...secrets, [name]: value });
            } else {
              change({ [name]: value });
            }
          }}
        />
        {isChange || isConfirmed || isAsked ? (
          <Checkbox
            label={t('setup.confirmChange')}
            checked={isConfirmed}
            onChange={(event) => {
              setConfirmed(event.currentTarget.checked);
            }}
          />
        ) : null}
        {error === null ? null : <Failed error={isAsked ? { detail: t('setup.askConfirm') } : error} />}
        <Group>
          <Button type="submit" loading={save.isPending}>
            {t(connection === undefined || isChange ? 'setup.connect' : 'setup.renew')}
          </Button>
          {kind.hasSignIn ? (
            <Button
              variant="default"
              loading={signIn.isPending}
              onClick={() => {
                save.reset();
                signIn.mutate({ body: body() });
              }}
            >
              {t('setup.signInAt', { name: kind.name })}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </form>
  );
}

function Current({ connection }: { readonly connection: ErpConnectionResponse }) {
  const { name, company, state, problem } = connection;
  return (
    <Group>
      <Text fw={500}>{[name, company].filter(Boolean).join(' · ')}</Text>
      <State state={state} />
      {problem === null ? null : <Text size="sm">{problem}</Text>}
    </Group>
  );
}
