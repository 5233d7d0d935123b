import { beforeAll, describe, expect, it } from '@jest/globals';
import { startLedger, type WirePage } from './ledger-harness.js';
import { createBooks } from './reports/reports-books.js';
import { startedOnce } from '../../support/started-once.js';

const ledger = startedOnce(startLedger);
let company: string;

beforeAll(async () => {
  company = await createBooks(ledger);
});

interface Entry {
  readonly id: string;
  readonly number: string | null;
  readonly key: string;
  readonly role: string;
  readonly state: string;
}

const list = async (query: string) =>
  (await ledger.call<WirePage<Entry>>('GET', `/companies/${company}/journal-entries?${query}`)).body.data;

const find = async (key: string, role = 'entry') => {
  const entries = await list(`keyPrefix=${key}`);
  const id = entries.find((each) => each.role === role)?.id ?? '';
  return (
    await ledger.call<Entry & Readonly<Record<string, unknown>>>('GET', `/companies/${company}/journal-entries/${id}`)
  ).body;
};

const NO_TRAIL = { accountingEntryId: null, exportJobId: null, mappingVersion: null, installationId: null };
const TRAIL = {
  accountingEntryId: 'ae-5',
  exportJobId: 'job-1',
  mappingVersion: 3,
  installationId: 'inst-1',
};

describe('the trail of an entry', () => {
  it('is empty for an ordinary entry', async () => {
    expect(await find('purchase')).toMatchObject({
      number: '2026-000001',
      state: 'posted',
      functionalCurrency: 'EUR',
      trail: NO_TRAIL,
      reverses: null,
      reversedBy: null,
      group: [],
      settlements: [],
      audit: { position: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    });
  });

  it('has no chain link for a draft', async () => {
    expect(await find('draft')).toMatchObject({ state: 'draft', number: null, audit: null });
  });

  it('links the entry and its reversal', async () => {
    const original = await find('cancelled');
    const reversal = await find('cancelled', 'reversal');
    expect(original).toMatchObject({
      state: 'reversed',
      reverses: null,
      reversedBy: { id: reversal.id, number: reversal.number },
      group: [{ id: reversal.id, number: reversal.number, role: 'reversal', state: 'posted' }],
    });
    expect(reversal).toMatchObject({
      state: 'posted',
      reverses: { id: original.id, number: original.number },
      reversedBy: null,
      group: [{ id: original.id, number: original.number, role: 'entry', state: 'reversed' }],
    });
  });

  it('names the export of the entry, also for entries that the books created for it', async () => {
    expect((await find('payment-usd', 'payment'))['trail']).toEqual(TRAIL);
    expect((await find('payment-usd', 'realized-fx'))['trail']).toEqual(TRAIL);
  });

  it('shows the settlements of its items, from both sides', async () => {
    const payment = await find('payment-usd', 'payment');
    const invoice = await find('invoice-usd', 'invoice');
    const difference = await find('payment-usd', 'realized-fx');
    const common = {
      id: expect.any(String),
      settledOn: '2026-04-15',
      fxEntry: { id: difference.id, number: difference.number },
      transferEntry: null,
      undoneOn: null,
    };
    expect(invoice['settlements']).toEqual([
      {
        ...common,
        lineNo: 2,
        with: { id: payment.id, number: payment.number },
        withLineNo: 1,
        documentNumber: null,
        amountMinor: '-60000',
        baseMinor: '-54000',
      },
    ]);
    expect(payment['settlements']).toEqual([
      {
        ...common,
        lineNo: 1,
        with: { id: invoice.id, number: invoice.number },
        withLineNo: 2,
        documentNumber: 'A-17',
        amountMinor: '60000',
        baseMinor: '55800',
      },
    ]);
  });

  it('shows settlements that were undone', async () => {
    const payment = await find('payment-eur', 'payment');
    const settlements = payment['settlements'] as readonly Readonly<Record<string, unknown>>[];
    expect(settlements.map((each) => [each['documentNumber'], each['settledOn'], each['undoneOn']])).toEqual([
      ['B-1', '2026-05-02', '2026-05-20'],
      [null, '2026-05-20', null],
    ]);
  });

  it('of another company is not found', async () => {
    const other = await createBooks(ledger);
    const { id } = await find('purchase');
    expect(await ledger.call('GET', `/companies/${other}/journal-entries/${id}`)).toMatchObject({
      status: 404,
      body: { type: 'urn:problem:entry-not-found' },
    });
  });
});

describe('the list of entries', () => {
  it.each([
    ['state=draft', ['draft']],
    ['state=reversed', ['cancelled']],
    ['state=discarded', []],
    ['state=posted&to=2026-03-05', ['purchase', 'dollars', 'yen', 'invoice-eur']],
    ['state=posted&keyPrefix=cancelled', ['cancelled']],
    ['vendor=V-9', ['invoice-eur', 'payment-eur', 'return-eur']],
    ['vendor=V-7&state=posted', ['invoice-usd', 'payment-usd', 'correction', 'payment-usd']],
    ['documentNumber=A-17', ['invoice-usd', 'payment-usd']],
    ['documentNumber=A-17&vendor=V-9', []],
    ['documentNumber=A-1', []],
  ])('by %s', async (query, keys) => {
    const found = (await list(query)).map(({ key }) => key);
    expect(found.toSorted()).toEqual(keys.toSorted());
  });

  it('omits the trail', async () => {
    const [first] = await list('limit=1');
    expect(first).not.toHaveProperty('trail');
    expect(first).not.toHaveProperty('settlements');
  });

  it.each(['state=open', 'vendor=', 'documentNumber='])('refuses ?%s', async (query) => {
    expect((await ledger.read(`/companies/${company}/journal-entries?${query}`)).status).toBe(400);
  });
});
