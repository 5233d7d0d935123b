import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { DifferenceAction } from '../../../../src/connector/reconciliation/domain/difference-class.js';
import { History } from './history.js';

// What a person does about a difference, and what is left of it.

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
  return history.service.listDifferences(history.tenant.installationId, filter, undefined, 10);
}

async function act(action: DifferenceAction) {
  const [difference] = await open();
  const decision = { action, note: 'looked into', by: 'Ada' };
  return history.service.act(history.tenant.installationId, difference?.id ?? '', decision);
}

async function intentState(): Promise<unknown> {
  const { rows } = await history.exports.admin.query(
    `SELECT state FROM posting_intent WHERE accounting_entry_id = $1`,
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

describe('accepting', () => {
  it('is for good while the evidence is the same, and not when it changes', async () => {
    history.erp.shelf.change(id, (entry) => ({
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
    }));
    await history.reconcile();
    expect(await act('accept')).toEqual({ outcome: 'done' });
    await history.reconcile();
    expect(await open()).toEqual([]);
    history.erp.shelf.change(id, (entry) => ({
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
    }));
    await history.reconcile();
    expect(await open()).toMatchObject([{ class: 'amount-drift', amountMinor: '10000', currency: 'EUR' }]);
  });

  it('leaves who accepted, and why', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    await act('accept');
    const filter = { state: 'accepted', class: undefined } as const;
    const { installationId } = history.tenant;
    expect(await history.service.listDifferences(installationId, filter, undefined, 10)).toMatchObject([
      { class: 'reversed-in-erp', settledBy: 'Ada', settledAs: 'accept', note: 'looked into' },
    ]);
  });
});

describe('reversing', () => {
  it('takes the entry out of the books and out of our record, and nothing is left', async () => {
    await failedButPosted();
    expect(await act('reverse')).toEqual({ outcome: 'done' });
    expect(history.erp.reversals).toEqual([[id]]);
    expect(await intentState()).toEqual([{ state: 'reversed' }]);
    await history.reconcile();
    expect(await open()).toEqual([]);
  });

  it('is said to be refused in the words of the ERP, and leaves the difference open', async () => {
    await failedButPosted();
    history.erp.reversalRefusal = 'The period is closed.';
    expect(await act('reverse')).toEqual({ outcome: 'refused', message: 'The period is closed.' });
    expect(await open()).toHaveLength(1);
    expect(await intentState()).toEqual([{ state: 'posted' }]);
  });

  it('waits while an export of the company runs, and is not for what the books do not have', async () => {
    await failedButPosted();
    await history.exports.mustClaim(history.tenant);
    expect(await act('reverse')).toEqual({ outcome: 'busy' });
    expect(history.erp.reversals).toEqual([]);
    await history.query(`UPDATE difference SET class = 'deleted-in-erp'`);
    expect(await act('reverse')).toEqual({ outcome: 'impossible' });
  });
});

describe('exporting again', () => {
  it('asks for an export of the entry, which may be posted anew', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    expect(await act('re-export')).toEqual({ outcome: 'done' });
    expect(await intentState()).toEqual([{ state: 'reversed' }]);
    const { rows } = await history.exports.admin.query(
      `SELECT entry_ids::text[] AS ids, asked_by FROM reexport`,
    );
    expect(rows).toEqual([{ ids: [id], asked_by: 'Ada' }]);
    expect(await open()).toMatchObject([{ reexportId: expect.any(String) }]);
  });
});

describe('a difference that goes away by itself', () => {
  it('is closed by the next run, and opens again when it comes back', async () => {
    const entry = history.erp.shelf.newest(id);
    history.erp.shelf.remove(id);
    await history.reconcile();
    expect(await open()).toMatchObject([{ class: 'deleted-in-erp' }]);
    history.erp.shelf.put(entry);
    await history.reconcile();
    expect(await history.differences()).toMatchObject([{ class: 'deleted-in-erp', state: 'repaired' }]);
    history.erp.shelf.remove(id);
    await history.reconcile();
    expect(await history.differences()).toMatchObject([{ class: 'deleted-in-erp', state: 'open' }]);
  });
});
