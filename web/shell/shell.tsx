import { Alert, Anchor, AppShell, Burger, Button, Group, NavLink, ScrollArea, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect } from 'react';
import { apiQuery } from '../api/client.js';
import { useLive } from '../api/live.js';
import { isReader } from '../api/reader.js';
import { BASE, isSample } from '../api/sample.js';
import { useRefusal } from '../api/refusals.js';
import type { ConnectionResponse, MeResponse } from '../api/schema.js';
import { chooseLanguage, followLanguage } from '../messages/language.js';
import { setTimeZone, shownTime, t, word } from '../messages/text.js';
import { sendHeld, undoLast } from '../parts/held/held.js';
import { useMay } from '../parts/roles.js';
import { Loaded, Waiting } from '../parts/states.js';
import { keepFormsOfReader } from '../parts/stored-form.js';
import { ClientSwitcher } from './client-switcher.js';
import { FirstAdmin } from './first-admin.js';
import { Landing, Opening, OtherReader } from './landing.js';
import { Outage } from './outage.js';
import { LanguageChoice, SchemeChoice } from './preferences.js';
import { SignInAgain } from './sign-in-again.js';

const PAGES = [
  ['/', 'nav.home'],
  ['/exports', 'nav.exports'],
  ['/entries', 'nav.entries'],
  ['/issues', 'nav.issues'],
  ['/mapping', 'nav.mapping'],
  ['/month-end', 'nav.monthEnd'],
  ['/reconciliation', 'nav.reconciliation'],
  ['/certificates', 'nav.certificates'],
  ['/reference-data', 'nav.referenceData'],
  ['/setup', 'nav.setup'],
  ['/people', 'nav.people'],
  ['/audit', 'nav.audit'],
] as const;

/** What others may not read. */
const FOR_ADMINS: readonly string[] = ['/audit'];

/** Around every page: who is signed in to which company, and the way to the other pages. */
export function Shell() {
  const me = apiQuery.useQuery('get', '/api/v1/me', {}, { retry: false, staleTime: Infinity });
  const isSignedOut = useRefusal() === 'signed-out';
  if (me.data === undefined) {
    return isSignedOut ? (
      <Landing />
    ) : (
      <Opening>
        <Loaded query={me}>{() => null}</Loaded>
      </Opening>
    );
  }
  return isReader(me.data) ? <SignedIn me={me.data} /> : <OtherReader />;
}

function SignedIn({ me }: { readonly me: MeResponse }) {
  keepFormsOfReader(me.installationId, me.name);
  useEffect(() => {
    followLanguage(me.language);
  }, [me.language]);
  const [isOpen, { toggle, close }] = useDisclosure();
  useHotkeys([['u', undoLast]]);
  const connection = apiQuery.useQuery('get', '/api/v1/connection');
  // Its days and hours are those of the books; without one they are the reader's.
  const erp = apiQuery.useQuery('get', '/api/v1/erp-connection', {}, { retry: false });
  setTimeZone(erp.data?.timeZone);
  return (
    <AppShell
      header={{ height: 56 }}
      navbar={{ width: 220, breakpoint: 'sm', collapsed: { mobile: !isOpen } }}
      padding="md"
    >
      <a className="skip" href="#main">
        {t('nav.skip')}
      </a>
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label={t('nav.menu')} />
            <ClientSwitcher companyName={connection.data?.companyName ?? ''} />
          </Group>
          <Text size="sm" c="dimmed" visibleFrom="xs" truncate>
            {[me.displayName, word('role-of-member', me.role)].filter(Boolean).join(' · ')}
          </Text>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" className={isOpen ? undefined : 'closed-menu'}>
        <AppShell.Section grow component={ScrollArea}>
          <Pages onGo={close} />
        </AppShell.Section>
        <AppShell.Section>
          <Preferences />
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="main" tabIndex={-1}>
        {/* The header stays on the screen. */}
        <p className="paper-only">{connection.data?.companyName}</p>
        <Notices connection={connection.data} hasAdmin={me.hasAdmin} />
        {erp.isFetched ? <Outlet /> : <Waiting />}
        <SignInAgain />
      </AppShell.Main>
    </AppShell>
  );
}

function Pages({ onGo }: { readonly onGo: () => void }) {
  const navigate = useNavigate();
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const isAdmin = useMay('admin');
  return PAGES.filter(([to]) => isAdmin || !FOR_ADMINS.includes(to)).map(([to, key]) => (
    <NavLink
      key={to}
      // All of them on the height of a small laptop.
      py={6}
      label={t(key)}
      href={`${BASE}${to === '/' ? '' : to}`}
      active={to === '/' ? path === '/' : path.startsWith(to)}
      aria-current={(to === '/' ? path === '/' : path.startsWith(to)) ? 'page' : undefined}
      onClick={(event) => {
        if (!event.metaKey && !event.ctrlKey) {
          event.preventDefault();
          onGo();
          void navigate({ to });
        }
      }}
    />
  ));
}

function Preferences() {
  const remember = apiQuery.useMutation('put', '/api/v1/me/language');
  return (
    <Stack gap="xs" p="xs">
      <SchemeChoice />
      <LanguageChoice
        // With the person, for what the server writes and for their other browsers; here whether that succeeds or not.
        onChoose={(chosen) => {
          remember.mutate(
            { body: { language: chosen } },
            {
              onSettled: () => {
                chooseLanguage(chosen);
              },
            },
          );
        }}
      />
      {isSample ? null : <OwnOnly />}
    </Stack>
  );
}

/** What the sample company has none of. */
function OwnOnly() {
  const signOut = apiQuery.useMutation('delete', '/api/v1/sessions/current', {
    // Also where the session had ended before.
    onSettled: () => {
      location.assign('/app');
    },
  });
  return (
    <>
      <Button component="a" href="/app/sample" size="xs" variant="subtle">
        {t('sample.look')}
      </Button>
      <Button
        size="xs"
        variant="default"
        loading={signOut.isPending}
        onClick={() => {
          void sendHeld().then(() => {
            signOut.mutate({});
          });
        }}
      >
        {t('nav.signOut')}
      </Button>
    </>
  );
}

interface NoticesProps {
  readonly connection: ConnectionResponse | undefined;
  readonly hasAdmin: boolean | undefined;
}

// An API of the release before does not say whether there is an admin.
function Notices({ connection, hasAdmin = true }: NoticesProps) {
  const isLive = useLive();
  return (
    <>
      {isSample ? (
        <Alert color="yellow" mb="md" title={t('sample.title')}>
          {t('sample.text')}{' '}
          <Anchor href="/app" c="inherit" td="underline" inherit>
            {t('sample.back')}
          </Anchor>
        </Alert>
      ) : null}
      <Outage />
      {connection?.state === 'needs_reauthorization' ? (
        <Alert color="red" mb="md" title={t('connection.lost')}>
          {connection.problem?.text}{' '}
          <Anchor href="/connect" c="inherit" td="underline" inherit>
            {t('connection.again')}
          </Anchor>
        </Alert>
      ) : null}
      {connection?.paused ? (
        <Alert color="orange" mb="md" title={t('connection.paused', { at: shownTime(connection.paused.at) })}>
          {t('connection.pausedText', { reason: connection.paused.reason })}
        </Alert>
      ) : null}
      {hasAdmin || isSample ? null : (
        <Alert color="orange" mb="md" title={t('firstAdmin.title')}>
          <FirstAdmin />
        </Alert>
      )}
      <span data-live={isLive} hidden />
    </>
  );
}
