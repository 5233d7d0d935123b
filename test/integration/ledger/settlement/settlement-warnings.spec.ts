import { beforeEach, describe, expect, it } from '@jest/globals';
import { line, startLedger } from '../ledger-harness.js';
import {
  codesOf,
  creditNote,
  dollars,
  invoice,
  journal,
  messagesOf,
  Payables,
  payment,
  returned,
} from '../payables.js';
import { startedOnce } from '../../../support/started-once.js';

// What a bookkeeper is warned of: entries that do not settle as they were meant to, or look wrong beside older ones.

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

const A17 = invoice('#12', 'A-17', 62_500, { against: '4010' });
const PAID = payment('#13', ['A-17'], 62_500);

describe('the account for realized FX', () => {
  const bought = invoice('i', 'U-1', 100_000, dollars(90_000));
  const open = { 'i invoice': ['-100000', '-90000'], 'p payment': ['100000', '93000'] };

  it('keeps both items open with a warning when it is not given', async () => {
    const outcomes = await books.createdOneByOne(
      bought,
      payment('p', ['U-1'], 100_000, dollars(93_000, { realizedFxAccountCode: null })),
    );
    expect(codesOf(outcomes)).toEqual([[], ['fx-account-missing']]);
    expect(messagesOf(outcomes)).toEqual([
      'Not settled with each other on vendor V-8: payment and invoice U-1. Their exchange rates differ, and no account for realized differences is given.',
    ]);
    expect(await books.open()).toEqual(open);
  });

  it('is not needed when both items have one rate', async () => {
    await books.createdOneByOne(
      bought,
      payment('p', ['U-1'], 100_000, dollars(90_000, { realizedFxAccountCode: null })),
    );
    expect(await books.open()).toEqual({});
    expect(await books.linesOf('realized-fx')).toEqual([]);
  });

  it.each([
    ['is archived', '7960', 'account_inactive'],
    ['does not exist', '7961', 'account_unknown'],
  ])('causes a refusal of the payment when it %s', async (_, realizedFxAccountCode, code) => {
    await books.createdOneByOne(bought);
    await books.archive('7960');
    expect(await books.post(payment('p', ['U-1'], 100_000, dollars(93_000, { realizedFxAccountCode })))).toMatchObject([
      { outcome: 'refused', code, field: '/entries/0/settlement/realizedFxAccountCode' },
    ]);
  });

  it('keeps both items open with a warning when it is archived while the payment waits', async () => {
    await books.createdOneByOne(payment('p', ['U-1'], 100_000, dollars(93_000)));
    await books.archive('7960');
    const outcomes = await books.createdOneByOne(bought);
    expect(messagesOf(outcomes)).toEqual([
      'Not settled with each other on vendor V-8: invoice U-1 and payment. Their exchange rates differ, and account 7960 is not active.',
    ]);
    expect(await books.open()).toEqual(open);
  });

  it('prevents a returned payment from undoing the settlement, not from being posted, when it is archived', async () => {
    await books.createdOneByOne(bought, payment('p', ['U-1'], 100_000, dollars(93_000)));
    await books.archive('7960');
    const back = returned('r', ['U-1'], 100_000, dollars(93_000, { realizedFxAccountCode: null }));
    const outcomes = await books.createdOneByOne(back);
    expect(codesOf(outcomes)).toEqual([['account-inactive']]);
    expect(await books.open()).toEqual({ 'r receipt': ['-100000', '-93000'] });
  });

  it('has no effect when the account of the payable is archived', async () => {
    await books.createdOneByOne(invoice('i', 'U-1', 100_000, dollars(90_000, { payable: '2441' })));
    await books.archive('2441');
    const outcomes = await books.createdOneByOne(payment('p', ['U-1'], 100_000, dollars(93_000)));
    expect(codesOf(outcomes)).toEqual([['transfer-refused']]);
    expect(await books.open()).toEqual(open);
  });
});

describe('the day of a settlement', () => {
  it('moves out of a period that was closed in between, with its exchange difference', async () => {
    await books.createdOneByOne(payment('p', ['U-1'], 100, dollars(93, { postingDate: '2026-03-20' })));
    await books.closePeriod('2026-03-01');
    await books.createdOneByOne(invoice('i', 'U-1', 100, dollars(90, { postingDate: '2026-02-10' })));
    expect(await books.settlements()).toEqual([['p', 'i', '100', '93', '90', '2026-04-01', 'made']]);
    expect(await books.linesOf('realized-fx')).toMatchObject([
      ['p', '2026-04-01', '7960', null, '0', '3'],
      ['p', '2026-04-01', '2440', 'V-8', '0', '-3'],
    ]);
  });
});

describe('warnings', () => {
  it('name a possible duplicate: the same vendor and number under another key', async () => {
    const outcomes = await books.createdOneByOne(
      A17,
      invoice('again', ' A-17 ', 62_500),
      invoice('draft', 'A-17', 1, { state: 'draft' }),
      invoice('other vendor', 'A-17', 62_500, { vendorNumber: 'V-8' }),
      creditNote('other kind', 'A-17', 62_500),
    );
    expect(codesOf(outcomes)).toEqual([[], ['possible-duplicate'], ['possible-duplicate'], [], []]);
    expect(messagesOf(outcomes)[0]).toBe(
      'Possible duplicate: invoice A-17 of vendor V-7 is already in the books as 2026-000001.',
    );
  });

  it('name the second of two in one request', async () => {
    expect(codesOf(await books.created(A17, invoice('again', 'A-17', 1)))).toEqual([[], ['possible-duplicate']]);
  });

  it('do not name documents of the same key', async () => {
    books = await Payables.open(ledger, { idempotency: 'none' });
    expect(codesOf(await books.createdOneByOne(A17, A17))).toEqual([[], []]);
  });

  it('do not name documents that were reversed or discarded', async () => {
    await books.createdOneByOne(A17, invoice('draft', 'A-17', 1, { state: 'draft' }));
    await books.call('POST', '/posting-groups:reverse', { keys: ['#12', 'draft'] });
    expect(codesOf(await books.createdOneByOne(invoice('new', 'A-17', 1)))).toEqual([[]]);
  });

  const byJournal = journal('j', [line('4010', 62_500), line('2440', -62_500)], { documentNumber: 'A-17' });

  it('name an invoice without vendor that a payment with vendor matches', async () => {
    const outcomes = await books.createdOneByOne(byJournal, PAID);
    expect(codesOf(outcomes)).toEqual([[], ['booked-without-vendor', 'left-open']]);
    expect(messagesOf(outcomes)[0]).toBe(
      'Document A-17 was booked without a vendor (2026-000001), so this payment of vendor V-7 does not settle it. Match the two by hand.',
    );
    expect(await books.open()).toEqual({ '#13 payment': ['62500', '62500'] });
  });

  it('do not name it when the payment matches the vendor’s own', async () => {
    expect(codesOf(await books.createdOneByOne(byJournal, A17, PAID))).toEqual([[], [], []]);
  });

  it('name a vendor’s invoice that a payment without vendor matches', async () => {
    const paidByJournal = journal('j', [line('2440', 62_500), line('1935', -62_500)], {
      documentNumber: 'A-17',
    });
    const outcomes = await books.createdOneByOne(A17, paidByJournal);
    expect(codesOf(outcomes)).toEqual([[], ['booked-without-vendor']]);
    expect(messagesOf(outcomes)).toEqual([
      'Document A-17 of vendor V-7 (2026-000001) stays open: this entry names no vendor and does not settle it.',
    ]);
    expect(await books.open()).toEqual({ '#12 invoice': ['-62500', '-62500'] });
  });

  it('do not name it when it is paid already', async () => {
    const lines = [line('2440', 62_500), line('1935', -62_500)];
    const outcomes = await books.createdOneByOne(A17, PAID, journal('j', lines, { documentNumber: 'A-17' }));
    expect(codesOf(outcomes)).toEqual([[], [], []]);
  });

  it('are repeated unchanged by the key and in a look-up', async () => {
    const [first] = await books.createdOneByOne(PAID);
    const warnings = [
      {
        code: 'left-open',
        message: '625.00 EUR of the payment stay open on vendor V-7: no open document A-17 in EUR.',
      },
    ];
    expect(first?.warnings).toEqual(warnings);
    expect(await books.post(PAID)).toEqual([{ ...first, outcome: 'existed' }]);
    const { body } = await books.call('POST', '/posting-groups:lookup', { keys: ['#13'] });
    expect(body).toMatchObject({ data: [{ warnings }] });
  });
});
