import { Anchor, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api/client.js';
import type { IssueResponse, ProposalResponse } from '../../api/schema.js';
import { t, word } from '../../messages/text.js';
import { ErpValue, useAccountNames } from '../../parts/erp-value.js';
import { useRefusedElsewhere } from '../../parts/held/held.js';
import { holdSignedIn } from '../../parts/held/hold-signed-in.js';
import { Failed } from '../../parts/states.js';
import { fillForm, useStoredForm } from '../../parts/stored-form.js';
import { missingRate } from '../../parts/figures/rate-lines.js';
import { noticeOf, ReexportProgress } from './reexport-progress.js';
import { resolutionOf } from './proposal.js';

interface ResolveFormProps {
  readonly issue: IssueResponse;
  readonly proposal: ProposalResponse | undefined;
}

/** As long as two sentences take to read. */
const READING_MS = 15_000;

/** The one action that resolves an issue, and what became of the entries that were exported again because of it. */
export function ResolveForm({ issue, proposal }: ResolveFormProps) {
  const { issueKey, kind, message, suggestedResolution } = issue;
  const { action } = suggestedResolution;
  const queryClient = useQueryClient();
  const [isHeld, setHeld] = useState(false);
  const { values, change, clear } = useStoredForm(`issue ${issueKey}`, { target: '', targetGroup: '' });
  const resolve = apiQuery.useMutation('post', '/api/v1/issues/{issueKey}/resolution', {
    onSuccess: async ({ reexport }) => {
      clear();
      notifications.show({
        id: noticeOf(reexport.id),
        // Not of success: whether the entries are taken now is not known yet.
        color: 'gray',
        role: 'status',
        autoClose: READING_MS,
        title: t(action === 'outside' ? 'issue.isAgain' : 'issue.isResolved', { issue: message.text }),
        message: t('issue.next', { entries: reexport.entries }),
        closeButtonProps: { 'aria-label': t('action.close') },
      });
      await queryClient.invalidateQueries();
    },
    onError: useRefusedElsewhere(message.text),
    onSettled: () => {
      setHeld(false);
    },
  });
  const target = values.target === '' ? (proposal?.target ?? '') : values.target;
  const targetGroup = values.targetGroup === '' ? (proposal?.targetGroup ?? '') : values.targetGroup;
  const names = useAccountNames();
  const named = (code: string) =>
    [code, kind === 'account' || action === 'setting' ? names.get(code) : undefined].filter(Boolean).join(' ');
  const submit = () => {
    setHeld(true);
    holdSignedIn({
      text: t(action === 'outside' ? 'issue.heldAgain' : 'issue.held', { issue: message.text, target: named(target) }),
      about: `issue ${issueKey}`,
      act: () => {
        const body = resolutionOf(issue, target, targetGroup);
        // Also when the reader leaves the page in these seconds.
        return resolve.mutateAsync({ params: { path: { issueKey } }, body, keepalive: true });
      },
      onUndone: () => {
        setHeld(false);
      },
    });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isHeld && (action === 'outside' || target !== '')) {
          submit();
        }
      }}
    >
      <Group mt="sm" align="flex-end">
        {action !== 'outside' && kind === 'tag' ? (
          <ErpValue
            list="dimension"
            label={t('mapping.targetGroup')}
            required
            value={targetGroup}
            onChoose={(code) => {
              change({ targetGroup: code });
            }}
          />
        ) : null}
        {action === 'outside' ? null : (
          <ErpValue
            list={kind === 'tax-code' ? kind : kind === 'tag' ? { dimension: targetGroup } : 'account'}
            label={t('issue.target')}
            required
            value={target}
            onChoose={(code) => {
              change({ target: code });
            }}
          />
        )}
        <Button type="submit" loading={resolve.isPending} disabled={isHeld && !resolve.isPending}>
          {t(action === 'outside' ? 'issue.again' : 'issue.resolve')}
        </Button>
        {proposal === undefined ? null : (
          <Text size="sm" c="dimmed">
            {t('issue.proposed', { target: named(proposal.target), because: word('because', proposal.because) })}
          </Text>
        )}
      </Group>
      {kind === 'rate' ? <EnterRate issueKey={issueKey} /> : null}
      {resolve.error === null ? null : <Failed error={resolve.error} />}
      {resolve.data === undefined ? null : <ReexportProgress id={resolve.data.reexport.id} />}
    </form>
  );
}

/** Leads to where the missing rate is entered, filled as far as it is known. */
function EnterRate({ issueKey }: { readonly issueKey: string }) {
  const navigate = useNavigate();
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      mt="xs"
      onClick={() => {
        const rate = missingRate(issueKey);
        if (rate !== undefined) {
          fillForm('exchange rate', rate);
        }
        void navigate({ to: '/reference-data', search: { tab: 'rates' } });
      }}
    >
      {t('rates.enterHere')}
    </Anchor>
  );
}
