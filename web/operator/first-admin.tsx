import { Alert, Button, Code, CopyButton, Stack, Text, Title } from '@mantine/core';
import { apiQuery } from '../api/client.js';
import { shownTime, t } from '../messages/text.js';
import { DataTable } from '../parts/table/data-table.js';
import { Loaded } from '../parts/states.js';
import { useDone } from './changed.js';
import { say } from './words.js';

/** Codes by which a member becomes the first admin of a company that was connected by API key. */
export function FirstAdmin({ customer }: { readonly customer: string }) {
  const params = { path: { id: customer } };
  const codes = apiQuery.useQuery('get', '/api/v1/operator/installations/{id}/first-admin-codes', { params });
  const made = apiQuery.useMutation(
    'post',
    '/api/v1/operator/installations/{id}/first-admin-codes',
    useDone(say('code.made')),
  );
  const revoke = apiQuery.useMutation(
    'delete',
    '/api/v1/operator/installations/{id}/first-admin-codes/{codeId}',
    useDone(say('code.revoked')),
  );
  return (
    <section aria-label={say('code.title')}>
      <Stack gap="xs">
        <Title order={2} size="h4">
          {say('code.title')}
        </Title>
        <Text size="sm">{say('code.about')}</Text>
        {made.data === undefined ? null : (
          <Alert color="green" title={say('code.once', { until: shownTime(made.data.expiresAt) })}>
            <Code className="wrap">{made.data.code}</Code>{' '}
            <CopyButton value={made.data.code}>
              {({ copied, copy }) => (
                <Button size="xs" variant="default" onClick={copy}>
                  {t(copied ? 'action.copied' : 'action.copy')}
                </Button>
              )}
            </CopyButton>
          </Alert>
        )}
        <Button
          variant="default"
          w="fit-content"
          loading={made.isPending}
          onClick={() => {
            made.mutate({ params });
          }}
        >
          {say('code.make')}
        </Button>
        <Loaded query={codes}>
          {({ data }) => (
            <DataTable
              label={say('code.title')}
              empty={say('code.none')}
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { header: say('code.createdAt'), cell: ({ createdAt }) => shownTime(createdAt) },
                { header: say('code.madeBy'), cell: ({ madeBy }) => madeBy },
                { header: say('code.expiresAt'), cell: ({ expiresAt }) => shownTime(expiresAt) },
                {
                  header: t('action.actions'),
                  cell: ({ id: codeId, createdAt }) => (
                    <Button
                      size="xs"
                      variant="subtle"
                      color="red"
                      aria-label={say('code.revokeOf', { at: shownTime(createdAt) })}
                      onClick={() => {
                        revoke.mutate({ params: { path: { id: customer, codeId } } });
                      }}
                    >
                      {say('code.revoke')}
                    </Button>
                  ),
                },
              ]}
            />
          )}
        </Loaded>
      </Stack>
    </section>
  );
}
