import { Button, Group, Paper, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import type { IssueResponse, SuggestionResponse } from '../../api/schema.js';
import { shownDay, t } from '../../messages/text.js';
import { hold } from '../../parts/held.js';
import { shownMoney } from '../../parts/money.js';
import { problemText } from '../../parts/states.js';
import { sumOf } from '../../parts/figures/sum.js';
import { proposalFor, resolutionOf } from './proposal.js';
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
    mutationFn: resolveAll,
    onSuccess: (resolved) =>
      notifications.show({ color: 'green', role: 'status', message: t('issues.resolvedAll', { resolved }) }),
    onError: (error) => notifications.show({ color: 'red', message: problemText(error) }),
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
            hold({
              text: t('issues.heldAll', { count: ready }),
              act: () => {
                resolve.mutate({ outside, proposed });
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

/** @returns how many issues' entries are exported again */
async function resolveAll({ outside, proposed }: Resolvable): Promise<number> {
  let resolved = 0;
  for (let from = 0; from < outside.length; from += AT_ONCE) {
    const issueKeys = outside.slice(from, from + AT_ONCE).map(({ issueKey }) => issueKey);
    const { data, error } = await api.POST('/api/v1/issues/resolutions', { body: { issueKeys } });
    if (data === undefined) {
      throw error as unknown;
    }
    resolved += data.data.filter(({ outcome }) => outcome === 'resolved').length;
  }
  for (const { issue, proposal } of proposed) {
    const { error } = await api.POST('/api/v1/issues/{issueKey}/resolution', {
      params: { path: { issueKey: issue.issueKey } },
      body: resolutionOf(issue, proposal.target, proposal.targetGroup),
    });
    if (error !== undefined) {
      throw error as unknown;
    }
    resolved += 1;
  }
  return resolved;
}
