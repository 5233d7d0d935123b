import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import type { IssueResponse, SuggestionResponse } from '../../api/schema.js';
import { shownDay, t } from '../../messages/text.js';
import { holdSignedIn } from '../../parts/held/hold-signed-in.js';
import { shownMoney } from '../../parts/money.js';
import { tellRefused } from '../../parts/refused.js';
import { sumOf } from '../../parts/figures/sum.js';
import { proposalFor, resolutionOf } from './proposal.js';
import { sendAll, type Sending } from './send-all.js';
import { dayIn, useHandling } from './use-handling.js';

/** As many as the API takes at once. */
const AT_ONCE = 50;

interface BulkBarProps {
  readonly issues: readonly IssueResponse[];
  readonly suggestions: readonly SuggestionResponse[];
  readonly myName: string;
  readonly onDone: () => void;
}

/** What can be done about all selected issues together. */
export function BulkBar({ issues, suggestions, myName, onDone }: BulkBarProps) {
  const queryClient = useQueryClient();
  const { handle, isPending } = useHandling();
  const resolve = useMutation({
    mutationFn: ({ all, isLeaving }: { readonly all: readonly Sending[]; readonly isLeaving: boolean }) =>
      sendAll(all, isLeaving),
    onSuccess: ({ resolved, refused, problem }) => {
      if (resolved > 0 || refused === 0) {
        notifications.show({ color: 'green', role: 'status', message: t('issues.resolvedAll', { resolved }) });
      }
      if (refused > 0) {
        const title = t('issues.refusedAll', { count: refused });
        tellRefused(problem, title);
      }
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
  if (issues.length === 0) {
    return null;
  }
  const outside = issues.filter(({ suggestedResolution: { action } }) => action === 'outside');
  const proposed = issues.flatMap((issue) => {
    const proposal = issue.suggestedResolution.action === 'rule' ? proposalFor(issue, suggestions) : undefined;
    return proposal === undefined ? [] : [{ issue, proposal }];
  });
  const ready = outside.length + proposed.length;
  const sums = sumOf(issues.flatMap(({ amounts }) => amounts.flatMap(({ money }) => money ?? [])));
  const noteAll = (changed: Partial<IssueResponse['handling']>, text: string) => () => {
    handle(issues, changed, text);
    onDone();
  };
  return (
    <Paper withBorder shadow="md" p="sm" mt="md" className="bulk" role="region" aria-label={t('issues.bulk')}>
      <Group>
        <Text fw={600}>{t('issues.selected', { count: issues.length })}</Text>
        <Text className="figure">{sums.map(shownMoney).join(' · ')}</Text>
        <Button
          size="xs"
          disabled={ready === 0}
          loading={resolve.isPending}
          onClick={() => {
            holdSignedIn({
              text: t('issues.heldAll', { count: ready }),
              about: ['issues', ...issues.map(({ issueKey }) => issueKey)].join(' '),
              act: async (isLeaving) => {
                const { refused } = await resolve.mutateAsync({ all: sendingsOf({ outside, proposed }), isLeaving });
                if (refused > 0) {
                  throw new Error(t('issues.refusedAll', { count: refused }));
                }
              },
            });
            onDone();
          }}
        >
          {t('issues.resolveAll', { count: ready })}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isPending}
          onClick={noteAll({ assignee: myName }, t('issue.assigned', { name: myName }))}
        >
          {t('issue.take')}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isPending}
          onClick={noteAll({ snoozedUntil: dayIn(7) }, t('issue.snoozed', { day: shownDay(dayIn(7)) }))}
        >
          {t('issue.snooze')}
        </Button>
        <Button
          size="xs"
          variant="default"
          disabled={isPending}
          onClick={noteAll({ bookedByHand: true }, t('issue.left'))}
        >
          {t('issue.leave')}
        </Button>
        <Button size="xs" variant="subtle" onClick={onDone}>
          {t('issues.unselect')}
        </Button>
      </Group>
      {ready < issues.length ? (
        <Text size="sm" mt="xs">
          {t('issues.needValue', { count: issues.length - ready })}
        </Text>
      ) : null}
    </Paper>
  );
}

interface Resolvable {
  readonly outside: readonly IssueResponse[];
  readonly proposed: readonly {
    readonly issue: IssueResponse;
    readonly proposal: SuggestionResponse['proposals'][number];
  }[];
}

function sendingsOf({ outside, proposed }: Resolvable): readonly Sending[] {
  const keys = outside.map(({ issueKey }) => issueKey);
  const chunks = Array.from({ length: Math.ceil(keys.length / AT_ONCE) }, (_, index) =>
    keys.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  return [
    ...chunks.map((issueKeys) => ({ issues: issueKeys.length, send: () => exportAgain(issueKeys) })),
    ...proposed.map((one) => ({ issues: 1, send: () => accept(one) })),
  ];
}

async function exportAgain(issueKeys: readonly string[]): Promise<number> {
  const { data, error } = await api.POST('/api/v1/issues/resolutions', {
    body: { issueKeys: [...issueKeys] },
    keepalive: true,
  });
  if (data === undefined) {
    throw error as unknown;
  }
  return data.data.filter(({ outcome }) => outcome === 'resolved').length;
}

async function accept({ issue, proposal }: Resolvable['proposed'][number]): Promise<number> {
  const { data, error } = await api.POST('/api/v1/issues/{issueKey}/resolution', {
    params: { path: { issueKey: issue.issueKey } },
    body: resolutionOf(issue, proposal.target, proposal.targetGroup),
    keepalive: true,
  });
  if (data === undefined) {
    throw error as unknown;
  }
  return 1;
}
