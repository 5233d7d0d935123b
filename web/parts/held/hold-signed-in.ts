import { signedInRecently } from '../../api/recent-sign-in.js';
import { askForSignIn } from '../../api/refusals.js';
import { hold, type Held } from './held.js';

/** As `hold`, for what needs a sign-in within the last minutes: without one the reader is asked for it now, not after the ten seconds. */
export function holdSignedIn(held: Held): void {
  void signedInRecently().then((isRecent) => {
    if (isRecent) {
      hold(held);
    } else {
      held.onUndone?.();
      askForSignIn();
    }
  });
}
