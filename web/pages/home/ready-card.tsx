import { Anchor, Badge, Card, Group, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { ReadinessBlockerResponse, ReadinessResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { Loaded } from '../../parts/states.js';

/** Whether the next export would go through, and what is in its way. Read beside the rest of the page, since it takes longer. */
export function ReadyCard() {
  const readiness = apiQuery.useQuery('get', '/api/v1/overview/readiness');
  return (
    <section aria-labelledby="ready">
      <Card withBorder>
        <Loaded query={readiness}>{(data) => <Ready readiness={data} />}</Loaded>
      </Card>
    </section>
  );
}

function Ready({
  readiness: { ready, blockers, failedEntries, notChecked },
}: {
  readonly readiness: ReadinessResponse;
}) {
  const { willPost = 0, needYou = 0, notKnown = 0 } = failedEntries ?? {};
  // Issues stand above, with their amounts.
  const others = blockers.filter(({ kind }) => kind !== 'issue');
  const issues = blockers.length - others.length;
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Title order={2} size="h4" id="ready">
          {t('home.ready')}
        </Title>
        <Badge color={ready ? 'green' : 'orange'} variant="light" size="lg">
          {t(ready ? 'home.ready.yes' : others.length === 0 ? 'home.ready.partly' : 'home.ready.no')}
        </Badge>
      </Group>
      {willPost + needYou === 0 ? null : <Text>{t('home.ready.entries', { willPost, needYou })}</Text>}
      {notKnown === 0 ? null : <Text size="sm">{t('home.ready.not-known', { count: notKnown })}</Text>}
      {issues === 0 ? null : <Text size="sm">{t('home.ready.issues', { count: issues })}</Text>}
      {others.map((blocker) => (
        <BlockerRow key={`${blocker.kind} ${blocker.code} ${blocker.link ?? ''}`} blocker={blocker} />
      ))}
      {notChecked.map(({ code, text }) => (
        <Text key={code} size="sm" c="dimmed">
          {text}
        </Text>
      ))}
      <Text size="sm" c="dimmed">
        {t('home.ready.known')}
      </Text>
    </Stack>
  );
}

function BlockerRow({ blocker: { text, link } }: { readonly blocker: ReadinessBlockerResponse }) {
  return (
    <Text size="sm" className="wrap">
      {text} {link === null ? null : <ResolveLink link={link} text={text} />}
    </Text>
  );
}

function ResolveLink({ link, text }: { readonly link: string; readonly text: string }) {
  const [to = '/', query] = link.split('?');
  // The address is the API's: no route of the page types it.
  const search = Object.fromEntries(new URLSearchParams(query)) as never;
  return (
    <Anchor
      component={Link}
      to={to}
      search={search}
      underline="always"
      aria-label={`${t('home.ready.resolve')}: ${text}`}
    >
      {t('home.ready.resolve')}
    </Anchor>
  );
}
