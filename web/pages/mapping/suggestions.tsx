import { Anchor, Button, Group, Loader, Stack, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { IssueResponse, SuggestionResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/table/data-table.js';
import { useAccountNames } from '../../parts/erp-value.js';
import { Amounts } from '../../parts/money.js';
import { Needs } from '../../parts/roles.js';
import { Failed, Loaded } from '../../parts/states.js';
import { fillForm } from '../../parts/stored-form.js';
import { ifMatch, useSaved } from './saved.js';

type Accepted = SuggestionResponse & { readonly proposals: readonly [SuggestionResponse['proposals'][number]] };
const hasProposal = (one: SuggestionResponse): one is Accepted => one.proposals.length > 0;

/** As many as the API lists at once, and takes in one change. */
const MOST = { limit: 1_000 };
const SUBJECTS = ['account', 'tax-code', 'tag'] as const;

/** The open issue of entries that wait for it. */
const issueFor = ({ subject, sourceGroup, source }: SuggestionResponse, issues: readonly IssueResponse[]) =>
  issues.find(
    ({ kind, reference, group }) =>
      reference === source && kind === subject && (group === null || sourceGroup === null || group === sourceGroup),
  );

/** What open issues tell of it before the accounting system has been asked for proposals. */
const asSuggestion = ({
  kind,
  group,
  reference,
  name,
  entries,
  lastSeen,
}: IssueResponse): readonly SuggestionResponse[] => {
  const subject = SUBJECTS.find((one) => one === kind);
  return subject === undefined
    ? []
    : [{ subject, sourceGroup: group, source: reference, name, items: entries, lastSeen, proposals: [] }];
};

/**
 * What exports have used and no rule or code matches, with proposals; one button accepts them all. Proposals take as long as the
 * lists of the accounting system: until then, and where it does not answer, the open issues tell what is unmapped.
 */
export function Suggestions() {
  const suggestions = apiQuery.useQuery('get', '/api/v1/mapping/suggestions', { params: { query: MOST } });
  const issues = apiQuery.useQuery('get', '/api/v1/issues', {
    params: { query: { ...MOST, sort: 'amount' } },
  });
  const found = issues.data?.data ?? [];
  const isWaiting = suggestions.isPending && !issues.isPending;
  const known = issues.data === undefined ? undefined : found.flatMap(asSuggestion);
  const isMore = suggestions.data?.more ?? issues.data?.nextCursor != null;
  const rows = suggestions.data === undefined ? known : byAmount(suggestions.data.data, found);
  return (
    <>
      {isWaiting ? (
        <Group mb="md" gap="xs" role="status">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{t('mapping.reading')}</Text>
        </Group>
      ) : null}
      {suggestions.isError && rows !== undefined ? (
        <Stack mb="md">
          <Failed error={suggestions.error} again={() => void suggestions.refetch()} />
        </Stack>
      ) : null}
      {(isWaiting || suggestions.isError) && rows?.length === 0 ? null : (
        <Loaded query={{ ...suggestions, data: rows, isPending: suggestions.isPending || issues.isPending }}>
          {(data) => (
            <>
              <Unmapped rows={data} issues={found} isAsked={suggestions.data !== undefined} />
              {isMore ? (
                <Text size="sm" mt="sm">
                  {t('mapping.more', { count: data.length })}{' '}
                  <Anchor component={Link} to="/issues" inherit>
                    {t('mapping.allIssues')}
                  </Anchor>
                </Text>
              ) : null}
            </>
          )}
        </Loaded>
      )}
    </>
  );
}

/** In the order of the issues, which is that of the amounts: nothing moves when the proposals come. */
function byAmount(suggestions: readonly SuggestionResponse[], issues: readonly IssueResponse[]) {
  const placeOf = (one: SuggestionResponse) => {
    const issue = issueFor(one, issues);
    return issue === undefined ? issues.length : issues.indexOf(issue);
  };
  return [...suggestions].sort((one, other) => placeOf(one) - placeOf(other));
}

interface UnmappedProps {
  readonly rows: readonly SuggestionResponse[];
  readonly issues: readonly IssueResponse[];
  /** Whether the accounting system has been asked for proposals. */
  readonly isAsked: boolean;
}

function Unmapped({ rows, issues, isAsked }: UnmappedProps) {
  const rules = apiQuery.useQuery('get', '/api/v1/mapping/rules', { params: { query: { limit: 1 } } });
  const version = rules.data?.version ?? 0;
  const { saved, failed } = useSaved();
  const save = apiQuery.useMutation('post', '/api/v1/mapping/rules/bulk', {
    onSuccess: (result) => {
      void saved(version, result.version);
    },
    onError: failed,
  });
  const accept = (accepted: readonly SuggestionResponse[]) => {
    const upserts = accepted.filter(hasProposal).map(({ subject, sourceGroup, source, proposals: [proposal] }) => ({
      subject,
      source,
      target: proposal.target,
      ...(sourceGroup === null ? {} : { sourceGroup }),
      ...(proposal.targetGroup === null ? {} : { targetGroup: proposal.targetGroup }),
    }));
    save.mutate({ params: { header: ifMatch(version) }, body: { upserts, deletes: [] } });
  };
  return (
    <>
      <Needs role="bookkeeper" explained>
        {rows.some(hasProposal) ? (
          <Group mb="md">
            <Button
              loading={save.isPending}
              onClick={() => {
                accept(rows);
              }}
            >
              {t('mapping.acceptAll', { count: rows.filter(hasProposal).length })}
            </Button>
          </Group>
        ) : null}
      </Needs>
      <DataTable
        label={t('mapping.unmapped')}
        empty={t('mapping.allMapped')}
        rows={rows}
        keyOf={({ subject, sourceGroup, source }) => `${subject} ${sourceGroup ?? ''} ${source}`}
        columns={[
          { header: t('mapping.kind'), cell: ({ subject }) => word('subject', subject) },
          {
            header: t('mapping.source'),
            cell: ({ sourceGroup, source, name }) => [sourceGroup, source, name].filter(Boolean).join(' · '),
          },
          {
            header: t('mapping.used'),
            isAmount: true,
            cell: ({ items }) => t('issue.entries', { entries: items }),
          },
          {
            header: t('item.amount'),
            isAmount: true,
            cell: (one) => (
              <Amounts amounts={issueFor(one, issues)?.amounts.flatMap(({ money }) => money ?? []) ?? []} />
            ),
          },
          { header: t('mapping.lastSeen'), cell: ({ lastSeen }) => shownTime(lastSeen) },
          {
            header: t('mapping.proposal'),
            cell: (one) => (
              <Group gap="xs">
                {hasProposal(one) ? (
                  <Proposed of={one} />
                ) : (
                  <Text size="sm" c="dimmed">
                    {t(isAsked ? 'mapping.noProposal' : 'mapping.notAsked')}
                  </Text>
                )}
                <Needs role="bookkeeper">
                  {hasProposal(one) ? (
                    <Button
                      size="xs"
                      variant="default"
                      aria-label={t('mapping.acceptOf', { source: one.source })}
                      onClick={() => {
                        accept([one]);
                      }}
                    >
                      {t('mapping.accept')}
                    </Button>
                  ) : (
                    <Choose of={one} issue={issueFor(one, issues)} />
                  )}
                </Needs>
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}

function Proposed({ of: { subject, proposals } }: { readonly of: Accepted }) {
  const names = useAccountNames();
  const [{ target, because }] = proposals;
  const name = subject === 'account' ? names.get(target) : undefined;
  return (
    <Text size="sm">
      {[target, name].filter(Boolean).join(' ')} ({word('because', because)})
    </Text>
  );
}

interface ChooseProps {
  readonly of: SuggestionResponse;
  readonly issue: IssueResponse | undefined;
}

/** Where there is no proposal: the form of a rule, filled as far as it is known; or the issue, which exports again, too. */
function Choose({ of: { subject, sourceGroup, source }, issue }: ChooseProps) {
  const navigate = useNavigate();
  return (
    <>
      <Button
        size="xs"
        variant="default"
        aria-label={t('mapping.chooseOf', { source })}
        onClick={() => {
          fillForm(`rule ${subject}`, { sourceGroup: sourceGroup ?? '', source });
          void navigate({ to: '/mapping', search: { tab: subject, dialog: 'rule' } });
        }}
      >
        {t('mapping.choose')}
      </Button>
      {issue === undefined ? null : (
        <Anchor component={Link} to={`/issues/${encodeURIComponent(issue.issueKey)}`} size="sm">
          {t('item.resolve')}
        </Anchor>
      )}
    </>
  );
}
