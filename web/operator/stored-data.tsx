import { Button, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { api } from '../api/client.js';
import { saveFile } from '../api/save-file.js';
import { useDone } from './changed.js';
import { say } from './words.js';

/** Everything that is stored of a customer as one file, also of one that has left. */
export function StoredData({ customer, name }: { readonly customer: string; readonly name: string }) {
  const done = useDone(say('data.downloaded'));
  const { mutate, isPending } = useMutation({
    mutationFn: async () => {
      const { data, error } = await api.GET('/api/v1/operator/installations/{id}/export', {
        params: { path: { id: customer } },
        parseAs: 'blob',
      });
      if (data === undefined) {
        throw Object.assign(new Error(), error);
      }
      saveFile(data, `${name}.json`);
    },
    ...done,
  });
  return (
    <section aria-label={say('data.title')}>
      <Stack gap="xs">
        <Title order={2} size="h4">
          {say('data.title')}
        </Title>
        <Text size="sm">{say('data.about')}</Text>
        <Button
          variant="default"
          w="fit-content"
          loading={isPending}
          onClick={() => {
            mutate();
          }}
        >
          {say('data.download')}
        </Button>
      </Stack>
    </section>
  );
}
