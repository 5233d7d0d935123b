import { useQueryClient } from '@tanstack/react-query';
import { tellRefused } from '../../parts/refused.js';

/** What follows a change: everything is read again, or its problem is shown. */
export function useChanged() {
  const queryClient = useQueryClient();
  return {
    onSuccess: () => queryClient.invalidateQueries(),
    onError: (error: unknown) => {
      tellRefused(error);
    },
  };
}
