import { beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { line, startLedger } from './ledger-harness.js';
import { invoice, journal, Payables, payment } from './payables.js';
import { startedOnce } from '../../support/started-once.js';

// What the database itself refuses of reversals and settlements to the role the ledger works as, whatever a program
// above it does.

const ledger = startedOnce(startLedger);
let books: Payables;

beforeEach(async () => {
  books = await Payables.open(ledger);
});

async function rejection(work: Promise<unknown>): Promise<{ code: unknown; constraint: unknown }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return { code: error.code, constraint: error.constraint };
    throw error;
  }
  throw new Error('the database accepted it');
}

const CHECK_VIOLATION = '23514';
const TWICE = '23505';

const LUNCH = journal('lunch', [line('6071', 100), line('1935', -100, { employee: 'E-3' })]);

interface Entry {
  readonly id: string;
  readonly groupId: string;
}

/** The entry of a role under a key. */
const entryOf = async (key: string, role: string): Promise<Entry> => {
  const [row] = await books.rows<[string, string]>(`
    SELECT entry.id, posting_group_id FROM journal_entry entry JOIN posting_group ON posting_group.id = posting_group_id
    WHERE entry.company_id = $1 AND key = '${key}' AND role = '${role}'`);
  return { id: row?.[0] ?? '', groupId: row?.[1] ?? '' };
};

type Line = readonly [account: string, amount: number, employee: string | null];

const MIRROR: readonly Line[] = [
  ['6071', -100, null],
  ['1935', 100, 'E-3'],
];

/** Statements that write a reversal as the application would, without any check of its own. */
function reversalOf(
  { id, groupId }: Entry,
  lines: readonly Line[],
  { number = 2, currency = 'EUR', role = 'reversal' } = {},
): readonly string[] {
  const reversal = randomUUID();
  const base = currency === 'EUR' ? 1 : 2;
  const rows = lines.map(
    ([account, amount, employee], index) =>
      `('${books.companyId}', '${reversal}', ${(index + 1).toString()}, '${account}', ${amount.toString()},
        ${(base * amount).toString()}, ${employee === null ? 'NULL' : `'${employee}'`}, '{}')`,
  );
  return [
    `INSERT INTO journal_entry (id, company_id, posting_group_id, role, state, number, posted_at, fiscal_year,
       posting_date, currency, description, metadata, line_count, reverses_id)
     VALUES ('${reversal}', '${books.companyId}', '${groupId}', '${role}', 'posted', ${number.toString()}, now(), 2026,
       '2026-03-02', '${currency}', '', '{}', ${lines.length.toString()}, '${id}')`,
    `INSERT INTO journal_line (company_id, entry_id, line_no, account_code, amount_minor, base_minor, employee, dimensions)
     VALUES ${rows.join(', ')}`,
  ];
}

describe('a reversal', () => {
  it('is accepted when it mirrors its entry, and only once', async () => {
    await books.created(LUNCH);
    const entry = await entryOf('lunch', 'entry');
    await ledger.asApp(...reversalOf(entry, MIRROR));
    expect(await rejection(ledger.asApp(...reversalOf(entry, MIRROR, { number: 3 })))).toEqual({
      code: TWICE,
      constraint: 'journal_entry_reverses_id_uq',
    });
  });

  const WRONG: readonly (readonly [name: string, lines: readonly Line[], options?: { currency: string }])[] = [
    [
      'another amount',
      [
        ['6071', -99, null],
        ['1935', 99, 'E-3'],
      ],
    ],
    [
      'the same sides',
      [
        ['6071', 100, null],
        ['1935', -100, 'E-3'],
      ],
    ],
    [
      'another account',
      [
        ['5410', -100, null],
        ['1935', 100, 'E-3'],
      ],
    ],
    [
      'another employee',
      [
        ['6071', -100, null],
        ['1935', 100, 'E-4'],
      ],
    ],
    [
      'lines in another order',
      [
        ['1935', 100, 'E-3'],
        ['6071', -100, null],
      ],
    ],
    ['a line more', [...MIRROR, ['5410', 5, null], ['5410', -5, null]]],
    ['another currency', MIRROR, { currency: 'USD' }],
  ];
  it.each(WRONG)('with %s is refused', async (_, lines, options = { currency: 'EUR' }) => {
    await books.created(LUNCH);
    const statements = reversalOf(await entryOf('lunch', 'entry'), lines, options);
    expect(await rejection(ledger.asApp(...statements))).toEqual({
      code: CHECK_VIOLATION,
      constraint: 'journal_entry_mirror_ck',
    });
  });

  it('of a draft is refused', async () => {
    await books.created({ ...LUNCH, entries: [{ ...firstOf(LUNCH), state: 'draft' }] });
    const statements = reversalOf(await entryOf('lunch', 'entry'), MIRROR);
    expect(await rejection(ledger.asApp(...statements))).toMatchObject({
      constraint: 'journal_entry_mirror_ck',
    });
  });

  it('of a reversal is refused', async () => {
    await books.created(LUNCH);
    await ledger.asApp(...reversalOf(await entryOf('lunch', 'entry'), MIRROR));
    const back = MIRROR.map(([account, amount, employee]): Line => [account, -amount, employee]);
    const statements = reversalOf(await entryOf('lunch', 'reversal'), back, { number: 3 });
    expect(await rejection(ledger.asApp(...statements))).toMatchObject({
      constraint: 'journal_entry_mirror_ck',
    });
  });

  it.each(['entry', 'realized-fx'])('depends on the role: %s reverses nothing', async (role) => {
    await books.created(LUNCH);
    const statements = reversalOf(await entryOf('lunch', 'entry'), MIRROR, { role });
    expect(await rejection(ledger.asApp(...statements))).toMatchObject({
      constraint: 'journal_entry_reverses_id_ck',
    });
  });

  it('is required by the next revision of a key', async () => {
    await books.created(LUNCH);
    const second = `INSERT INTO posting_group (id, company_id, key, revision, content_digest)
      VALUES ('${randomUUID()}', '${books.companyId}', 'lunch', 2, 'digest')`;
    expect(await rejection(ledger.asApp(second))).toEqual({
      code: TWICE,
      constraint: 'posting_group_key_forever_uq',
    });
    await ledger.asApp(...reversalOf(await entryOf('lunch', 'entry'), MIRROR), second);
  });
});

function firstOf(group: object): object {
  return (group as { readonly entries?: readonly object[] }).entries?.[0] ?? {};
}

describe('a settlement', () => {
  let paid: Entry;
  let owed: Entry;

  beforeEach(async () => {
    await books.created(invoice('i', 'A-17', 100), payment('p', ['A-18'], 70));
    [paid, owed] = [await entryOf('p', 'payment'), await entryOf('i', 'invoice')];
  });

  const statement = (
    debit: string,
    credit: string,
    { amount = 70, debitBase = 70, creditBase = 70, undoes = 'NULL', id = '' } = {},
  ): string =>
    `INSERT INTO settlement (id, company_id, debit_entry_id, debit_line_no, credit_entry_id, credit_line_no, amount_minor,
       debit_base_minor, credit_base_minor, settled_on, undoes_id)
     VALUES ('${id || randomUUID()}', '${books.companyId}', '${debit}', 1, '${credit}', 1, ${amount.toString()},
       ${debitBase.toString()}, ${creditBase.toString()}, '2026-03-20', ${undoes})`;

  it('is accepted within the open amounts, and updates them', async () => {
    await ledger.asApp(statement(paid.id, owed.id));
    expect(await books.open()).toEqual({ 'i invoice': ['-30', '-30'] });
  });

  it('is undone once, by its mirror', async () => {
    const id = randomUUID();
    await ledger.asApp(statement(paid.id, owed.id, { id }));
    const undoing = (amount: number) =>
      statement(paid.id, owed.id, { amount, debitBase: amount, creditBase: amount, undoes: `'${id}'` });
    expect(await rejection(ledger.asApp(undoing(-69)))).toMatchObject({ constraint: 'settlement_items_ck' });
    await ledger.asApp(undoing(-70));
    expect(await books.open()).toEqual({ 'i invoice': ['-100', '-100'], 'p payment': ['70', '70'] });
    expect(await rejection(ledger.asApp(undoing(-70)))).toMatchObject({ code: TWICE });
  });

  it.each([
    ['takes no more than is open', { amount: 71 }, 'open_item_open_ck'],
    ['takes no more than is open in base', { amount: 60, debitBase: 71, creditBase: 71 }, 'open_item_open_base_ck'],
    ['leaves nothing in base on a closed item', { debitBase: 69, creditBase: 69 }, 'open_item_closed_ck'],
  ])('%s', async (_, options, constraint) => {
    expect(await rejection(ledger.asApp(statement(paid.id, owed.id, options)))).toEqual({
      code: CHECK_VIOLATION,
      constraint,
    });
  });

  it('has a positive amount', async () => {
    expect(await rejection(ledger.asApp(statement(paid.id, owed.id, { amount: 0 })))).toMatchObject({
      constraint: 'settlement_amount_ck',
    });
  });

  it('requires an entry for a difference in base', async () => {
    expect(await rejection(ledger.asApp(statement(paid.id, owed.id, { creditBase: 69 })))).toMatchObject({
      constraint: 'settlement_fx_entry_id_ck',
    });
  });

  it('has a debit and a credit', async () => {
    expect(await rejection(ledger.asApp(statement(owed.id, paid.id)))).toMatchObject({
      constraint: 'settlement_items_ck',
    });
  });

  it.each([
    ['vendor', { vendorNumber: 'V-9' }],
    ['currency', { currency: 'USD' }],
  ])('is of one %s', async (_, options) => {
    await books.created(payment('other', ['A-17'], 70, options));
    const other = await entryOf('other', 'payment');
    expect(await rejection(ledger.asApp(statement(other.id, owed.id)))).toMatchObject({
      constraint: 'settlement_items_ck',
    });
  });

  it.each([
    'UPDATE settlement SET amount_minor = 1',
    'DELETE FROM settlement',
    'UPDATE open_item SET open_minor = 0, open_base_minor = 0',
    'DELETE FROM open_item',
    "UPDATE posting_warning SET message = ''",
    'DELETE FROM posting_warning',
  ])('cannot be changed, nor its consequences: %s', async (forbidden) => {
    await ledger.asApp(statement(paid.id, owed.id));
    expect(await rejection(ledger.asApp(forbidden))).toMatchObject({ code: '42501' });
  });
});
