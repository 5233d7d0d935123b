import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { History, PERIOD } from './history.js';

// What a run does not find again is closed only where the run has looked, and could see.

const NEVER = new AbortController().signal;
let history: History;
let id: string;

beforeEach(async () => {
  history = await History.start();
  const { ids } = await history.addJob(2);
  id = ids[0] ?? '';
});
afterEach(async () => {
  await history.exports.close();
});

async function compare(period: typeof PERIOD): Promise<void> {
  const { installationId } = history.tenant;
  await history.service.request(installationId, { period });
  await history.service.processDue(installationId, NEVER);
}

describe('an orphan of a day that the period has only a part of', () => {
  it.each([
    { name: 'first', period: { from: new Date('2026-03-02T10:00:00Z'), until: PERIOD.until } },
    { name: 'last', period: { from: PERIOD.from, until: new Date('2026-03-02T00:00:00Z') } },
  ])('is closed once it is gone: on the $name day', async ({ period }) => {
    const { store } = history.erp;
    const { entries, ...orphan } = store.newest(id);
    const dated = entries.map((entry) => ({ ...entry, postingDate: '2026-03-02' as never }));
    store.put({ ...orphan, entries: dated, key: 'orphan', accountingEntryId: randomUUID() });
    await compare(period);
    expect(await history.discrepancies()).toEqual([{ class: 'orphan-entry', subject: 'orphan', state: 'open' }]);
    store.remove('orphan');
    await compare(period);
    expect(await history.discrepancies()).toMatchObject([{ class: 'orphan-entry', state: 'repaired' }]);
  });
});

describe('a discrepancy that the ERP cannot show for now', () => {
  const sent = (ago: string) =>
    history.query(`UPDATE posting_intent SET sent_at = now() - $1::interval WHERE accounting_entry_id = $2`, ago, id);

  it('stays open with its age, until the search shows again what is there', async () => {
    history.erp.guarantee = { level: 'searchable-reference', searchLagMs: 60_000 };
    history.erp.now = () => Date.now() + 3_600_000;
    const putBack = history.erp.forget(id);
    await sent('1 hour');
    await history.reconcile();
    expect(await history.discrepancies()).toMatchObject([{ class: 'deleted-in-erp', state: 'open' }]);
    await sent('1 second');
    await history.reconcile();
    expect(await history.discrepancies()).toMatchObject([{ class: 'deleted-in-erp', state: 'open' }]);
    putBack();
    await history.reconcile();
    expect(await history.discrepancies()).toMatchObject([{ class: 'deleted-in-erp', state: 'repaired' }]);
  });
});
