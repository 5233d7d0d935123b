import { Button, Container, Group, Stack, Text } from '@mantine/core';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { apiQuery } from '../api/client.js';
import { useRefusal } from '../api/refusals.js';
import { chooseLanguage } from '../messages/language.js';
import { t } from '../messages/text.js';
import { sendHeld } from '../parts/held/held.js';
import { Loaded } from '../parts/states.js';
import { Opening } from '../shell/landing.js';
import { Outage } from '../shell/outage.js';
import { LanguageChoice, SchemeChoice } from '../shell/preferences.js';
import { OperatorSignIn } from './sign-in.js';
import { say } from './words.js';

/** Where the addresses of the page begin. */
export const OPERATOR_BASE = '/operator';

const PAGES = [
  ['/', 'nav.customers'],
  ['/dead-letters', 'nav.deadLetters'],
  ['/workers', 'nav.workers'],
  ['/keys', 'nav.keys'],
] as const;

/** Around every page: who operates, and the way to the other pages; before that the question for a token. */
export function OperatorShell() {
  const session = apiQuery.useQuery('get', '/api/v1/operator/session', {}, { retry: false, staleTime: Infinity });
  const isSignedOut = useRefusal() === 'signed-out';
  if (isSignedOut) {
    return <OperatorSignIn />;
  }
  return session.data === undefined ? (
    <Opening>
      <Loaded query={session}>{() => null}</Loaded>
    </Opening>
  ) : (
    <SignedIn name={session.data.name} />
  );
}

function SignedIn({ name }: { readonly name: string }) {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const end = apiQuery.useMutation('delete', '/api/v1/operator/session', {
    onSettled: () => {
      location.assign(OPERATOR_BASE);
    },
  });
  return (
    <Container fluid p="md">
      <a className="skip" href="#main">
        {t('nav.skip')}
      </a>
      <Group component="header" justify="space-between" mb="md">
        <Group component="nav" gap="xs" aria-label={t('nav.menu')}>
          {PAGES.map(([to, key]) => {
            const isHere = to === '/' ? path === '/' || path.startsWith('/customers') : path.startsWith(to);
            return (
              <Button
                key={to}
                component={Link}
                to={to}
                variant={isHere ? 'light' : 'subtle'}
                aria-current={isHere ? 'page' : undefined}
              >
                {say(key)}
              </Button>
            );
          })}
        </Group>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Button
            size="xs"
            variant="default"
            loading={end.isPending}
            onClick={() => {
              void sendHeld().then(() => {
                end.mutate({});
              });
            }}
          >
            {t('nav.signOut')}
          </Button>
        </Group>
      </Group>
      <main id="main" tabIndex={-1}>
        <Outage />
        <Outlet />
      </main>
      <Stack component="footer" mt="xl" maw={220} gap="xs">
        <SchemeChoice />
        <LanguageChoice onChoose={chooseLanguage} />
      </Stack>
    </Container>
  );
}
