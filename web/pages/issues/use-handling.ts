import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import type { IssueResponse } from '../../api/schema.js';
import { tellUndoable } from '../../parts/held/held.js';
import { tellRefused } from '../../parts/refused.js';

type Agreed = Partial<IssueResponse['handling']>;
interface Noted {
  readonly issueKey: string;
  /** What is changed: the rest may have been changed by another person since it was read. */
  readonly handling: Agreed;
}
interface Change {
  readonly noted: readonly Noted[];
  /** In words what was done, and what stood there before; undefined for taking something back. */
  readonly notice?: string;
  readonly before?: readonly Noted[];
  readonly onSaved?: (() => void) | undefined;
}

/** @returns the day in so many days, as YYYY-MM-DD (UTC) */
export function dayIn(days: number): string {
  const day = new Date();
  day.setUTCDate(day.getUTCDate() + days);
  return day.toISOString().slice(0, 10);
}

/** Notes something about issues; for ten seconds what stood there before can be put back. */
export function useHandling() {
  const queryClient = useQueryClient();
  const save: UseMutationResult<void, Error, Change> = useMutation({
    mutationFn: async ({ noted }: Change) => {
      for (const { issueKey, handling } of noted) {
        const { error } = await api.PUT('/api/v1/issues/{issueKey}/handling', {
          params: { path: { issueKey } },
          body: handling,
        });
        if (error !== undefined) {
          throw error as unknown;
        }
      }
    },
    onSuccess: (_, { notice, before, onSaved }) => {
      onSaved?.();
      if (notice !== undefined) {
        tellUndoable(notice, () => {
          save.mutate({ noted: before ?? [] });
        });
      }
    },
    onError: (error) => {
      tellRefused(error);
    },
    // Also after a refusal: of several issues the first may be noted.
    onSettled: () => queryClient.invalidateQueries(),
  });
  const handle = (issues: readonly IssueResponse[], changed: Agreed, notice: string, onSaved?: () => void) => {
    const names = Object.keys(changed) as (keyof Agreed)[];
    const noted = issues.map(({ issueKey }) => ({ issueKey, handling: changed }));
    const before = issues.map(({ issueKey, handling }) => ({
      issueKey,
      handling: Object.fromEntries(names.map((name) => [name, handling[name]])),
    }));
    save.mutate({ noted, before, notice, onSaved });
  };
  return { handle, isPending: save.isPending };
}
