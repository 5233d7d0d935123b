import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { tellRefused } from '../parts/refused.js';

/** After something was done: reports it, and reads again what the page shows; or reports why it was not done. */
export function useDone(text: string): {
  readonly onSuccess: () => Promise<void>;
  readonly onError: (error: unknown) => void;
} {
  const queryClient = useQueryClient();
  return {
    onSuccess: () => {
      notifications.show({ color: 'green', message: text });
      return queryClient.invalidateQueries();
    },
    onError: (error) => {
      tellRefused(error);
    },
  };
}
