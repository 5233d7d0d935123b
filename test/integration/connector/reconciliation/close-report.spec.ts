import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { CurrencyCode } from '../../../../src/kernel/currency.js';
import { History, purchaseEntry } from './history.js';

// What a month says of its discrepancies: an entry of 100.00 EUR is as much in the total as in what is left unexplained.

let history: History;

beforeEach(async () => {
  history = await History.start();
});
afterEach(async () => {
  await history.exports.close();
});

async function figures(): Promise<unknown> {
  await history.reconcile();
  const report = await history.service.closeReport(history.tenant.installationId, '2026-03');
  const { explained, withoutAmount, discrepancies } = report ?? {};
  return {
    open: discrepancies?.map((each) => each.class),
    withoutAmount,
    explained: explained?.map((each) => [each.currency, each.totalMinor, each.explainedMinor, each.fraction]),
  };
}

/** Nothing of it was ever posted. */
async function unposted(id: string): Promise<void> {
  history.erp.forget(id);
  await history.query(`DELETE FROM posting_intent WHERE accounting_entry_id = $1`, id);
}

const AMOUNT = JSON.stringify({ currency: 'EUR', value: '-2500' });

type Row = readonly [
  kind: string,
  spoil: (id: string) => Promise<void> | void,
  total: bigint,
  explained: bigint,
  fraction: string,
];

const ONE_OF_FOUR: readonly Row[] = [
  [
    'deleted-in-erp',
    (id) => {
      history.erp.forget(id);
    },
    40_000n,
    30_000n,
    '0.750000000',
  ],
  [
    'reversed-in-erp',
    (id) => {
      history.erp.reverseByHand(id);
    },
    40_000n,
    30_000n,
    '0.750000000',
  ],
  [
    'reversed-in-erp',
    async (id) => {
      history.erp.reverseByHand(id);
      await history.query(`UPDATE posting_intent SET state = 'reversed' WHERE accounting_entry_id = $1`, id);
    },
    40_000n,
    30_000n,
    '0.750000000',
  ],
  [
    'stands-though-reversed',
    (id) => history.query(`UPDATE posting_intent SET state = 'reversed' WHERE accounting_entry_id = $1`, id),
    40_000n,
    30_000n,
    '0.750000000',
  ],
  [
    // Planned as 100.00, it stands as 300.00.
    'amount-drift',
    (id) => {
      history.erp.store.change(id, (entry) => ({
        ...entry,
        lines: entry.lines.map((line) => ({ ...line, amountMinor: line.amountMinor * 3n })),
      }));
    },
    60_000n,
    30_000n,
    '0.500000000',
  ],
  [
    'currency-drift',
    (id) => {
      history.erp.store.change(id, (entry) => ({ ...entry, currency: 'SEK' as CurrencyCode }));
    },
    40_000n,
    30_000n,
    '0.750000000',
  ],
  [
    'duplicate-in-erp',
    (id) => {
      history.erp.store.put({ ...history.erp.store.newest(id), revision: 2 });
    },
    50_000n,
    30_000n,
    '0.600000000',
  ],
  [
    // As the platform gave it: 25.00.
    'reported-not-posted',
    async (id) => {
      await unposted(id);
      await history.query(`UPDATE export_item SET amount = '${AMOUNT}' WHERE accounting_entry_id = $1`, id);
    },
    32_500n,
    30_000n,
    '0.923076923',
  ],
];

describe('of four entries of 100.00 EUR', () => {
  it.each(ONE_OF_FOUR)('one is %s', async (kind, spoil, total, explained, fraction) => {
    const { ids } = await history.addJob(4);
    await spoil(ids[1] ?? '');
    expect(await figures()).toEqual({
      open: [kind],
      withoutAmount: 0,
      explained: [['EUR', total, explained, fraction]],
    });
  });

  it('none differs', async () => {
    await history.addJob(4);
    expect(await figures()).toEqual({
      open: [],
      withoutAmount: 0,
      explained: [['EUR', 40_000n, 40_000n, '1.000000000']],
    });
  });

  it('one has no amount that anybody knows: then nothing is explained to the last', async () => {
    const { ids } = await history.addJob(4);
    await unposted(ids[1] ?? '');
    expect(await figures()).toEqual({
      open: ['reported-not-posted'],
      withoutAmount: 1,
      explained: [['EUR', 30_000n, 30_000n, '0.999999999']],
    });
  });

  it('one has an accepted discrepancy, which is in the total and explained', async () => {
    const { ids } = await history.addJob(4);
    history.erp.forget(ids[1] ?? '');
    await figures();
    await history.query(
      `UPDATE discrepancy SET state = 'accepted', settled_at = now(), settled_by = 'Ada', note = 'x'`,
    );
    expect(await figures()).toMatchObject({
      explained: [['EUR', 40_000n, 40_000n, '1.000000000']],
    });
  });
});

it('an invoice and its payment are left unexplained together', async () => {
  const { ids } = await history.addJob(2, [purchaseEntry({ role: 'invoice' }), purchaseEntry({ role: 'payment' })]);
  history.erp.forget(ids[0] ?? '');
  expect(await figures()).toEqual({
    open: ['deleted-in-erp'],
    withoutAmount: 0,
    explained: [['EUR', 40_000n, 20_000n, '0.500000000']],
  });
});

it('an entry under a key that is not ours stands beside the ones of our record', async () => {
  const { ids } = await history.addJob(1);
  const [id = ''] = ids;
  history.erp.store.put({ ...history.erp.store.newest(id), key: `copy of ${id}` });
  expect(await figures()).toEqual({
    open: ['duplicate-in-erp'],
    withoutAmount: 0,
    explained: [['EUR', 20_000n, 10_000n, '0.500000000']],
  });
});
