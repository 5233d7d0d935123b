// An ERP that accepts a key twice and finds what was posted after a while only: what was in doubt when a worker was killed is
// decided by a search that must not come too early, while the rest of the job goes on (levels of docs/rules).
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { firstCustomer } from '../../src/sandbox/launch/demo/demo-customers.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { expectExactExport } from '../support/exact-export.js';
import { RunningPrograms } from '../support/running-programs.js';
import { setBooksLevel } from './boundaries/variant.js';
import type { Passing } from '../../src/erp-contract/http-proxy.js';

const SEARCH_LAG_SECONDS = 5;
/** Longer than the lag: what is in doubt becomes surely absent while the job runs. */
const SLOW_MS = 7_000;

let programs: RunningPrograms;
beforeEach(async () => {
  const lag = SEARCH_LAG_SECONDS.toString();
  programs = await RunningPrograms.start({ LEDGER_LEVEL: 'E1', LEDGER_SEARCH_LAG_SECONDS: lag });
  await setBooksLevel(programs.clients.ledger, firstCustomer, { erp: 'searchable-reference' });
});
afterEach(() => programs.stop());

const isPosting = ({ method, path }: Passing) =>
  method === 'POST' && path.includes('posting-groups') && !path.includes('lookup');

describe('a worker killed with kill -9 while an ERP without unique keys is slow', () => {
  it.each([
    { at: 'the first batch on its way to the ERP', batch: 1, when: 'before' },
    { at: 'the first batch posted, the answer lost', batch: 1, when: 'after' },
    // The batch with entries of vendors that the connector has created just before.
    { at: 'the second batch on its way to the ERP', batch: 2, when: 'before' },
    { at: 'the second batch posted, the answer lost', batch: 2, when: 'after' },
  ])('with $at: another run ends the job, nothing lost, nothing twice', async ({ batch, when }) => {
    let posts = 0;
    let killed = false;
    const kill = (): false => {
      killed = true;
      programs.worker.kill('SIGKILL');
      return false;
    };
    programs.ledgerProxy.boundaries = {
      async onRequest(passing) {
        if (!isPosting(passing)) {
          return true;
        }
        posts += 1;
        if (killed) {
          await programs.clock.sleep(SLOW_MS);
        }
        return killed || when !== 'before' || posts !== batch || kill();
      },
      onResponse: (passing) => killed || when !== 'after' || !isPosting(passing) || posts !== batch || kill(),
    };

    await triggerExport(programs.clients.simulator);
    const job = await programs.eventualVerdict();

    expect(killed).toBe(true);
    await expectExactExport(programs, job);
  });
});
