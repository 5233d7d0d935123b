import { Button, Center, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { apiQuery } from '../api/client.js';
import { Failed } from '../parts/states.js';
import { say } from './words.js';

/** Trades an operator's token for a session of an hour. The token is kept nowhere in the browser. */
export function OperatorSignIn() {
  const [token, setToken] = useState('');
  const begin = apiQuery.useMutation('put', '/api/v1/operator/session', {
    onSuccess: () => {
      // The address stays: the requested data is read again.
      location.reload();
    },
  });
  // To a program the API says how a token is sent; here it is the token itself that is wrong.
  const isRefused = begin.error?.status === 401;
  return (
    <Center component="main" mih="80vh" p="md">
      <Paper withBorder p="xl" maw={460}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            // No header takes other characters, and no token has them: the API refuses it.
            const sent = token.trim().replace(/[^!-~]/g, '?');
            begin.mutate({ headers: { authorization: `Bearer ${sent}` } });
          }}
        >
          <Stack>
            <Title order={1} size="h2">
              {say('signIn.title')}
            </Title>
            <Text>{say('signIn.text')}</Text>
            <PasswordInput
              label={say('signIn.token')}
              autoComplete="off"
              required
              value={token}
              visibilityToggleButtonProps={{ 'aria-label': say('signIn.show') }}
              onChange={(event) => {
                setToken(event.currentTarget.value);
              }}
            />
            {begin.error === null ? null : (
              <Failed error={isRefused ? { detail: say('signIn.refused') } : begin.error} />
            )}
            <Button type="submit" loading={begin.isPending}>
              {say('signIn.begin')}
            </Button>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
