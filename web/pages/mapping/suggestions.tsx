import { Anchor, Button, Group, Text } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../api/client.js';
import type { IssueResponse, SuggestionResponse } from '../../api/schema.js';
import { shownTime, t, word } from '../../messages/text.js';
import { DataTable } from '../../parts/data-table.js';
import { useAccountNames } from '../../parts/erp-value.js';
import { Amounts } from '../../parts/money.js';
import { Loaded } from '../../parts/states.js';
import { fillForm } from '../../parts/stored-form.js';
import { ifMatch, useSaved } from './saved.js';

type Accepted = SuggestionResponse & { readonly proposals: readonly [SuggestionResponse['proposals'][number]] };
const hasProposal = (one: SuggestionResponse): one is Accepted => one.proposals.length > 0;

const MOST_ISSUES = 100;

/** The open issue of entries that wait for it. */
const issueFor = ({ subject, sourceGroup, source }: SuggestionResponse, issues: readonly IssueResponse[]) =>
  issues.find(
    ({ kind, reference, group }) =>
      reference === source && kind === subject && (group === null || sourceGroup === null || group === sourceGroup),
  );

/** What exports have used and no rule or code matches, with proposals; one button accepts them all. */
export function Suggestions() {
  const suggestions = apiQuery.useQuery('get', '/api/v1/mapping/suggestions');
  const rules = apiQuery.useQuery('get', '/api/v1/mapping/rules', { params: { query: { limit: 1 } } });
  const version = rules.data?.version ?? 0;
  const issues =
    apiQuery.useQuery('get', '/api/v1/issues', { params: { query: { sort: 'amount', limit: MOST_ISSUES } } }).data
      ?.data ?? [];
  const { saved, failed } = useSaved();
  const save = apiQuery.useMutation('post', '/api/v1/mapping/rules/bulk', {
    onSuccess: (result) => {
      saved(version, result.version);
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
    <Loaded query={suggestions}>
      {({ data }) => (
        <>
          {data.some(hasProposal) ? (
            <Group mb="md">
              <Button
                loading={save.isPending}
                onClick={() => {
                  accept(data);
                }}
              >
                {t('mapping.acceptAll', { count: data.filter(hasProposal).length })}
              </Button>
            </Group>
          ) : null}
          <DataTable
            label={t('mapping.unmapped')}
            empty={t('mapping.allMapped')}
            rows={data}
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
                cell: (one) =>
                  hasProposal(one) ? (
                    <Group gap="xs">
                      <Proposed of={one} />
                      <Button
                        size="xs"
                        variant="default"
                        onClick={() => {
                          accept([one]);
                        }}
                      >
                        {t('mapping.accept')}
                      </Button>
                    </Group>
                  ) : (
                    <Choose of={one} issue={issueFor(one, issues)} />
                  ),
              },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}

function Proposed({ of: { subject, proposals } }: { readonly of: Accepted }) {
  const names = useAccountNames();
  const [{ target, because }] = proposals;
  const name = subject === 'account' ? names.get(target) : undefined;
  return (
    <Text>
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
    <Group gap="xs">
      <Text c="dimmed">{t('mapping.noProposal')}</Text>
      <Button
        size="xs"
        variant="default"
        aria-label={t('mapping.chooseOf', { source })}
        onClick={() => {
          fillForm(`rule ${subject}`, { sourceGroup: sourceGroup ?? '', source, isOpen: true });
          void navigate({ to: '/mapping', search: { tab: subject } });
        }}
      >
        {t('mapping.choose')}
      </Button>
      {issue === undefined ? null : (
        <Anchor component={Link} to={`/issues/${encodeURIComponent(issue.issueKey)}`} size="sm">
          {t('item.resolve')}
        </Anchor>
      )}
    </Group>
  );
}
