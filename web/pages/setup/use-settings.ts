import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { apiQuery } from '../../api/client.js';
import type { SettingsRequest } from '../../api/schema.js';
import { t } from '../../messages/text.js';
import { unreadOf } from '../../parts/states.js';
import { ifMatch } from '../mapping/saved.js';

/** What a company begins with: nothing is guessed, and nothing stays a draft that no person looks at. */
const NO_SETTINGS: SettingsRequest = {
  accounts: { wallets: {} },
  policies: {
    unknownVendor: 'fail',
    closedPeriod: 'fail',
    postingState: 'posted',
    conflicts: 'fail',
    receipts: 'post-without',
    reversedInErp: 'repost',
  },
};

/** The settings as they are, or as a company begins. */
export function useSettings() {
  const query = apiQuery.useQuery('get', '/api/v1/settings', {}, { retry: false });
  const { accounts, policies } = query.data ?? NO_SETTINGS;
  return {
    isPending: !query.isFetched,
    unread: unreadOf(query),
    settings: { accounts, policies },
    version: query.data?.version ?? 0,
  };
}

/** @param version that is changed */
export function useSaveSettings(version: number, onSaved: () => void) {
  const queryClient = useQueryClient();
  const save = apiQuery.useMutation('put', '/api/v1/settings', {
    onSuccess: async ({ setup, ...saved }) => {
      onSaved();
      // The next decision may be made before everything is read again, and is a change of this version.
      queryClient.setQueryData(apiQuery.queryOptions('get', '/api/v1/settings', {}).queryKey, saved);
      const open = setup.steps.filter(({ state, kind }) => state === 'open' && kind === 'account');
      notifications.show(
        open.length === 0
          ? { color: 'green', message: t('setup.saved') }
          : { color: 'orange', title: t('setup.savedWith', { count: open.length }), message: open[0]?.detail },
      );
      await queryClient.invalidateQueries();
    },
  });
  return {
    isSaving: save.isPending,
    error: save.error,
    saveAll: (body: SettingsRequest) => {
      save.mutate({ params: { header: ifMatch(version) }, body });
    },
  };
}
