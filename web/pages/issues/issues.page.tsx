import { Button, Checkbox, Group, Kbd, SegmentedControl, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { apiQuery } from '../../api/client.js';
import type { IssueResponse } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { Choice } from '../../parts/choice.js';
import { Found } from '../../parts/found.js';
import { PAGED, rowsOf } from '../../parts/paged.js';
import { SearchBox } from '../../parts/filters/search-box.js';
import { Empty, Loaded, PageTitle } from '../../parts/states.js';
import { Needs, useMay } from '../../parts/roles.js';
import { chosenOf, useFilters } from '../../shell/address.js';
import { BulkBar } from './bulk-bar.js';
import { OpenIssue } from './open-issue.js';

const STATES = ['open', 'snoozed', 'left', 'closed'] as const;
const SORTS = ['entries', 'amount', 'age'] as const;
const STANDARD = { state: 'open', sort: 'amount', search: '', assignee: '' };
/** What j and k move between. */
const CARDS = '[data-issue]';

/** What blocks entries, one card per cause; by keyboard: j and k move, x selects, / searches, enter accepts the proposal. */
export function IssuesPage() {
  const [filters, setFilters] = useFilters(STANDARD);
  const state = STATES.find((one) => one === filters.state) ?? 'open';
  const sort = SORTS.find((one) => one === filters.sort) ?? 'amount';
  const { assignee, search } = filters;
  const { data: me } = apiQuery.useQuery('get', '/api/v1/me');
  const issues = apiQuery.useInfiniteQuery(
    'get',
    '/api/v1/issues',
    { params: { query: { state, sort, ...chosenOf({ assignee, search }) } } },
    PAGED,
  );
  const totals = apiQuery.useQuery('get', '/api/v1/issues/totals', {
    params: { query: { state, ...chosenOf({ assignee, search }) } },
  }).data;
  const myName = me?.displayName ?? me?.name ?? '';
  return (
    <>
      <PageTitle title={t('nav.issues')}>
        <SegmentedControl
          aria-label={t('export.state')}
          value={state}
          onChange={(chosen) => {
            setFilters({ state: chosen });
          }}
          data={STATES.map((value) => ({ value, label: t(`issues.${value}`) }))}
        />
      </PageTitle>
      <Group mb="md">
        <SearchBox
          value={search}
          onSearch={(text) => {
            setFilters({ search: text });
          }}
        />
        <Choice
          label={t('list.sort')}
          value={sort}
          values={SORTS}
          textOf={(value) => t(`issues.by-${value}`)}
          onChoose={(chosen) => {
            setFilters({ sort: chosen });
          }}
        />
        <Checkbox
          label={t('issues.mine')}
          checked={assignee !== ''}
          onChange={(event) => {
            setFilters({ assignee: event.currentTarget.checked ? myName : '' });
          }}
        />
        <Text size="sm" c="dimmed" visibleFrom="md">
          <Kbd>j</Kbd> <Kbd>k</Kbd> {t('keys.move')} · <Kbd>/</Kbd> {t('keys.search')}
          <Needs role="bookkeeper">
            {' '}
            · <Kbd>x</Kbd> {t('keys.select')} · <Kbd>↵</Kbd> {t('keys.accept')} · <Kbd>u</Kbd> {t('keys.undo')}
          </Needs>
        </Text>
      </Group>
      {totals === undefined || totals.total === 0 ? null : (
        <Found
          text={t('issues.total', { total: totals.total })}
          amounts={totals.amounts.flatMap(({ money }) => money ?? [])}
        />
      )}
      <Loaded query={{ ...issues, data: rowsOf(issues.data) }}>
        {(rows) => (
          <Issues key={`${state} ${search}`} issues={rows} myName={myName} none={noneOf(state, { assignee, search })} />
        )}
      </Loaded>
      {issues.hasNextPage ? (
        <Button mt="md" variant="default" onClick={() => void issues.fetchNextPage()}>
          {t('list.more')}
        </Button>
      ) : null}
    </>
  );
}

interface IssuesProps {
  readonly issues: readonly IssueResponse[];
  readonly myName: string;
  /** What is said where there are none. */
  readonly none: string;
}

/** Only of all open issues it says something about exports that there are none. */
function noneOf(
  state: (typeof STATES)[number],
  filters: { readonly assignee: string; readonly search: string },
): string {
  return t(Object.keys(chosenOf(filters)).length > 0 ? 'list.nothingFound' : `issues.none-${state}`);
}

function Issues({ issues, myName, none }: IssuesProps) {
  const suggestions = apiQuery.useQuery('get', '/api/v1/mapping/suggestions').data?.data ?? [];
  const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
  /** Of the issue that has the focus, or had it last, however it got there and whatever has become of the list since. */
  const current = useRef('');
  const mayResolve = useMay('bookkeeper');
  const select = (key: string) => {
    if (mayResolve) {
      setKeys((before) =>
        before.has(key) ? new Set([...before].filter((one) => one !== key)) : new Set(before).add(key),
      );
    }
  };
  const currentIndex = () => issues.findIndex(({ issueKey }) => issueKey === current.current);
  const move = (by: number) => () => {
    const next = issues[Math.max(0, Math.min(issues.length - 1, currentIndex() + by))];
    document.getElementById(next?.issueKey ?? '')?.focus();
  };
  useHotkeys([
    ['j', move(1)],
    ['k', move(-1)],
    [
      'x',
      () => {
        if (currentIndex() >= 0) {
          select(current.current);
        }
      },
    ],
  ]);
  if (issues.length === 0) {
    return <Empty text={none} />;
  }
  return (
    <>
      <Stack
        onFocus={({ target }) => {
          current.current = target.closest(CARDS)?.id ?? current.current;
        }}
      >
        {issues.map((issue) => (
          <OpenIssue
            key={issue.issueKey}
            issue={issue}
            suggestions={suggestions}
            myName={myName}
            isSelected={keys.has(issue.issueKey)}
            onSelect={() => {
              select(issue.issueKey);
            }}
          />
        ))}
      </Stack>
      <BulkBar
        issues={issues.filter(({ issueKey }) => keys.has(issueKey))}
        suggestions={suggestions}
        myName={myName}
        onDone={() => {
          setKeys(new Set());
        }}
      />
    </>
  );
}
