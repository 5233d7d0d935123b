import { randomUUID } from 'node:crypto';
import { localizeProblem } from '../../../../../src/connector/messages/texts.js';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ErpCompanyId } from '../../../../../src/kernel/ids.js';
import { createCompany, startLedgerServer } from '../../../../contract/erp-ledger/ledger-server.js';
import type { FakeJob } from '../../../../support/platform/fake-platform.js';
import { ExportsHarness, purchase, type Tenant } from '../exports-harness.js';
import { startedOnce } from '../../../../support/started-once.js';

// Reverse and repost through the real adapter into the books of the real ledger.

interface LedgerEntry {
  readonly id: string;
  readonly key: string | null;
  readonly role: string;
  readonly state: string;
  readonly lines: readonly { readonly accountCode: string; readonly amountMinor: string }[];
}

const ledger = startedOnce(startLedgerServer);
const exports = startedOnce(() => ExportsHarness.start(ledger.connections));
let company: ErpCompanyId;
let id: string;

beforeEach(async () => {
  company = await createCompany(ledger);
  id = randomUUID();
});

async function tenantWith(postingState: 'draft' | 'posted', conflicts: 'fail' | 'reverse-and-repost'): Promise<Tenant> {
  return exports.addTenant({ erpCompany: company, policies: { postingState, conflicts } });
}

async function exportOf(tenant: Tenant, amount: string): Promise<FakeJob> {
  const job = await exports.addJob(tenant, [purchase(tenant.companyId, { id, amount })]);
  await exports.processQueueAgain(tenant);
  return job;
}

/** "role state: account amount …" of every entry of the company, in order of its posting. */
async function books(): Promise<readonly string[]> {
  const path = `/companies/${company}/journal-entries`;
  const { data } = await ledger.get<{ readonly data: readonly LedgerEntry[] }>(path);
  return data.map(({ role, state, lines }) => {
    const amounts = lines.map(({ accountCode, amountMinor }) => `${accountCode} ${amountMinor}`);
    return `${role} ${state}: ${amounts.join(' · ')}`;
  });
}

describe('a changed entry', () => {
  it('that was posted is reversed, and the new one posted', async () => {
    const tenant = await tenantWith('posted', 'reverse-and-repost');
    const first = await exportOf(tenant, '12500');
    const second = await exportOf(tenant, '99900');
    expect(await books()).toEqual([
      'entry reversed: 5410 12500 · 1935 -12500',
      'reversal posted: 5410 -12500 · 1935 12500',
      'entry posted: 5410 99900 · 1935 -99900',
    ]);
    const [before, after] = [first.results.get(id)?.externalId, second.results.get(id)?.externalId];
    expect(before).toBeDefined();
    expect(after).not.toBe(before);
    const [[state, externalId, warning] = []] = await exports.rows(
      'export_item',
      second.id,
      'state, external_id, warnings ->> 0',
    );
    const expected = `It replaces ${before ?? ''}, which an earlier export had posted and which was reversed.`;
    expect([state, externalId, localizeProblem('en', String(warning))]).toEqual(['successful', after, expected]);
  });

  it('that was a draft is discarded, and the new one drafted', async () => {
    const tenant = await tenantWith('draft', 'reverse-and-repost');
    await exportOf(tenant, '12500');
    const job = await exportOf(tenant, '99900');
    expect(await books()).toEqual([
      'entry discarded: 5410 12500 · 1935 -12500',
      'entry draft: 5410 99900 · 1935 -99900',
    ]);
    expect(job.results.get(id)?.status).toBe('successful');
  });

  it('without our record is found by its key and replaced', async () => {
    const tenant = await tenantWith('posted', 'reverse-and-repost');
    await exportOf(tenant, '12500');
    await exports.admin.query('DELETE FROM posting_intent WHERE accounting_entry_id = $1', [id]);
    await exportOf(tenant, '99900');
    expect(await books()).toHaveLength(3);
    expect((await books()).at(-1)).toBe('entry posted: 5410 99900 · 1935 -99900');
  });

  it('without our record is refused under the other policy with what the ledger reports of it', async () => {
    const tenant = await tenantWith('posted', 'fail');
    await exportOf(tenant, '12500');
    await exports.admin.query('DELETE FROM posting_intent WHERE accounting_entry_id = $1', [id]);
    const job = await exportOf(tenant, '99900');
    expect(await books()).toEqual(['entry posted: 5410 12500 · 1935 -12500']);
    expect(job.results.get(id)?.failureReason).toContain(
      'In the books: 5410 +125.00 · 1935 −125.00 EUR on 2026-02-10. ' +
        'The export says now: 5410 +999.00 · 1935 −999.00 EUR on 2026-02-10.',
    );
  });
});

it('an entry that a person reversed, without our record, is posted as the next revision', async () => {
  const tenant = await tenantWith('posted', 'fail');
  await exportOf(tenant, '12500');
  await exports.admin.query('DELETE FROM posting_intent WHERE accounting_entry_id = $1', [id]);
  expect(await ledger.erpOf(company).reverse([id])).toEqual([{ outcome: 'reversed' }]);
  const job = await exportOf(tenant, '12500');
  expect(job.results.get(id)?.status).toBe('successful');
  expect((await ledger.erpOf(company).findPosted([id])).get(id)).toMatchObject({
    revision: 2,
    reversed: false,
  });
  expect(await books()).toHaveLength(3);
});
