import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { ChildProgram } from '../../src/sandbox/launch/child-program.js';
import { triggerExport } from '../../src/sandbox/launch/demo/trigger-export.js';
import { addPurchases } from '../support/add-purchases.js';
import { expectExactExport } from '../support/exact-export.js';
import type { Passing } from '../../src/erp-contract/http-proxy.js';
import { RunningPrograms } from '../support/running-programs.js';

/** Posts after which the worker is ended: some of the job is done, most of it is not. */
const POSTS_BEFORE = 2;
/** A lease and a sweep are 12 s; on a machine that does other things, too, everything takes longer. */
const TAKE_OVER_MS = 30_000;

let programs: RunningPrograms;
beforeEach(async () => {
  programs = await RunningPrograms.start({ PLATFORM_REQUESTS_PER_MINUTE: '10000' });
});
afterEach(() => programs.stop());

const isPost = ({ method, path }: Passing) => method === 'POST' && path.endsWith('/posting-groups');

interface Ending {
  readonly how: string;
  readonly items: number;
  readonly end: (worker: ChildProgram) => void;
  /** Whether the worker still hears of the post that was under way. */
  readonly hears: boolean;
  readonly afterTakeOver?: (worker: ChildProgram) => void;
}

const ENDINGS: readonly Ending[] = [
  {
    how: 'is killed with kill -9',
    items: 5_000,
    end: (worker) => {
      worker.kill('SIGKILL');
      // It does not come back: what follows is the other's work.
      void worker.stop();
    },
    hears: false,
  },
  {
    how: 'is frozen, and wakes up when the other has taken over',
    items: 1_000,
    end: (worker) => {
      worker.kill('SIGSTOP');
    },
    hears: true,
    afterTakeOver: (worker) => {
      worker.kill('SIGCONT');
    },
  },
  {
    how: 'is stopped for a new release',
    items: 1_000,
    end: (worker) => void worker.stop(),
    hears: true,
  },
];

describe('two workers, and the one that works on a job', () => {
  it.each(ENDINGS)('$how: the other goes on soon, nothing twice, one verdict', async (ending) => {
    const { items, end, hears, afterTakeOver } = ending;
    const first = { program: programs.worker, ledgerProxy: programs.ledgerProxy };
    const workers = [first, await programs.addWorker()];
    await addPurchases(programs, 0, items);
    const takenOver = Promise.withResolvers<number>();
    let posts = 0;
    let ended: { readonly worker: ChildProgram; readonly atMs: number } | undefined;
    for (const { program, ledgerProxy } of workers) {
      ledgerProxy.boundaries = {
        onRequest: (passing) => {
          if (isPost(passing) && ended !== undefined && ended.worker !== program) {
            takenOver.resolve(programs.clock.monotonicMs() - ended.atMs);
          }
          return true;
        },
        onResponse: (passing) => {
          posts += isPost(passing) ? 1 : 0;
          if (posts !== POSTS_BEFORE || ended !== undefined) {
            return true;
          }
          ended = { worker: program, atMs: programs.clock.monotonicMs() };
          end(program);
          return hears;
        },
      };
    }
    await triggerExport(programs.clients.simulator);
    const ms = await takenOver.promise;
    if (ended !== undefined) {
      afterTakeOver?.(ended.worker);
    }
    expect(ms).toBeLessThan(TAKE_OVER_MS);
    await expectExactExport(programs, await programs.verdict(), items);
  });
});
