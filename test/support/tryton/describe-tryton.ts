import { describe } from '@jest/globals';
import { TRYTON_MISSING } from './tryton-server.js';

/** Tests that need Tryton; where it is not installed they are reported as skipped, with the reason. */
export function describeTryton(title: string, tests: () => void): void {
  if (TRYTON_MISSING === undefined) {
    describe(title, tests);
  } else {
    describe.skip(`${title}, skipped: ${TRYTON_MISSING}`, tests);
  }
}
