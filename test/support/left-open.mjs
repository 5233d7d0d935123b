// Ends a run that something is left open in, with what it is and as failed: instead of hanging, or of passing all the same.

import { setTimeout } from 'node:timers';

const WAIT_MS = 15_000;

/** After all tests. A run in which nothing is left open ends before. */
export default function tellWhatIsLeftOpen() {
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(`The tests have left something open, so that the run does not end by itself: ${open}\n`);
    process.exit(1);
  }, WAIT_MS).unref();
}
