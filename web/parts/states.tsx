// What a page shows while it has nothing to show, and when something went wrong.
import { Alert, Badge, Button, Group, Skeleton, Stack, Text, Title, VisuallyHidden } from '@mantine/core';
import { useDocumentTitle, useTimeout } from '@mantine/hooks';
import { useState, type ReactNode } from 'react';
import type { ProblemResponse } from '../api/schema.js';
import { t, word, type MessageKey } from '../messages/text.js';

/** For problems of which the API says to programs what to send. */
const OWN_TEXTS: Readonly<Partial<Record<string, MessageKey>>> = {
  'version-changed': 'error.changed',
  'idempotency-key-in-use': 'error.stillUnderWay',
  'csrf-token': 'error.otherReader',
  'not-authenticated': 'error.signedOut',
  'erp-sign-in-needed': 'error.erpSignIn',
  'erp-without-sign-in': 'error.erpNoSignIn',
  'erp-not-connected': 'error.setUpFirst',
  'settings-missing': 'error.setUpFirst',
  'setup-incomplete': 'error.setUpFirst',
};

/** What a problem says, in one text; of a failed connection its own words. */
export function problemText(error: unknown): string {
  const { type, detail, errors = [] } = Object(error) as Partial<ProblemResponse>;
  // Of values that are wrong it says no more than that there are some.
  const ownKey = OWN_TEXTS[type?.split(':').at(-1) ?? ''];
  const ownText = ownKey === undefined ? detail : t(ownKey);
  const first = type?.endsWith(':invalid-request') === true && errors.length > 0 ? t('error.values') : ownText;
  // A problem with one value says of it the same.
  const details = new Set([first, ...errors.map((one) => one.detail)]);
  return detail === undefined ? t('error.unreachable') : [...details].join(' ');
}

/** The data of a query, or that it loads, or why there is none and a way to try again. */
export function Loaded<Data>({
  query,
  children,
}: {
  readonly query: {
    readonly data: Data | undefined;
    readonly error: unknown;
    readonly isPending: boolean;
    readonly refetch: () => unknown;
  };
  readonly children: (data: NonNullable<Data>) => ReactNode;
}) {
  const { data, error, isPending, refetch } = query;
  if (data !== undefined && data !== null) {
    return children(data);
  }
  if (isPending) {
    return <Waiting />;
  }
  const again = () => {
    refetch();
  };
  return <Failed error={error} {...(isMissing(error) ? {} : { again })} />;
}

const SLOW_MS = 3_000;

/** Where something loads: in words for who does not see that, and for all once it takes long. */
export function Waiting() {
  const [isSlow, setSlow] = useState(false);
  useTimeout(
    () => {
      setSlow(true);
    },
    SLOW_MS,
    { autoInvoke: true },
  );
  return (
    <Stack>
      <div role="status">
        {isSlow ? <Text c="dimmed">{t('state.slow')}</Text> : <VisuallyHidden>{t('state.loading')}</VisuallyHidden>}
      </div>
      {/* Apart from the words: of what is busy a screen reader says nothing. */}
      <Stack aria-busy="true">
        <Skeleton h={24} w="40%" />
        <Skeleton h={96} />
        <Skeleton h={96} />
      </Stack>
    </Stack>
  );
}

/** What is not there is not there the next time either. */
export function isMissing(error: unknown): boolean {
  return (Object(error) as Partial<ProblemResponse>).status === 404;
}

/**
 * Why it is not known what there is, with a way to ask again: a form must not show then what a company begins with.
 * @returns undefined once it is known, also that there is nothing yet
 */
export function unreadOf(query: {
  readonly data: unknown;
  readonly error: unknown;
  readonly refetch: () => unknown;
}): { readonly error: unknown; readonly again: () => void } | undefined {
  const { data, error, refetch } = query;
  return data !== undefined || error === null || isMissing(error) ? undefined : { error, again: () => void refetch() };
}

export function Failed({ error, again }: { readonly error: unknown; readonly again?: () => void }) {
  return (
    <Alert color="red" title={t('error.title')} role="alert">
      <Text size="sm">{problemText(error)}</Text>
      {again === undefined ? null : (
        <Button mt="sm" size="xs" variant="default" onClick={again}>
          {t('error.again')}
        </Button>
      )}
    </Alert>
  );
}

/** Where another person has saved what a form shows: nothing that was entered is lost. */
export function Overtaken({ putBack }: { readonly putBack: (() => void) | undefined }) {
  return putBack === undefined ? null : (
    <Alert color="orange" title={t('overtaken.title')} role="alert">
      <Text size="sm">{t('overtaken.text')}</Text>
      <Button mt="sm" size="xs" variant="default" onClick={putBack}>
        {t('overtaken.putBack')}
      </Button>
    </Alert>
  );
}

export function Empty({ text }: { readonly text: string }) {
  return (
    <Text c="dimmed" py="lg">
      {text}
    </Text>
  );
}

/** Of the page, and of its tab in the browser, where several pages stand beside each other. */
export function PageTitle({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  useDocumentTitle(`${title} · ${t('landing.title')}`);
  return (
    <Group justify="space-between" mb="md">
      <Title order={1} size="h2">
        {title}
      </Title>
      {children}
    </Group>
  );
}

const COLORS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'completed',
      'successful',
      'ok',
      'done',
      'works',
      'proved',
      'active',
      'closed',
      'repaired',
      'sent',
      'posted',
      'same',
      'mapped',
    ].map((state) => [state, 'green']),
  ),
  ...Object.fromEntries(
    [
      'failed',
      'expired',
      'fails',
      'differs',
      'action-needed',
      'problem',
      'needs-reauthorization',
      'needs_reauthorization',
      'refused',
      'broken',
      'fails-items',
    ].map((state) => [state, 'red']),
  ),
  ...Object.fromEntries(
    [
      'completed_with_errors',
      'limited',
      'open',
      'uncertain',
      'completed_with_problems',
      'needs_confirmation',
      'different',
      'unmapped',
      'partly',
      'never-applies',
    ].map((state) => [state, 'orange']),
  ),
};

/** A state in words and color. */
export function State({ state }: { readonly state: string }) {
  return (
    <Badge color={COLORS[state] ?? 'gray'} variant="light" className="state">
      {word('state', state)}
    </Badge>
  );
}
