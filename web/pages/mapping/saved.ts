import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import { t } from '../../messages/text.js';
import { tellUndoable } from '../../parts/held/held.js';
import { useMay } from '../../parts/roles.js';
import { tellRefused } from '../../parts/refused.js';

/** The version that a change is made on: a save by another person in between is refused, not lost. */
export const ifMatch = (version: number) => ({ 'If-Match': `"${version.toString()}"` });

/** What follows a save: everything of the mapping is read again, and for ten seconds who may can restore the version before. */
export function useSaved() {
  const queryClient = useQueryClient();
  const mayRestore = useMay('admin');
  const failed = (error: unknown) => {
    tellRefused(error);
  };
  const readAgain = () => queryClient.invalidateQueries();
  const restore = apiQuery.useMutation('post', '/api/v1/mapping/versions/{version}/restore', {
    onSuccess: readAgain,
    onError: failed,
  });
  const announce = (before: number, after: number) => {
    if (after === before) {
      return;
    }
    const text = t('mapping.saved', { version: after });
    if (!mayRestore) {
      notifications.show({ color: 'green', message: text });
      return;
    }
    tellUndoable(text, () => {
      restore.mutate({ params: { path: { version: before.toString() }, header: ifMatch(after) } });
    });
  };
  /** @returns when everything is read again */
  const saved = (before: number, after: number): Promise<void> => {
    announce(before, after);
    return readAgain();
  };
  return { saved, failed };
}
