import { beforeEach, describe, expect, it } from '@jest/globals';
import { startLedger } from '../ledger-harness.js';
import { codesOf, dollars, invoice, messagesOf, Payables, payment, returned, type Outcomes } from '../payables.js';
import { startedOnce } from '../../../support/started-once.js';

// Open items are shown on whichever side they are left, and on both accounts they agree with the books (B9.2 to B9.4; the
// numbers are those of the examples in B8.2).

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

const APRIL = { postingDate: '2026-04-02' };
const PAID = payment('#13', ['A-17'], 62_500, { documentNumber: 'A-17' });
const A17 = invoice('#12', 'A-17', 62_500, { against: '4010' });
const changed = (more: object) => invoice('#12', 'A-17', 60_000, { digest: 'changed', revision: 2, ...more });

async function reverse(key: string): Promise<void> {
  const { body } = await books.call<Outcomes>('POST', '/posting-groups:reverse', { keys: [key] });
  expect(body.outcomes).toMatchObject([{ key, outcome: 'reversed' }]);
}

async function warningsOf(key: string): Promise<readonly unknown[]> {
  const { body } = await books.call<{ readonly data: Outcomes['outcomes'] }>('POST', '/posting-groups:lookup', {
    keys: [key],
  });
  return messagesOf(body.data);
}

describe('an open remainder is reported on the group that caused it', () => {
  it('29: for a smaller invoice after its payment', async () => {
    const [, outcome] = await books.createdOneByOne(PAID, invoice('late', 'A-17', 60_000));
    expect(messagesOf(outcome === undefined ? [] : [outcome])).toEqual([
      '25.00 EUR of payment A-17 of vendor V-7 are open.',
    ]);
    expect(await books.open()).toEqual({ '#13 payment': ['2500', '2500'] });
  });

  it('30: for a paid invoice that becomes smaller', async () => {
    await books.createdOneByOne(A17, PAID);
    await reverse('#12');
    expect(await warningsOf('#12')).toEqual(['625.00 EUR of payment A-17 of vendor V-7 are open.']);
    const outcomes = await books.created(changed({}));
    expect(messagesOf(outcomes)).toEqual(['25.00 EUR of payment A-17 of vendor V-7 are open.']);
    expect(await books.open()).toEqual({ '#13 payment': ['2500', '2500'] });
  });

  it('for a paid invoice that is assigned to another vendor', async () => {
    await books.createdOneByOne(A17, PAID);
    await reverse('#12');
    const outcomes = await books.created(changed({ vendorNumber: 'V-8' }));
    expect(messagesOf(outcomes)).toEqual(['625.00 EUR of payment A-17 of vendor V-7 are open.']);
  });

  it('not for a paid invoice that is booked again unchanged', async () => {
    await books.createdOneByOne(A17, PAID);
    await reverse('#12');
    const outcomes = await books.created(invoice('#12', 'A-17', 62_500, { revision: 2, digest: 'again' }));
    expect(codesOf(outcomes)).toEqual([[]]);
    expect(await books.open()).toEqual({});
  });

  it('for an invoice whose payment is reversed', async () => {
    await books.createdOneByOne(A17, PAID);
    await reverse('#13');
    expect(await warningsOf('#13')).toEqual(['625.00 EUR of invoice A-17 of vendor V-7 are open.']);
    expect(await warningsOf('#12')).toEqual([]);
  });

  it('for an invoice whose payment is returned', async () => {
    const outcomes = await books.createdOneByOne(A17, PAID, returned('#20', ['A-17'], 62_500, APRIL));
    expect(messagesOf(outcomes)).toEqual(['625.00 EUR of invoice A-17 of vendor V-7 are open.']);
  });
});

describe('two payable accounts', () => {
  const OWED = invoice('owed', 'U-1', 100_000, { vendorNumber: 'V-8' });
  const PAYMENT = payment('paid', ['U-1'], 100_000, { vendorNumber: 'V-8', payable: '2441' });

  it('31: the amount is transferred to the invoice’s account, and both balances are 0', async () => {
    const outcomes = await books.createdOneByOne(OWED, PAYMENT);
    expect(codesOf(outcomes)).toEqual([[], []]);
    expect(await books.linesOf('transfer')).toEqual([
      ['paid', '2026-03-20', '2440', 'V-8', '100000', '100000'],
      ['paid', '2026-03-20', '2441', 'V-8', '-100000', '-100000'],
    ]);
    expect(await books.open()).toEqual({});
    expect(await books.balances()).toEqual({ '1935': '-100000', '5410': '100000' });
  });

  it('the base amount of the invoice is transferred, the rest is realized', async () => {
    await books.createdOneByOne(
      invoice('owed', 'U-1', 100_000, dollars(90_000)),
      payment('paid', ['U-1'], 100_000, dollars(93_000, { payable: '2441' })),
    );
    expect(await books.linesOf('transfer')).toEqual([
      ['paid', '2026-03-20', '2440', 'V-8', '100000', '90000'],
      ['paid', '2026-03-20', '2441', 'V-8', '-100000', '-90000'],
    ]);
    expect(await books.linesOf('realized-fx')).toEqual([
      ['paid', '2026-03-20', '7960', null, '0', '3000'],
      ['paid', '2026-03-20', '2441', 'V-8', '0', '-3000'],
    ]);
    expect(await books.balances()).toEqual({ '1935': '-93000', '5410': '90000', '7960': '3000' });
  });

  it('undoing the settlement undoes the transfer', async () => {
    await books.createdOneByOne(OWED, PAYMENT);
    await reverse('paid');
    expect(await books.open()).toEqual({ 'owed invoice': ['-100000', '-100000'] });
    expect(await books.balances()).toEqual({ '2440': '-100000', '5410': '100000' });
    expect(await books.linesOf('reversal')).toHaveLength(4);
  });

  it('when one of them accepts no postings, both stay open with a warning', async () => {
    await books.created(OWED);
    await books.archive('2440');
    const outcomes = await books.created(PAYMENT);
    expect(messagesOf(outcomes)).toEqual([
      'Not settled with each other on vendor V-8: payment and invoice U-1. They are on the accounts 2441 and 2440, and account 2440 is not active.',
    ]);
    expect(await books.open()).toEqual({
      'owed invoice': ['-100000', '-100000'],
      'paid payment': ['100000', '100000'],
    });
  });

  it('the schema refuses a settlement of two accounts without a transfer', async () => {
    await books.createdOneByOne(OWED, payment('other', [], 100_000, { vendorNumber: 'V-8', payable: '2441' }));
    const inserted = books.rows(`
      INSERT INTO settlement (id, company_id, debit_entry_id, debit_line_no, credit_entry_id, credit_line_no, amount_minor,
        debit_base_minor, credit_base_minor, settled_on)
      SELECT gen_random_uuid(), $1, debit.entry_id, debit.line_no, credit.entry_id, credit.line_no, 1, 1, 1, '2026-03-20'
      FROM open_item debit, open_item credit
      WHERE debit.company_id = $1 AND credit.company_id = $1 AND debit.amount_minor > 0 AND credit.amount_minor < 0`);
    await expect(inserted).rejects.toThrow('the items do not fit each other');
  });
});

describe('credit notes', () => {
  const F1 = invoice('owed', 'F-1', 10_000);

  it('32: settle the open invoice of their number, as far as both amounts reach', async () => {
    const note = {
      ...(payment('note', ['F-1'], 15_000, { documentNumber: 'F-1' }) as { readonly entries: readonly object[] }),
    };
    const entries = note.entries.map((entry) => ({ ...entry, role: 'credit-note' }));
    const outcomes = await books.createdOneByOne(F1, { ...note, entries });
    expect(messagesOf(outcomes)).toEqual([
      '50.00 EUR of the credit note stay open on vendor V-7: no further open document F-1 in EUR.',
    ]);
    expect(await books.open()).toEqual({ 'note credit-note': ['5000', '5000'] });
  });
});
