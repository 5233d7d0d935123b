import { apiQuery } from '../api/client.js';
import { sendHeld } from '../parts/held/held.js';
import { tellRefused } from '../parts/refused.js';

/** Goes on in another company of the same person, without a sign-in: nothing of the one before stays in the browser. */
export function useSwitch(): (installationId: string) => void {
  const change = apiQuery.useMutation('put', '/api/v1/me/installation', {
    onSuccess: () => {
      sessionStorage.clear();
      location.assign('/app');
    },
    onError: (error) => {
      tellRefused(error);
    },
  });
  return (installationId) => {
    void sendHeld().then((isAllDone) => {
      // What was refused is read before the page of the other company takes its place.
      if (isAllDone) {
        change.mutate({ body: { installationId } });
      }
    });
  };
}
