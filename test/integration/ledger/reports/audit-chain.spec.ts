import { expect, it } from '@jest/globals';
import { createCompany, entry, group, line, startLedger } from '../ledger-harness.js';
import { asOwner, createBooks, post } from './reports-books.js';
import { startedOnce } from '../../../support/started-once.js';

const ledger = startedOnce(startLedger);

interface Chain {
  readonly entries: number;
  readonly intact: boolean;
  readonly firstBroken: {
    readonly position: number | null;
    readonly entryId: string | null;
    readonly number: string | null;
    readonly reason: string;
  } | null;
  readonly head: { readonly position: number; readonly hash: string } | null;
}

const verify = async (company: string) => (await ledger.call<Chain>('GET', `/companies/${company}/audit-chain`)).body;

/** Five entries, numbered and chained in this order: one to five. */
async function fiveEntries(): Promise<string> {
  const company = await createCompany(ledger);
  for (const key of ['one', 'two', 'three', 'four', 'five']) {
    const lines = [line('6071', 100, { dimensions: { CC: '100' } }), line('1935', -100)];
    await post(ledger, company, [
      group(key, { entries: [entry(lines, { documentNumber: 'D-3', metadata: { exportJobId: 'job' } })] }),
    ]);
  }
  return company;
}

it('an unchanged book is intact', async () => {
  const company = await createBooks(ledger);
  const [stored] = await asOwner<{ readonly position: string; readonly hash: string }>(
    ledger,
    `SELECT position, encode(hash, 'hex') AS hash FROM audit_link WHERE company_id = '${company}'
     ORDER BY position DESC LIMIT 1`,
  );
  expect(Number(stored?.position)).toBeGreaterThan(10);
  expect(await verify(company)).toEqual({
    entries: Number(stored?.position),
    intact: true,
    firstBroken: null,
    head: { position: Number(stored?.position), hash: stored?.hash },
  });
});

it('an empty book and one with drafts only are intact', async () => {
  const company = await createCompany(ledger);
  const intact = { entries: 0, intact: true, firstBroken: null, head: null };
  expect(await verify(company)).toEqual(intact);
  const draft = entry([line('6071', 1), line('1935', -1)], { state: 'draft' });
  await post(ledger, company, [group('draft', { entries: [draft] })]);
  expect(await verify(company)).toEqual(intact);
});

it('a chain is followed over several pages', async () => {
  const company = await createCompany(ledger);
  for (let batch = 0; batch < 3; batch += 1) {
    const keys = Array.from({ length: 400 }, (_, index) => `${batch.toString()}-${index.toString()}`);
    await post(
      ledger,
      company,
      keys.map((key) => group(key)),
    );
  }
  expect(await verify(company)).toMatchObject({ entries: 1200, intact: true, head: { position: 1200 } });
  await asOwner(ledger, `UPDATE journal_entry SET description = 'x' WHERE company_id = '${company}' AND number = 777`);
  expect(await verify(company)).toMatchObject({
    entries: 776,
    intact: false,
    firstBroken: { position: 777, number: '2026-000777', reason: 'hash-differs' },
    head: { position: 1200 },
  });
});

const entryOf = (table: string, column: string) =>
  `${table}.${column} = (SELECT id FROM journal_entry WHERE company_id = $company AND number = 3)`;
const ENTRY = `company_id = $company AND number = 3`;
const LINE = `${entryOf('journal_line', 'entry_id')} AND line_no = 1`;

const DIFFERS = { position: 3, number: '2026-000003', reason: 'hash-differs' };
const DELETED = { position: 3, reason: 'entry-missing' };

it.each([
  ['the description', `UPDATE journal_entry SET description = 'Café Ole' WHERE ${ENTRY}`, DIFFERS],
  [
    'a pair of amounts',
    `UPDATE journal_line SET amount_minor = sign(amount_minor) * 101 WHERE ${entryOf('journal_line', 'entry_id')}`,
    DIFFERS,
  ],
  [
    'a pair of base amounts',
    `UPDATE journal_line SET base_minor = sign(base_minor) * 101 WHERE ${entryOf('journal_line', 'entry_id')}`,
    DIFFERS,
  ],
  ['the posting date', `UPDATE journal_entry SET posting_date = posting_date + 1 WHERE ${ENTRY}`, DIFFERS],
  ['the document date', `UPDATE journal_entry SET document_date = '2026-03-01' WHERE ${ENTRY}`, DIFFERS],
  ['the document number', `UPDATE journal_entry SET document_number = 'D-4' WHERE ${ENTRY}`, DIFFERS],
  ['the metadata', `UPDATE journal_entry SET metadata = '{"exportJobId": "Job"}' WHERE ${ENTRY}`, DIFFERS],
  ['a dimension of a line', `UPDATE journal_line SET dimensions = '{"CC": "900"}' WHERE ${LINE}`, DIFFERS],
  ['the account of a line', `UPDATE journal_line SET account_code = '5410' WHERE ${LINE}`, DIFFERS],
  ['the vendor of a line', `UPDATE journal_line SET vendor_number = 'V-7' WHERE ${LINE}`, DIFFERS],
  [
    'the time of posting',
    `UPDATE journal_entry SET posted_at = posted_at + interval '1 microsecond' WHERE ${ENTRY}`,
    DIFFERS,
  ],
  ['the number', `UPDATE journal_entry SET number = 8 WHERE ${ENTRY}`, { ...DIFFERS, number: '2026-000008' }],
  ['the key', `UPDATE posting_group SET key = 'tree' WHERE company_id = $company AND key = 'three'`, DIFFERS],
  [
    'a bit of a hash',
    `UPDATE audit_link SET hash = set_bit(hash, 7, 1 - get_bit(hash, 7)) WHERE company_id = $company AND position = 3`,
    DIFFERS,
  ],
  ['the entry: gone', `DELETE FROM journal_entry WHERE ${ENTRY}`, { ...DELETED, number: null }],
  [
    'the lines: gone',
    `DELETE FROM journal_line WHERE ${entryOf('journal_line', 'entry_id')}`,
    { ...DELETED, number: '2026-000003' },
  ],
  [
    'the group: gone',
    `DELETE FROM posting_group WHERE company_id = $company AND key = 'three'`,
    { ...DELETED, number: '2026-000003' },
  ],
  [
    'the posting: taken back',
    `UPDATE journal_entry SET state = 'draft', number = NULL, posted_at = NULL WHERE ${ENTRY}`,
    { ...DELETED, number: null },
  ],
  [
    'the link: gone',
    `DELETE FROM audit_link WHERE company_id = $company AND position = 3`,
    { position: 3, number: '2026-000003', reason: 'link-missing' },
  ],
])('%s is found', async (_, statement, broken) => {
  const company = await fiveEntries();
  const [third] = await asOwner<{ readonly id: string }>(
    ledger,
    `SELECT id FROM journal_entry WHERE company_id = '${company}' AND number = 3`,
  );
  await asOwner(ledger, statement.replaceAll('$company', `'${company}'`));
  const chain = await verify(company);
  expect(chain).toMatchObject({ entries: 2, intact: false, firstBroken: { entryId: third?.id, ...broken } });
  expect(chain.head?.position).toBe(5);
});

it('a missing last link is found', async () => {
  const company = await fiveEntries();
  await asOwner(ledger, `DELETE FROM audit_link WHERE company_id = '${company}' AND position = 5`);
  expect(await verify(company)).toMatchObject({
    entries: 4,
    firstBroken: { position: 5, number: '2026-000005', reason: 'link-missing' },
  });
});

it.each([
  ['the last', 5, '2026-000005', 'number-missing', 4],
  ['one in the middle', 3, '2026-000004', 'hash-differs', 2],
])('%s entry missing together with its link is found', async (_, number, named, reason, entries) => {
  const company = await fiveEntries();
  const gone = `company_id = '${company}' AND number = ${number.toString()}`;
  await asOwner(
    ledger,
    `DELETE FROM journal_line WHERE entry_id = (SELECT id FROM journal_entry WHERE ${gone})`,
    `DELETE FROM journal_entry WHERE ${gone}`,
    `DELETE FROM audit_link WHERE company_id = '${company}' AND position = ${number.toString()}`,
    `UPDATE audit_link SET position = position - 1 WHERE company_id = '${company}' AND position > ${number.toString()}`,
  );
  expect(await verify(company)).toMatchObject({
    entries,
    intact: false,
    firstBroken: { number: named, reason },
  });
});

it('an entry written past the chain is found', async () => {
  const company = await fiveEntries();
  await asOwner(
    ledger,
    `INSERT INTO journal_entry SELECT (jsonb_populate_record(entry, '{"number": 6}'::jsonb
       || jsonb_build_object('id', gen_random_uuid(), 'role', 'payment'))).*
     FROM journal_entry entry WHERE company_id = '${company}' AND number = 3`,
  );
  expect(await verify(company)).toMatchObject({
    entries: 5,
    firstBroken: { position: 6, number: '2026-000006', reason: 'link-missing' },
  });
});

it('the book of another company stays intact', async () => {
  const company = await fiveEntries();
  const other = await fiveEntries();
  await asOwner(ledger, `UPDATE journal_entry SET description = 'x' WHERE company_id = '${company}'`);
  expect(await verify(other)).toMatchObject({ entries: 5, intact: true });
});
