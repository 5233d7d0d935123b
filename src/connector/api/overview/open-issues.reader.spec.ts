import { describe, expect, it } from '@jest/globals';
import type { SqlStatement } from '../../../foundation/database/sql.js';
import type { Tx } from '../../../foundation/database/transaction.js';
import type { Clock } from '../../../kernel/clock.js';
import { toInstallationId } from '../../../kernel/ids.js';
import { OpenIssuesReader } from './open-issues.reader.js';

const mine = toInstallationId('0198c5a0-0000-7000-8000-000000000001');
const another = toInstallationId('0198c5a0-0000-7000-8000-000000000002');

/** A database in which nothing changes but what a test says. */
function openIssues() {
  const state = { horizon: '700', day: '2026-11-26', changed: false, monotonicMs: 1_000, counted: 0 };
  const asked: unknown[][] = [];
  const tx = {
    one: (statement: SqlStatement) => {
      if (statement.text.includes('AS horizon')) {
        asked.push([...statement.values]);
        const { horizon, day, changed } = state;
        // As the statement answers without a horizon to compare with.
        return Promise.resolve({ horizon, day, changed: changed || statement.values[0] === null });
      }
      state.counted += 1;
      return Promise.resolve({ count: state.counted, entries: 0, oldest: null, amounts: [], largest: [] });
    },
  } as unknown as Tx;
  const reader = new OpenIssuesReader({ monotonicMs: () => state.monotonicMs } as Clock);
  const count = async (installation = mine) => (await reader.read(tx, installation)).count;
  return { state, asked, count };
}

describe('open issues', () => {
  it('are counted once while nothing changes, per company', async () => {
    const { count } = openIssues();
    expect([await count(), await count(), await count(another), await count(another), await count()]).toEqual([
      1, 1, 2, 2, 1,
    ]);
  });

  it('are checked against changes made since before the count', async () => {
    const { state, asked, count } = openIssues();
    await count();
    state.horizon = '800';
    await count();
    expect(asked.map(([horizon]) => horizon)).toEqual([null, '700']);
  });

  it.each([
    { when: 'something has changed', then: { changed: true } },
    { when: 'a day begins, with which a snooze may end', then: { day: '2026-11-27' } },
    { when: 'events of changes may be deleted', then: { monotonicMs: 3_601_000 } },
  ])('are counted again when $when', async ({ then }) => {
    const { state, count } = openIssues();
    await count();
    Object.assign(state, then);
    expect(await count()).toBe(2);
  });
});
