import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { expectExactExport } from '../support/exact-export.js';
import type { Boundaries, Passing } from '../../src/erp-contract/http-proxy.js';
import { RunningPrograms } from '../support/running-programs.js';

let programs: RunningPrograms;
beforeEach(async () => {
  programs = await RunningPrograms.start();
});
afterEach(() => programs.stop());

interface Crash {
  readonly at: string;
  readonly between: 'platform' | 'ledger';
  readonly matches: (passing: Passing) => boolean;
  readonly when: 'before' | 'after';
}

const isVerdict = ({ path, body }: Passing) =>
  path === '/v3/export-job-events' && body.toString().includes('"completed');
const CRASHES: readonly Crash[] = [
  {
    at: 'the first batch on its way to the ERP',
    between: 'ledger',
    when: 'before',
    matches: isPost('posting-groups'),
  },
  {
    at: 'the first batch posted, the answer lost',
    between: 'ledger',
    when: 'after',
    matches: isPost('posting-groups'),
  },
  {
    at: '`started` accepted, the answer lost',
    between: 'platform',
    when: 'after',
    matches: isPost('/v3/export-job-events'),
  },
  {
    at: 'the item results accepted, the answer lost',
    between: 'platform',
    when: 'after',
    matches: ({ method }) => method === 'PUT',
  },
  { at: 'the verdict accepted, the answer lost', between: 'platform', when: 'after', matches: isVerdict },
];

describe('a worker killed with kill -9', () => {
  it.each(CRASHES)('with $at: another run ends the job, nothing twice', async ({ between, matches, when }) => {
    const proxy = between === 'platform' ? programs.platformProxy : programs.ledgerProxy;
    let killed = false;
    const killOnce = (passing: Passing): boolean => {
      if (killed || !matches(passing)) {
        return true;
      }
      killed = true;
      programs.worker.kill('SIGKILL');
      return false;
    };
    const boundaries: Boundaries = when === 'before' ? { onRequest: killOnce } : { onResponse: killOnce };
    proxy.boundaries = boundaries;

    await triggerExport(programs.clients.simulator);
    const job = await programs.verdict();

    expect(killed).toBe(true);
    await expectExactExport(programs, job);
  });
});

function isPost(part: string): (passing: Passing) => boolean {
  return ({ method, path }) => method === 'POST' && path.includes(part) && !path.includes('lookup');
}
