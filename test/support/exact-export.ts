import { expect } from '@jest/globals';
import type { ExportJob } from '../../src/sandbox/launch/demo/trigger-export.js';
import type { RunningPrograms } from './running-programs.js';

/** Made by the ledger itself when it settles, not by an accounting entry. */
export const OF_THE_LEDGER = '/realized-fx';

/**
 * What the demo's export must have come to, whatever happened on the way: everything once, and reported as it is.
 * @param more items exported besides, each of which makes one entry
 */
export async function expectExactExport(programs: RunningPrograms, job: ExportJob, more = 0): Promise<void> {
  expect(job).toMatchObject({
    state: 'completed_with_errors',
    numberOfItems: 147 + more,
    successful: 142 + more,
    failed: 5,
  });
  expect(await programs.acceptedEvents(job.id)).toEqual(['started', 'completed_with_errors']);
  const all = await programs.journal();
  expect(new Set(all).size).toBe(all.length);
  expect(all).toHaveLength(155 + more);
  const journal = all.filter((entry) => !entry.endsWith(OF_THE_LEDGER));
  expect(journal).toHaveLength(154 + more);
  const posted = new Set(journal.map((entry) => entry.slice(0, entry.indexOf('/'))));
  for (const { accountingEntryId, status, externalId } of await programs.platformItems(job.id)) {
    expect({ accountingEntryId, status, hasExternalId: typeof externalId === 'string' }).toEqual({
      accountingEntryId,
      status: posted.has(accountingEntryId) ? 'successful' : 'failed',
      hasExternalId: posted.has(accountingEntryId),
    });
  }
}
