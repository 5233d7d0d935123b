import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DiscrepancyAction } from '../../../../src/connector/reconciliation/domain/discrepancy-class.js';
import { History } from './history.js';

// A person has an entry reversed, and before that is done the entry is exported again: what was posted anew stays.

let history: History;
let id: string;

beforeEach(async () => {
  history = await History.start();
  const { ids } = await history.addJob(3);
  id = ids[1] ?? '';
});
afterEach(async () => {
  await history.exports.close();
});

async function open() {
  const filter = { state: 'open', class: undefined } as const;
  return history.service.reader.listDiscrepancies(history.tenant.installationId, filter, undefined, 10);
}

async function act(action: DiscrepancyAction) {
  const [discrepancy] = await open();
  const decision = { action, note: 'looked into', by: 'Ada' };
  return history.service.act(history.tenant.installationId, discrepancy?.id ?? '', decision);
}

async function intentStates(): Promise<unknown> {
  const { rows } = await history.exports.admin.query(
    `SELECT state FROM posting_intent WHERE accounting_entry_id = $1 ORDER BY revision`,
    [id],
  );
  return rows;
}

/** Something stands in the books of which the platform says that it failed. */
async function failedButPosted(): Promise<void> {
  await history.query(
    `UPDATE export_item SET state = 'failed', external_id = NULL, failure_type = 'x', failure_reason = 'x'
     WHERE accounting_entry_id = $1`,
    id,
  );
  const [job] = [...history.exports.platform.jobs.values()];
  job?.statuses.set(id, 'failed');
  await history.reconcile();
  expect(await open()).toMatchObject([{ class: 'failed-but-posted', subject: id }]);
}

describe('a reversal whose response was lost', () => {
  it('takes nothing out of the books that an export has posted since', async () => {
    await failedButPosted();
    history.erp.onReversed = () => {
      history.erp.restore();
      return Promise.reject(new Error('the worker is killed'));
    };
    await expect(act('reverse')).rejects.toThrow('the worker is killed');
    expect(history.erp.standing(id)).toBe(0);
    await act('re-export');
    const [job] = await history.exportAgain([id]);
    expect(history.erp.standing(id)).toBe(1);
    await history.compareEnded(job?.id ?? '');
    expect(history.erp.standing(id)).toBe(1);
    expect(await intentStates()).toEqual([{ state: 'reversed' }, { state: 'posted' }]);
    await history.reconcile();
    expect(await open()).toEqual([]);
  });
});

it('what a later export has reported as exported is not reversed for a discrepancy of the one before', async () => {
  await failedButPosted();
  await act('re-export');
  await history.exportAgain([id]);
  // The discrepancy stays open until the job was compared: another person, or a page that was open longer.
  expect(await act('reverse')).toEqual({ outcome: 'exported-since' });
  expect(history.erp.standing(id)).toBe(1);
  expect(await intentStates()).toEqual([{ state: 'posted' }]);
  await history.reconcile();
  expect(await open()).toEqual([]);
});
