import { Button, Group, Text, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../api/client.js';
import { t } from '../messages/text.js';
import { problemText } from '../parts/states.js';

/** For a company without an admin: the code of the operator makes the reader the first. It is a secret, so it is never stored. */
export function FirstAdmin() {
  const queryClient = useQueryClient();
  const [code, setCode] = useState('');
  const claim = apiQuery.useMutation('put', '/api/v1/me/first-admin', {
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        claim.mutate({ body: { code } });
      }}
    >
      <Text size="sm" mb="xs">
        {t('firstAdmin.text')}
      </Text>
      <Group align="flex-end">
        <TextInput
          label={t('firstAdmin.code')}
          required
          autoComplete="off"
          maxLength={500}
          value={code}
          error={claim.error === null ? undefined : problemText(claim.error)}
          onChange={(event) => {
            setCode(event.currentTarget.value.trim());
          }}
        />
        <Button type="submit" loading={claim.isPending}>
          {t('firstAdmin.claim')}
        </Button>
      </Group>
    </form>
  );
}
