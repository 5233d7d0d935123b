import { Anchor, Button, Group, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import { shownTime, t } from '../../messages/text.js';
import { ErpValue } from '../../parts/erp-value.js';
import { Failed, State } from '../../parts/states.js';
import { useStoredForm } from '../../parts/stored-form.js';

/** Posts an entry of one cent and takes it back; before that, list by list, tries what the connection opens. */
export function TestForm() {
  const { values, change } = useStoredForm('erp test', { debit: '', credit: '' });
  const queryClient = useQueryClient();
  const newest = apiQuery.useQuery('get', '/api/v1/erp-connection/test-posting', {}, { retry: false });
  // What they found is kept with the connection.
  const onSuccess = () => queryClient.invalidateQueries();
  const post = apiQuery.useMutation('post', '/api/v1/erp-connection/test-posting', { onSuccess });
  const test = apiQuery.useMutation('post', '/api/v1/erp-connection/test', { onSuccess });
  const { debit, credit } = values;
  const posted = post.data ?? newest.data;
  const error = post.error ?? test.error;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        post.mutate({ body: { debit, credit } });
      }}
    >
      <Stack maw={560}>
        <Text size="sm">{t('test.note')}</Text>
        <Group grow>
          {(['debit', 'credit'] as const).map((side) => (
            <ErpValue
              key={side}
              list="account"
              label={t(`entry.${side}`)}
              value={values[side]}
              onChoose={(code) => {
                change({ [side]: code });
              }}
            />
          ))}
        </Group>
        <Group>
          <Button type="submit" loading={post.isPending} disabled={debit === '' || credit === ''}>
            {t('test.post')}
          </Button>
          <Button
            variant="default"
            loading={test.isPending}
            onClick={() => {
              test.mutate({ body: {} });
            }}
          >
            {t('test.start')}
          </Button>
        </Group>
        {error === null ? null : <Failed error={error} />}
        <Stack gap="xs" role="status">
          {posted === undefined ? null : (
            <Text size="sm" className="wrap">
              <span className={posted.works ? 'good' : 'bad'}>{posted.result.text}</span>{' '}
              {t('test.posted', { debit: posted.debit, credit: posted.credit, at: shownTime(posted.requestedAt) })}{' '}
              {posted.documentUrl === null ? (
                posted.documentNumber
              ) : (
                <Anchor href={posted.documentUrl} size="sm">
                  {posted.documentNumber}
                </Anchor>
              )}
            </Text>
          )}
          {test.data?.checks.map(({ check, state, detail }) => (
            <Group key={check} wrap="nowrap" align="flex-start">
              <State state={state} />
              <Text size="sm" className="wrap">
                {detail}
              </Text>
            </Group>
          ))}
        </Stack>
      </Stack>
    </form>
  );
}
