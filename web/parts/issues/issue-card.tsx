import { Anchor, Card, Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { IssueResponse, KnownEntryResponse } from '../../api/schema.js';
import { language } from '../../messages/language.js';
import { shownDay, shownTime, t } from '../../messages/text.js';
import { issueTexts } from './issue-texts.js';
import { Amounts } from '../money.js';
import { State } from '../states.js';

interface IssueCardProps {
  readonly issue: IssueResponse;
  /** Stands before the heading. */
  readonly before?: ReactNode;
  readonly children?: ReactNode;
}

/** One cause that blocks entries: what, how much, since when, and what resolves it. */
export function IssueCard({ issue, before, children }: IssueCardProps) {
  const { issueKey, kind, message, reason, reportedReason, entries, onlyEntry, amounts, firstSeen, state } = issue;
  const isReadable = language() === 'en' || reason !== reportedReason;
  const says = issueTexts(kind, state === 'open', isReadable);
  return (
    <Card withBorder component="article" aria-label={message.text}>
      <Group justify="space-between" align="flex-start" className="card-head">
        {before}
        <div className="wrap grow">
          <Anchor component={Link} to={`/issues/${encodeURIComponent(issueKey)}`} fw={600}>
            {message.text}
          </Anchor>{' '}
          {state === 'open' ? null : <State state={state} />}
          {says.reason ? <Reason text={reason} isReadable={isReadable} isAdvice={says.reasonIsAdvice} /> : null}
          {says.advice ? (
            <Text size="sm" mt={4}>
              <strong>{t('issue.todo')}</strong> {issue.suggestedResolution.text}
            </Text>
          ) : null}
          {onlyEntry === null ? null : <OnlyEntry entry={onlyEntry} />}
        </div>
        <div className="amount figure">
          <Amounts amounts={amounts.flatMap(({ money }) => money ?? [])} />
          <Text size="sm" c="dimmed">
            {t('issue.entries', { entries })}
          </Text>
          <Text size="sm" c="dimmed">
            {t('home.since', { at: shownTime(firstSeen) })}
          </Text>
        </div>
      </Group>
      {children}
    </Card>
  );
}

/** An issue of one expense is known by it. */
function OnlyEntry({ entry: { accountingEntryId, supplier, date } }: { readonly entry: KnownEntryResponse }) {
  const known = [supplier, date === null ? null : shownDay(date)].filter(Boolean).join(', ');
  return (
    <Anchor component={Link} to={`/entries/${accountingEntryId}`} size="sm">
      {known === '' ? t('item.entry') : known}
    </Anchor>
  );
}

interface ReasonProps {
  readonly text: string;
  readonly isReadable: boolean;
  readonly isAdvice: boolean;
}

function Reason({ text, isReadable, isAdvice }: ReasonProps) {
  return isReadable ? (
    <Text size="sm" mt={isAdvice ? 4 : 0}>
      {isAdvice ? <strong>{t('issue.todo')} </strong> : null}
      {text}
    </Text>
  ) : (
    <Text size="sm" c="dimmed">
      {t('issue.reported')} <span lang="en">{text}</span>
    </Text>
  );
}
