import { Anchor, Text, Timeline, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { apiQuery } from '../../api/client.js';
import type { EntryHistoryResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { useNames } from '../../parts/people.js';
import { Loaded } from '../../parts/states.js';
import { Outside } from '../../parts/outside.js';

interface Event {
  readonly at: string;
  readonly title: string;
  readonly detail: ReactNode;
}

/** What happened to an entry, the newest first: exports, postings and reversals, what kept it out, who decided. */
export function EntryHistory({ id }: { readonly id: string }) {
  const query = apiQuery.useQuery('get', '/api/v1/entries/{accountingEntryId}', {
    params: { path: { accountingEntryId: id } },
  });
  const nameOf = useNames();
  return (
    <section aria-label={t('history.title')}>
      <Title order={2} size="h4" mb="sm">
        {t('history.title')}
      </Title>
      <Loaded query={query}>
        {(history) => (
          <Timeline bulletSize={12} lineWidth={2}>
            {eventsOf(history, nameOf).map(({ at, title, detail }, index) => (
              <Timeline.Item key={`${index.toString()} ${at}`} title={title}>
                <Text size="sm" c="dimmed">
                  {shownTime(at)}
                </Text>
                <Text size="sm" component="div" className="wrap">
                  {detail}
                </Text>
              </Timeline.Item>
            ))}
          </Timeline>
        )}
      </Loaded>
    </section>
  );
}

function eventsOf(
  { exports, postings, issues, discrepancies }: EntryHistoryResponse,
  nameOf: (author: string) => string,
): readonly Event[] {
  const events = [
    ...exports.map(
      ({ exportJobId, detectedAt, exportedAt, state, requestedBy, failure, failureReason, certificate }) => ({
        at: exportedAt ?? detectedAt,
        title: t('history.export', { state: word('state', state) }),
        detail: (
          <>
            <Anchor component={Link} to={`/exports/${exportJobId}`} size="sm">
              {t('entry.export')}
            </Anchor>{' '}
            {[
              requestedBy === null ? null : t('history.requestedBy', { name: nameOf(requestedBy) }),
              failure?.text,
              failureReason,
              certificate === null ? null : t('history.certificate', { number: certificate }),
            ]
              .filter(Boolean)
              .join(' · ')}
          </>
        ),
      }),
    ),
    ...postings.flatMap(
      ({ firstSentAt, postedAt, reversalSentAt, lostAt, state, externalUrl, mappingVersion, decisions }) => [
        {
          at: postedAt ?? firstSentAt,
          title: t('history.posting', { state: word('state', state === 'reversed' ? 'posted' : state) }),
          detail: (
            <>
              <Anchor component={Link} to={`/mapping/versions/${mappingVersion.toString()}`} inherit underline="always">
                {t('history.version', { version: mappingVersion })}
              </Anchor>{' '}
              <Outside href={externalUrl} label={t('item.open')} />
            </>
          ),
        },
        ...(reversalSentAt === null ? [] : [{ at: reversalSentAt, title: word('state', 'reversed'), detail: '' }]),
        ...(lostAt === null ? [] : [{ at: lostAt, title: t('history.lost'), detail: '' }]),
        ...decisions.map(({ at, by, outcome, note }) => ({
          at,
          title: word('decision-outcome', outcome),
          detail: [nameOf(by), note].filter(Boolean).join(' · '),
        })),
      ],
    ),
    ...issues.flatMap(({ firstSeenAt, clearedAt, issueKey, name, message }) => [
      {
        at: firstSeenAt,
        title: t('history.issue', { name: name ?? issueKey }),
        detail: message.text,
      },
      ...(clearedAt === null
        ? []
        : [{ at: clearedAt, title: t('history.cleared', { name: name ?? issueKey }), detail: '' }]),
    ]),
    ...discrepancies.map(({ firstSeenAt, state, message, settledAs, settledAt, settledBy, note }) => ({
      at: firstSeenAt,
      title: t('history.discrepancy', { state: word('state', state) }),
      detail: (
        <>
          {[
            message.text,
            settledAs === null ? null : word('audit-value-settled_as', settledAs),
            settledAt === null ? null : shownTime(settledAt),
            settledBy === null ? null : nameOf(settledBy),
            note,
          ]
            .filter(Boolean)
            .join(' · ')}{' '}
          {state === 'open' ? (
            <Anchor component={Link} to="/reconciliation" inherit underline="always">
              {t('nav.reconciliation')}
            </Anchor>
          ) : null}
        </>
      ),
    })),
  ];
  return events.sort((one, other) => other.at.localeCompare(one.at));
}
