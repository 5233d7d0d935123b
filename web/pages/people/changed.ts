import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { problemText } from '../../parts/states.js';

/** What follows a change: everything is read again, or its problem is told. */
export function useChanged() {
  const queryClient = useQueryClient();
  return {
    onSuccess: () => queryClient.invalidateQueries(),
    onError: (error: unknown) => {
      notifications.show({ color: 'red', message: problemText(error) });
    },
  };
}
