import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../api/client.js';
import type { DriftResponse } from '../api/schema.js';
import { shownTime, t } from '../messages/text.js';
import { Needs } from './roles.js';
import { Failed, Loaded } from './states.js';

/** What the mapping points at and the accounting system has archived, renamed or blocked since. */
export function Drift() {
  const drift = apiQuery.useQuery('get', '/api/v1/drift');
  return <Loaded query={drift}>{(data) => <DriftFound drift={data} />}</Loaded>;
}

/** The same, as it was read with something else; looked up again when asked to. */
export function DriftFound({ drift: { checkedAt, data, more } }: { readonly drift: DriftResponse }) {
  const queryClient = useQueryClient();
  const check = apiQuery.useMutation('post', '/api/v1/drift/checks', {
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <section aria-label={t('drift.title')}>
      <Title order={2} size="h4" mb="sm">
        {t('drift.title')}
      </Title>
      <Stack gap="xs" role="status">
        {data.map(({ kind, group, target, detail }) => (
          <Alert key={[kind, group, target].join(' ')} color="orange">
            {detail}
          </Alert>
        ))}
        {more ? <Text size="sm">{t('drift.more')}</Text> : null}
        <Text size="sm">
          {checkedAt === null
            ? t('drift.never')
            : t(data.length === 0 ? 'drift.none' : 'drift.checked', { at: shownTime(checkedAt) })}
        </Text>
      </Stack>
      <Needs role="bookkeeper">
        <Group mt="sm">
          <Button
            variant="default"
            loading={check.isPending}
            onClick={() => {
              check.mutate({});
            }}
          >
            {t('drift.check')}
          </Button>
        </Group>
      </Needs>
      {check.error === null ? null : <Failed error={check.error} />}
    </section>
  );
}
