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

const PARTS_OF_A_DAY = [
  { name: 'first', period: { from: new Date('2026-03-02T10:00:00Z'), until: PERIOD.until } },
  { name: 'last', period: { from: PERIOD.from, until: new Date('2026-03-02T00:00:00Z') } },
];

/** Puts an entry of that day under another key. @param name of an accounting entry that is unknown, or the original's */
function putCopy(key: string, name: string | undefined): void {
  const { store } = history.erp;
  const { entries, ...original } = store.newest(id);
  const dated = entries.map((entry) => ({ ...entry, postingDate: '2026-03-02' as never }));
  store.put({ ...original, entries: dated, key, ...(name !== undefined && { accountingEntryId: name }) });
}

describe.each([
  { kind: 'orphan-entry', name: randomUUID() },
  { kind: 'duplicate-in-erp', name: undefined },
])('what stands without a record, found as $kind', ({ kind, name }) => {
  it.each(PARTS_OF_A_DAY)(
    'on a day that the period has only a part of is closed once it is gone: on the $name day',
    async ({ period }) => {
      putCopy('other', name);
      await compare(period);
      expect(await history.discrepancies()).toEqual([{ class: kind, subject: 'other', state: 'open' }]);
      history.erp.store.remove('other');
      await compare(period);
      expect(await history.discrepancies()).toMatchObject([{ class: kind, state: 'repaired' }]);
    },
  );

  it('in a company that is not searched stays open', async () => {
    putCopy('other', name);
    await compare(PERIOD);
    await history.query(`UPDATE discrepancy SET erp_company_id = 'linked before'`);
    history.erp.store.remove('other');
    await compare(PERIOD);
    expect(await history.discrepancies()).toMatchObject([{ class: kind, state: 'open' }]);
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
