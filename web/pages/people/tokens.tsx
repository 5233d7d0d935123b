import { Alert, Button, Code, CopyButton, Group, NativeSelect, Stack, TextInput } from '@mantine/core';
import { apiQuery } from '../../api/client.js';
import type { ApiTokenRequest } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { holdSignedIn } from '../../parts/held/hold-signed-in.js';
import { Failed, Loaded } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';
import { useUnderWay } from '../../parts/table/under-way.js';
import { useChanged } from './changed.js';
import { roleChoices } from './members.js';

const DAYS = 90;
/** As the API takes it. */
const MAX_LABEL_LENGTH = 100;

/** API tokens of programs; a new one is shown once. */
export function Tokens() {
  const tokens = apiQuery.useQuery('get', '/api/v1/api-tokens');
  const { values, change, clear } = useStoredForm<Pick<ApiTokenRequest, 'label' | 'role'>>('token', {
    label: '',
    role: 'viewer',
  });
  const changed = useChanged();
  const create = apiQuery.useMutation('post', '/api/v1/api-tokens', {
    onSuccess: () => {
      clear();
      return changed.onSuccess();
    },
  });
  const revoke = apiQuery.useMutation('delete', '/api/v1/api-tokens/{id}', changed);
  const revoking = useUnderWay('delete', '/api/v1/api-tokens/{id}');
  return (
    <Stack>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { ...values, label: values.label.trim(), days: DAYS } });
        }}
      >
        <Group align="flex-end">
          <TextInput
            label={t('tokens.label')}
            required
            maxLength={MAX_LABEL_LENGTH}
            pattern=".*\S.*"
            value={values.label}
            onChange={(event) => {
              change({ label: event.currentTarget.value });
            }}
          />
          <NativeSelect
            label={t('people.role')}
            value={values.role}
            data={roleChoices()}
            onChange={(event) => {
              change({ role: event.currentTarget.value as ApiTokenRequest['role'] });
            }}
          />
          <Button type="submit" loading={create.isPending}>
            {t('tokens.create')}
          </Button>
        </Group>
      </form>
      {create.error === null ? null : <Failed error={create.error} />}
      {create.data === undefined ? null : <ShownOnce value={create.data.token} title={t('tokens.once')} />}
      <Loaded query={tokens}>
        {({ data }) => (
          <DataTable
            label={t('people.tokens')}
            empty={t('tokens.none')}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { header: t('tokens.label'), cell: ({ label, prefix }) => [label, prefix].filter(Boolean).join(' · ') },
              { header: t('people.role'), cell: ({ role }) => word('role-of-member', role) },
              { header: t('tokens.expires'), cell: ({ expiresAt }) => shownTime(expiresAt) },
              {
                header: t('sessions.used'),
                cell: ({ lastUsedAt }) => (lastUsedAt === null ? t('tokens.never') : shownTime(lastUsedAt)),
              },
              {
                header: t('action.actions'),
                cell: ({ id, label }) => (
                  <Button
                    size="xs"
                    variant="subtle"
                    color="red"
                    aria-label={t('tokens.revokeOf', { label })}
                    loading={revoking(id) !== undefined}
                    onClick={() => {
                      holdSignedIn({
                        text: t('tokens.heldRevoke', { label }),
                        about: `token ${id}`,
                        act: () => revoke.mutateAsync({ params: { path: { id } }, keepalive: true }),
                      });
                    }}
                  >
                    {t('tokens.revoke')}
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Stack>
  );
}

/** A secret that cannot be read again. */
export function ShownOnce({ value, title }: { readonly value: string; readonly title: string }) {
  return (
    <Alert color="green" title={title}>
      <Code className="wrap">{value}</Code>{' '}
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Button size="xs" variant="default" onClick={copy}>
            {t(copied ? 'action.copied' : 'action.copy')}
          </Button>
        )}
      </CopyButton>
    </Alert>
  );
}
