import { beforeEach, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { createCompany, entry, group, line, startLedger, type WireOutcome, type WirePage } from './ledger-harness.js';
import { entriesOf, outcomesOf, postGroups, storedEntries } from './posting-requests.js';
import { startedOnce } from '../../support/started-once.js';

// What it means to post, or to look for, a key that was used before.

const ledger = startedOnce(startLedger);
let company: string;

beforeEach(async () => {
  company = await createCompany(ledger);
});

const post = (...groups: readonly object[]) => postGroups(ledger, company, groups);

const lookup = async (...keys: readonly string[]): Promise<readonly WireOutcome[]> =>
  (await ledger.call<WirePage<WireOutcome>>('POST', `/companies/${company}/posting-groups:lookup`, { keys })).body.data;

/** Lets time pass for the company's groups: their rules are put aside for it. */
async function makeOlder(seconds: number): Promise<void> {
  const client = new pg.Client({ connectionString: ledger.databaseUrl });
  await client.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    await client.query(
      'UPDATE ledger.posting_group SET created_at = created_at - make_interval(secs => $2) WHERE company_id = $1',
      [company, seconds],
    );
  } finally {
    await client.end();
  }
}

describe('posting a key again', () => {
  it('returns the existing entry when the content is equal, whatever its state now', async () => {
    const first = await post(group('a'));
    const again = await post(group('a', { entries: [entry([line('5410', 7), line('1935', -7)])] }));

    expect(again.body.outcomes[0]).toEqual({ ...first.body.outcomes[0], outcome: 'existed' });
    expect(await storedEntries(ledger, company)).toHaveLength(1);
  });

  it('is refused from the first time on when the key cannot be stored as it is', async () => {
    for (const key of ['a\ud800', '\udc00', 'a\0']) {
      expect((await post(group(key))).status).toBe(400);
    }
    expect(await storedEntries(ledger, company)).toEqual([]);
  });

  it('is a conflict that shows both contents when they differ', async () => {
    const first = await post(group('a'));
    const asked = entry([line('5410', 7), line('2440', -7, { vendorNumber: 'V-7' })], {
      role: 'invoice',
      documentNumber: 'A-17',
      postingDate: '2026-04-01',
    });
    const other = await post(group('a', { contentDigest: 'other', entries: [asked] }));

    const content = (accountCode: string, minor: string, vendorNumber: string | null = null) => ({
      accountCode,
      amountMinor: minor,
      baseMinor: minor,
      vendorNumber,
    });
    expect(other.body.outcomes[0]).toEqual({
      key: 'a',
      outcome: 'conflict',
      contentDigest: 'other',
      existingContentDigest: 'digest of a',
      revision: 1,
      entries: entriesOf(first),
      existing: [
        {
          role: 'entry',
          postingDate: '2026-03-02',
          currency: 'EUR',
          documentNumber: null,
          lines: [content('6071', '10000'), content('2641', '2500'), content('1935', '-12500')],
        },
      ],
      requested: [
        {
          role: 'invoice',
          postingDate: '2026-04-01',
          currency: 'EUR',
          documentNumber: 'A-17',
          lines: [content('5410', '7'), content('2440', '-7', 'V-7')],
        },
      ],
    });
    expect(await storedEntries(ledger, company)).toHaveLength(1);
  });

  it('affects one company only', async () => {
    await post(group('a'));
    company = await createCompany(ledger);
    expect(outcomesOf(await post(group('a')))).toEqual(['created']);
  });

  it('can be looked up', async () => {
    const first = await post(group('a'));
    expect(await lookup('b', 'a')).toEqual([
      {
        key: 'b',
        outcome: 'absent',
        contentDigest: null,
        revision: null,
        reversed: false,
        entries: [],
        warnings: [],
      },
      {
        key: 'a',
        outcome: 'found',
        contentDigest: 'digest of a',
        revision: 1,
        reversed: false,
        entries: entriesOf(first),
        warnings: [],
      },
    ]);
  });
});

describe('keys with limited guarantees', () => {
  it('reference-only: a second use is refused without details', async () => {
    company = await createCompany(ledger, { idempotency: 'reference-only' });
    await post(group('a'));
    expect((await post(group('a'))).body.outcomes).toMatchObject([{ outcome: 'refused', code: 'reference_taken' }]);
  });

  it('reference-only: a look-up does not find entries younger than the lag of the search', async () => {
    const settings = {
      name: 'Nordlys ApS',
      functionalCurrency: 'EUR',
      timeZone: 'Europe/Copenhagen',
      idempotency: 'reference-only',
    };
    company = await createCompany(ledger, { ...settings, searchLagSeconds: 3_600 });
    await post(group('a'));
    expect(await lookup('a')).toMatchObject([{ key: 'a', outcome: 'absent', entries: [] }]);
    // The books themselves know it all the same.
    expect((await post(group('a'))).body.outcomes).toMatchObject([{ code: 'reference_taken' }]);

    await ledger.call('PUT', `/companies/${company}`, { ...settings, searchLagSeconds: 0 });
    expect(await lookup('a')).toMatchObject([{ key: 'a', outcome: 'found', revision: 1 }]);
  });

  it('reference-only: a look-up finds the newest revision that is old enough', async () => {
    const options = { idempotency: 'reference-only', searchLagSeconds: 60 };
    company = await createCompany(ledger, options);
    await post(group('a'));
    await ledger.call('POST', `/companies/${company}/posting-groups:reverse`, { keys: ['a'] });
    await makeOlder(120);
    await post({ ...group('a', { contentDigest: 'new' }), revision: 2 });
    expect(await lookup('a')).toMatchObject([
      { outcome: 'found', revision: 1, reversed: true, contentDigest: 'digest of a' },
    ]);
    await makeOlder(120);
    expect(await lookup('a')).toMatchObject([{ outcome: 'found', revision: 2, reversed: false, contentDigest: 'new' }]);
  });

  it('short: an expired key creates a second entry', async () => {
    company = await createCompany(ledger, { idempotency: 'short', idempotencySeconds: 60 });
    await post(group('a'));
    await makeOlder(61);
    expect((await post(group('a'))).body.outcomes).toMatchObject([{ outcome: 'created', revision: 2 }]);
  });

  it('none: a second use creates a second entry', async () => {
    company = await createCompany(ledger, { idempotency: 'none' });
    await post(group('a'));
    expect(outcomesOf(await post(group('a')))).toEqual(['created']);
    expect(await storedEntries(ledger, company)).toMatchObject([{ revision: 1 }, { revision: 2 }]);
  });

  it('short: a valid key returns the existing entry, even for other content', async () => {
    company = await createCompany(ledger, { idempotency: 'short', idempotencySeconds: 60 });
    await post(group('a'));
    expect(outcomesOf(await post(group('a', { contentDigest: 'other' })))).toEqual(['existed']);
    expect(await storedEntries(ledger, company)).toHaveLength(1);
  });
});
