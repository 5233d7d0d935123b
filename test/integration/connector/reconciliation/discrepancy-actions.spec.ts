import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ReexportReader } from '../../../../src/connector/exports/reexport/reexport.reader.js';
import { History } from './history.js';

// What a person does about a discrepancy, and what is left of it.

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

describe('accepting a discrepancy', () => {
  it('is permanent while the evidence is the same, and void when it changes', async () => {
    history.erp.store.change(id, (entry) => ({
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
    }));
    await history.reconcile();
    expect(await history.act('accept')).toEqual({ outcome: 'done' });
    await history.reconcile();
    expect(await history.open()).toEqual([]);
    history.erp.store.change(id, (entry) => ({
      ...entry,
      lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 2n })),
    }));
    await history.reconcile();
    expect(await history.open()).toMatchObject([{ class: 'amount-drift', amountMinor: '40000', currency: 'EUR' }]);
  });

  it('records the person and the reason', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    await history.act('accept');
    const filter = { state: 'accepted', class: undefined } as const;
    const { installationId } = history.tenant;
    expect(await history.service.reader.listDiscrepancies(installationId, filter, undefined, 10)).toMatchObject([
      { class: 'reversed-in-erp', settledBy: 'Ada', settledAs: 'accept', note: 'looked into' },
    ]);
  });

  it('succeeds for one of two people who accept it at the same moment', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    const [discrepancy] = await history.open();
    const decision = { action: 'accept', note: 'looked into', by: 'Ada' } as const;
    const accept = () => history.service.act(history.tenant.installationId, discrepancy?.id ?? '', decision);
    const both = await Promise.all([accept(), accept()]);
    expect(both.map(({ outcome }) => outcome).toSorted()).toEqual(['done', 'settled']);
  });
});

describe('reversing an entry', () => {
  it('removes the entry from the books and from our record, and nothing is left', async () => {
    await history.failedButPosted(id);
    expect(await history.act('reverse')).toEqual({ outcome: 'done' });
    expect(history.erp.reversals).toEqual([[id]]);
    expect(await history.intentStates(id)).toEqual([{ state: 'reversed' }]);
    await history.reconcile();
    expect(await history.open()).toEqual([]);
  });

  it('reports a refusal in the words of the ERP, and leaves the discrepancy open', async () => {
    await history.failedButPosted(id);
    history.erp.reversalRefusal = 'The period is closed.';
    expect(await history.act('reverse')).toEqual({ outcome: 'refused', message: 'The period is closed.' });
    expect(await history.open()).toHaveLength(1);
    expect(await history.intentStates(id)).toEqual([{ state: 'posted' }]);
  });

  it('does nothing when another person has accepted the discrepancy meanwhile', async () => {
    await history.failedButPosted(id);
    const inspect = history.erp.inspect.bind(history.erp);
    history.erp.inspect = async (...call) => {
      history.erp.inspect = inspect;
      expect(await history.act('accept')).toEqual({ outcome: 'done' });
      return inspect(...call);
    };
    expect(await history.act('reverse')).toEqual({ outcome: 'settled' });
    expect(history.erp.reversals).toEqual([]);
    expect(await history.intentStates(id)).toEqual([{ state: 'posted' }]);
  });

  it('waits while an export of the company runs, and is refused for what is not in the books', async () => {
    await history.failedButPosted(id);
    await history.exports.claimOrFail(history.tenant);
    expect(await history.act('reverse')).toEqual({ outcome: 'busy' });
    expect(history.erp.reversals).toEqual([]);
    await history.query(`UPDATE discrepancy SET class = 'deleted-in-erp'`);
    expect(await history.act('reverse')).toEqual({ outcome: 'impossible' });
  });
});

describe('a reversal that is interrupted', () => {
  const killed = new Error('the worker is killed');

  it.each<[string, () => void]>([
    [
      'before the ERP was asked',
      () => {
        const reverse = history.erp.reverse.bind(history.erp);
        history.erp.reverse = () => {
          history.erp.reverse = reverse;
          return Promise.reject(killed);
        };
      },
    ],
    [
      'after the ERP has reversed',
      () => {
        history.erp.onReversed = () => {
          history.erp.restore();
          return Promise.reject(killed);
        };
      },
    ],
  ])('%s is continued by the next run, for the same requester', async (_, kill) => {
    await history.failedButPosted(id);
    kill();
    await expect(history.act('reverse')).rejects.toBe(killed);
    expect(await history.intentStates(id)).toEqual([{ state: 'posted' }]);
    await history.reconcile();
    expect(await history.intentStates(id)).toEqual([{ state: 'reversed' }]);
    expect(history.erp.standing(id)).toBe(0);
    const filter = { state: 'repaired', class: undefined } as const;
    const { installationId } = history.tenant;
    expect(await history.service.reader.listDiscrepancies(installationId, filter, undefined, 10)).toMatchObject([
      { class: 'failed-but-posted', settledBy: 'Ada', settledAs: 'reverse', note: 'looked into' },
    ]);
    expect(await history.open()).toEqual([]);
  });

  it('because the ERP did not respond is requested again', async () => {
    await history.failedButPosted(id);
    const reverse = history.erp.reverse.bind(history.erp);
    history.erp.reverse = () => {
      history.erp.reverse = reverse;
      return Promise.resolve([{ outcome: 'unavailable', failure: { kind: 'timeout', message: 'no answer in time' } }]);
    };
    expect(await history.act('reverse')).toEqual({ outcome: 'unanswered', message: 'no answer in time' });
    await history.reconcile();
    expect(await history.intentStates(id)).toEqual([{ state: 'reversed' }]);
    expect(await history.open()).toEqual([]);
  });

  it('is not continued while a worker owns the company', async () => {
    await history.failedButPosted(id);
    history.erp.onReversed = () => {
      history.erp.restore();
      return Promise.reject(killed);
    };
    await expect(history.act('reverse')).rejects.toBe(killed);
    const lease = await history.exports.claimOrFail(history.tenant);
    await history.reconcile();
    expect(history.erp.reversals).toEqual([]);
    expect(await history.lastRun()).toMatchObject({ state: 'running', jobs: 0 });
    await history.exports.expireLease({ ...history.tenant, ...lease });
    await history.runAgain();
    expect(await history.open()).toEqual([]);
  });

  it('ends when the ERP refuses: no run tries it again', async () => {
    await history.failedButPosted(id);
    history.erp.reversalRefusal = 'The period is closed.';
    await history.act('reverse');
    history.erp.reversalRefusal = undefined;
    await history.reconcile();
    expect(history.erp.reversals).toEqual([[id]]);
    expect(await history.open()).toMatchObject([{ class: 'failed-but-posted', note: null }]);
    const { rows } = await history.exports.admin.query(
      `SELECT reversal_sent_at FROM posting_intent WHERE accounting_entry_id = $1`,
      [id],
    );
    expect(rows).toEqual([{ reversal_sent_at: null }]);
  });
});

describe('exporting again', () => {
  it('requests an export of the entry, which may be posted anew', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    expect(await history.act('re-export')).toEqual({ outcome: 'done' });
    expect(await history.intentStates(id)).toEqual([{ state: 'reversed' }]);
    const { rows } = await history.exports.admin.query(`SELECT entry_ids::text[] AS ids, requested_by FROM reexport`);
    expect(rows).toEqual([{ ids: [id], requested_by: 'Ada' }]);
    expect(await history.open()).toMatchObject([{ reexportId: expect.any(String) }]);
  });

  it('is followed up: once its job was compared the discrepancy is settled, and nothing is left', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    await history.act('re-export');
    const [job] = await history.exportAgain([id]);
    expect(await history.open()).toHaveLength(1);
    await history.compareEnded(job?.id ?? '');
    expect(await history.open()).toEqual([]);
    const filter = { state: 'repaired', class: undefined } as const;
    const { installationId } = history.tenant;
    expect(await history.service.reader.listDiscrepancies(installationId, filter, undefined, 10)).toMatchObject([
      { class: 'reversed-in-erp', settledBy: 'Ada', settledAs: 're-export', note: 'looked into' },
    ]);
    expect(history.erp.standing(id)).toBe(1);
    await history.reconcile();
    expect(await history.open()).toEqual([]);
  });

  it('is refused once the entry was posted anew: our record keeps what stands in the books (I1)', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    await history.act('re-export');
    await history.exportAgain([id]);
    // The discrepancy stays open until its job was compared: another person, or a request that is sent again.
    expect(await history.act('re-export')).toEqual({ outcome: 'there' });
    expect(await history.intentStates(id)).toEqual([{ state: 'reversed' }, { state: 'posted' }]);
    expect(history.erp.standing(id)).toBe(1);
  });

  it('that is requested twice before it begins posts the entry once', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    expect([await history.act('re-export'), await history.act('re-export')]).toEqual([
      { outcome: 'done' },
      { outcome: 'done' },
    ]);
    await history.exportAgain([id]);
    expect(await history.intentStates(id)).toEqual([{ state: 'reversed' }, { state: 'posted' }]);
    expect(history.erp.standing(id)).toBe(1);
  });

  it('that the platform refuses leaves the discrepancy open', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    await history.act('re-export');
    for (const { data } of history.exports.platform.jobs.values()) {
      data.length = 0;
    }
    expect(await history.exportAgain([])).toEqual([]);
    await history.reconcile();
    const [left, ...others] = await history.open();
    expect(others).toEqual([]);
    expect(left).toMatchObject({ class: 'reversed-in-erp', note: 'looked into' });
    const reexport = await history.exports
      .get(ReexportReader)
      .find(history.tenant.installationId, left?.reexportId ?? '');
    expect(reexport).toMatchObject({ state: 'refused', problem: expect.stringContaining('unknown') });
    // It may be asked for again.
    expect(await history.act('re-export')).toEqual({ outcome: 'done' });
  });

  it('that fails settles the discrepancy too: then all sources agree that it is not in the books', async () => {
    history.erp.reverseByHand(id);
    await history.reconcile();
    await history.act('re-export');
    const [job] = await history.exportAgain([]);
    expect(job).toMatchObject({ status: 'failed' });
    await history.compareEnded(job?.id ?? '');
    expect(await history.open()).toEqual([]);
  });
});

describe('an unexplained discrepancy', () => {
  it('is overdue after the days that an administrator has set, counted from when it was first seen', async () => {
    const { installationId } = history.tenant;
    const overdue = async () => {
      const { overdue: count, alertAfterDays } = await history.service.countOpen(installationId);
      return { count, alertAfterDays };
    };
    const none = { count: 0, alertAfterDays: 3 };
    const age = (by: string) =>
      history.query(`UPDATE discrepancy SET first_seen_at = first_seen_at - $1::interval`, by);
    await history.service.setAlertAfterDays(installationId, 3);
    history.erp.reverseByHand(id);
    await history.reconcile();
    expect(await history.open()).toHaveLength(1);
    expect(await overdue()).toEqual(none);
    await age('2 days 12 hours');
    await history.reconcile();
    expect(await overdue()).toEqual(none);
    await age('12 hours');
    expect(await overdue()).toEqual({ count: 1, alertAfterDays: 3 });
    expect(await history.service.reader.readStatus(installationId)).toMatchObject({
      openDiscrepancies: 1,
      overdueDiscrepancies: 1,
    });
    await history.act('accept');
    expect(await overdue()).toEqual(none);
  });

  it('is overdue after a week where no limit was set', async () => {
    expect(await history.service.countOpen(history.tenant.installationId)).toMatchObject({
      alertAfterDays: 7,
    });
  });
});

describe('a discrepancy that disappears', () => {
  it('is closed by the next run, and opens again when it reappears', async () => {
    const entry = history.erp.store.newest(id);
    history.erp.store.remove(id);
    await history.reconcile();
    expect(await history.open()).toMatchObject([{ class: 'deleted-in-erp' }]);
    history.erp.store.put(entry);
    await history.reconcile();
    expect(await history.discrepancies()).toMatchObject([{ class: 'deleted-in-erp', state: 'repaired' }]);
    history.erp.store.remove(id);
    await history.reconcile();
    expect(await history.discrepancies()).toMatchObject([{ class: 'deleted-in-erp', state: 'open' }]);
  });
});
