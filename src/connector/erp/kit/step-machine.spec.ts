import { expect, it } from '@jest/globals';
import type { ErpCall } from '../erp-call.js';
import type { StepRecord } from './step-records.js';
import { StepMachine, type Steps } from './step-machine.js';

const CALL = {} as ErpCall;

/** An ERP with left-over drafts, of which it does not delete some. */
function machineOver(leftOver: readonly string[], locked: readonly string[]) {
  const left = new Set(leftOver);
  const requests: (readonly string[])[] = [];
  const steps = {
    findLeftOver: () => Promise.resolve([...left]),
    remove: (_: ErpCall, ids: readonly string[]) => {
      requests.push(ids);
      if (ids.some((id) => locked.includes(id))) {
        return Promise.resolve({ kind: 'refused', status: 409, message: 'it is locked' } as const);
      }
      ids.forEach((id) => left.delete(id));
      return Promise.resolve({ kind: 'responded', value: undefined } as const);
    },
  } as unknown as Steps<string, StepRecord>;
  const clock = { now: () => new Date('2026-03-01T12:00:00Z'), monotonicMs: () => 0, sleep: () => Promise.resolve() };
  return { machine: new StepMachine(steps, clock), left, requests };
}

it('deletes left-over drafts with one request', async () => {
  const { machine, left, requests } = machineOver(['1', '2', '3'], []);
  await machine.sweep(CALL);
  expect([...left]).toEqual([]);
  expect(requests).toHaveLength(1);
});

it('deletes all left-over drafts but the one that the ERP refuses to delete', async () => {
  const ids = Array.from({ length: 64 }, (_, index) => index.toString());
  const { machine, left, requests } = machineOver(ids, ['37']);
  await machine.sweep(CALL);
  expect([...left]).toEqual(['37']);
  // The whole, and two halves of each part that has it.
  expect(requests).toHaveLength(13);
});
