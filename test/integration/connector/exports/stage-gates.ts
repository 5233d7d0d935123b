// Holds one stage of an export at a gate while a test looks at what the others do.
import { jest } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { RecordResults } from '../../../../src/connector/exports/reporting/record-results.js';
import type { ExportsHarness } from './exports-harness.js';

/** Pages that wait to be posted, at most. */
export const PAGES_AHEAD = 5;
/** Posted chunks that wait to be reported, at most. */
export const CHUNKS_AHEAD = 2;

export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    await turn();
  }
}

/** Long enough for a stage that is not held back to write to the database and go on. */
export async function letOthersWork(exports: ExportsHarness): Promise<void> {
  for (let queries = 0; queries < 100; queries += 1) {
    await exports.admin.query('SELECT 1');
  }
}

/** Runs `work` before a call with results has its effect, with the entries it names. */
export function beforeReport({ platform }: ExportsHarness, work: (ids: readonly string[]) => Promise<void>): void {
  const send = platform.updateJobItems.bind(platform);
  jest.spyOn(platform, 'updateJobItems').mockImplementation(async (auth, jobId, results) => {
    await work(results.map(({ accountingEntryId }) => accountingEntryId));
    return send(auth, jobId, results);
  });
}

/** Holds the first record of a chunk. */
export function beforeRecord(exports: ExportsHarness, work: () => Promise<void>): void {
  const recordResults = exports.get(RecordResults);
  const record = recordResults.record.bind(recordResults);
  jest.spyOn(recordResults, 'record').mockImplementationOnce(async (...what) => {
    await work();
    await record(...what);
  });
}
