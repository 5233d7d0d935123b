import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { NoAnswer } from '../../../../src/foundation/http/client/http-client.js';
import { fetched, purchase } from '../exports/exports-harness.js';
import { ReviewHarness, type Office } from './review-harness.js';

let harness: ReviewHarness;
let office: Office;

beforeAll(async () => {
  harness = await ReviewHarness.start();
});
beforeEach(async () => {
  harness.erp.heal();
  harness.platform.heal();
  office = await harness.addOffice();
});
afterAll(() => harness.close());

const blocked = (count: number, account = '6420') =>
  Array.from({ length: count }, () => purchase(office.companyId, { account }));
const inbox = async (state = 'open', of = office) => {
  const { body } = await harness.send(of, 'GET', `/inbox?state=${state}`, undefined, { as: 'viewer' });
  return body['data'] as readonly Readonly<Record<string, unknown>>[];
};
const fix = (key: string, body: object = {}, as: 'bookkeeper' | 'admin' | 'viewer' = 'bookkeeper') =>
  harness.send(office, 'POST', `/inbox/${key}/fix`, body, { as });

describe('500 entries that fail for one reason', () => {
  it('are one row, one call later they are posted, and the system closes the row', async () => {
    const items = blocked(500);
    const job = await harness.export(office, [...items, purchase(office.companyId)]);
    const [row, ...others] = await inbox();
    expect(others).toEqual([]);
    expect(row).toMatchObject({
      causeKey: 'account:6420',
      kind: 'account',
      thing: '6420',
      name: 'Name of 6420',
      state: 'open',
      failureType: 'account_unknown',
      entries: 500,
      amounts: [{ currency: 'EUR', amount: '62500.00', entries: 500 }],
      jobs: 1,
      jobIds: [job.id],
      closedAt: null,
      suggestedFix: { action: 'rule' },
    });

    const fixed = await fix('account:6420', { rule: { target: '6110' } });
    expect(fixed).toMatchObject({
      status: 202,
      body: { mappingVersion: 2, reexport: { state: 'waiting', entries: 500, askedBy: expect.any(String) } },
    });
    await harness.followUp(office);

    expect(await inbox()).toEqual([]);
    expect(await inbox('closed')).toMatchObject([
      { causeKey: 'account:6420', state: 'closed', entries: 500, closedAt: expect.any(String) },
    ]);
    const { body } = await harness.send(office, 'GET', '/inbox/account:6420');
    expect(body['fix']).toMatchObject({ state: 'completed', successful: 500, failed: 0 });
    for (const { accountingEntryId } of items) {
      expect(harness.erp.standing(accountingEntryId)).toBe(1);
    }
  });

  it('stay one row over several jobs, which keeps when it was first seen', async () => {
    const items = blocked(3);
    const first = await harness.export(office, items);
    const [before] = await inbox();
    harness.clock.passMinutes(60);
    const second = await harness.export(office, [...items, ...blocked(1)]);
    expect(await inbox()).toMatchObject([
      { entries: 4, jobs: 1, jobIds: [second.id], firstSeen: before?.['firstSeen'] },
    ]);
    expect(first.id).not.toBe(second.id);
  });
});

describe('a row', () => {
  it('stays open for what fails again, and closes for the rest', async () => {
    const both = fetched(
      office.companyId,
      randomUUID(),
      itemOf({
        type: 'card_purchase',
        amount: '200',
        lines: [
          { amount: '100', account: '6420' },
          { amount: '100', account: '6421' },
        ],
      }),
    );
    await harness.export(office, [both, ...blocked(2)]);
    expect((await inbox()).map((row) => [row['causeKey'], row['entries']])).toEqual([
      ['account:6420', 3],
      ['account:6421', 1],
    ]);
    await fix('account:6420', { rule: { target: '6110' } });
    await harness.followUp(office);
    expect((await inbox()).map((row) => [row['causeKey'], row['entries']])).toEqual([['account:6421', 1]]);
    const { body } = await harness.send(office, 'GET', '/inbox/account:6420');
    expect(body).toMatchObject({
      state: 'closed',
      fix: { state: 'completed_with_errors', successful: 2, failed: 1 },
    });
  });

  it('of a setting is mended by an administrator', async () => {
    const topUp = fetched(
      office.companyId,
      randomUUID(),
      itemOf({ type: 'fee', amount: '100', currency: 'USD', lines: [{ amount: '100', account: '6570' }] }),
    );
    await harness.export(office, [topUp]);
    expect(await inbox()).toMatchObject([
      { causeKey: 'setting-missing:wallet-USD', suggestedFix: { action: 'setting' } },
    ]);
    const mend = { setting: { account: '1936' } };
    expect((await fix('setting-missing:wallet-USD', mend)).status).toBe(403);
    expect(await fix('setting-missing:wallet-USD', mend, 'admin')).toMatchObject({
      status: 202,
      body: { mappingVersion: 2 },
    });
    await harness.followUp(office);
    expect(await inbox()).toEqual([]);
  });

  it('that was mended in the ERP only needs the export', async () => {
    await harness.export(office, blocked(1, '9999'));
    const { books } = harness.erp;
    harness.erp.books = books && {
      ...books,
      accounts: books.accounts.map((one) => ({ ...one, active: true })),
    };
    expect(await fix('account:9999')).toMatchObject({ status: 202, body: { mappingVersion: null } });
    await harness.followUp(office);
    expect(await inbox()).toEqual([]);
  });

  it('shows its entries and the job that cleared them, page by page', async () => {
    const items = blocked(3);
    await harness.export(office, items);
    await fix('account:6420', { rule: { target: '6110' } });
    await harness.followUp(office);
    const first = await harness.send(office, 'GET', '/inbox/account:6420/entries?limit=2');
    const next = String(first.body['nextCursor']);
    const second = await harness.send(office, 'GET', `/inbox/account:6420/entries?limit=2&after=${next}`);
    const entries = [first, second].flatMap(({ body }) => body['data'] as readonly Record<string, unknown>[]);
    expect(entries.map((entry) => entry['accountingEntryId'])).toEqual(
      items.map(({ accountingEntryId }) => accountingEntryId).toSorted(),
    );
    expect(entries[0]).toMatchObject({
      itemType: 'card_purchase',
      currency: 'EUR',
      amount: '125.00',
      clearedByJobId: expect.any(String),
    });
  });
});

describe('the export that a fix asks for', () => {
  it('waits while another one runs', async () => {
    await harness.export(office, blocked(1));
    await fix('account:6420', { rule: { target: '6110' } });
    harness.platform.addJob(office.companyId, []);
    await harness.followUp(office);
    const { body } = await harness.send(office, 'GET', '/inbox/account:6420');
    expect(body['fix']).toMatchObject({ state: 'waiting', problem: expect.stringContaining('under way') });
    expect((await fix('account:6420')).body['type']).toBe('urn:problem:fix-under-way');
    for (const job of harness.platform.jobs.values()) job.status = 'completed';
    await harness.followUp(office);
    expect(await inbox()).toEqual([]);
  });

  it('is known again when the answer about its job was lost', async () => {
    await harness.export(office, blocked(2));
    await fix('account:6420', { rule: { target: '6110' } });
    harness.platform.after = (call) => {
      if (call === 'create-job') throw new NoAnswer('lost', true);
    };
    await harness.followUp(office);
    harness.platform.after = () => undefined;
    expect((await harness.send(office, 'GET', '/inbox/account:6420')).body['fix']).toMatchObject({
      state: 'asked',
    });
    const [lost] = [...harness.platform.jobs.values()].filter(
      ({ companyId, status }) => companyId === office.companyId && status === 'pending',
    );
    await harness.detect(office, lost?.id ?? '');
    await harness.work(office);
    expect((await harness.send(office, 'GET', '/inbox/account:6420')).body['fix']).toMatchObject({
      state: 'completed',
      exportJobId: lost?.id,
    });
    expect(await inbox()).toEqual([]);
  });

  it('that the platform does not make says why, and can be asked for again', async () => {
    await harness.export(office, blocked(1));
    for (const job of harness.platform.jobs.values()) job.data.length = 0;
    await fix('account:6420', { rule: { target: '6110' } });
    await harness.followUp(office);
    expect((await harness.send(office, 'GET', '/inbox/account:6420')).body).toMatchObject({
      state: 'open',
      fix: { state: 'refused', problem: expect.stringContaining('unknown accounting entries') },
    });
    expect((await fix('account:6420')).status).toBe(202);
  });
});

describe('what does not help', () => {
  beforeEach(async () => {
    await harness.export(office, blocked(1));
  });

  it.each([
    ['a target that is not there', { rule: { target: '0' } }, 422],
    ['a setting', { setting: { account: '1936' } }, 422],
    ['both', { setting: { account: '1936' }, rule: { target: '6110' } }, 422],
    ['a rule without a target', { rule: {} }, 400],
    ['something else', { other: 1 }, 400],
  ])('is %s', async (_, body, status) => {
    expect((await fix('account:6420', body, 'admin')).status).toBe(status);
    expect(await inbox()).toHaveLength(1);
    const { rows } = await harness.admin.query('SELECT 1 FROM reexport WHERE installation_id = $1', [
      office.installationId,
    ]);
    expect(rows).toEqual([]);
  });

  it('a viewer may not fix, and nobody fixes what is not there', async () => {
    expect((await fix('account:6420', {}, 'viewer')).status).toBe(403);
    expect((await fix('account:1')).status).toBe(404);
    expect((await fix('%00')).status).toBe(404);
  });

  it('somebody else sees and fixes nothing of it', async () => {
    const other = await harness.addOffice();
    expect(await inbox('open', other)).toEqual([]);
    expect((await harness.send(other, 'GET', '/inbox/account:6420')).status).toBe(404);
    expect((await harness.send(other, 'POST', '/inbox/account:6420/fix', {})).status).toBe(404);
    const { body } = await fix('account:6420');
    const { id } = body['reexport'] as { readonly id: string };
    expect((await harness.send(office, 'GET', `/reexports/${id}`)).status).toBe(200);
    expect((await harness.send(other, 'GET', `/reexports/${id}`)).status).toBe(404);
  });
});

it('pages through rows with most entries first', async () => {
  await harness.export(office, [...blocked(1, 'a'), ...blocked(2, 'b'), ...blocked(1, 'c')]);
  const keys: unknown[] = [];
  let after = '';
  for (let page = 0; page < 3; page += 1) {
    const { body } = await harness.send(office, 'GET', `/inbox?limit=1${after}`);
    keys.push(...(body['data'] as readonly { readonly causeKey: string }[]).map(({ causeKey }) => causeKey));
    after = `&after=${String(body['nextCursor'])}`;
  }
  expect(keys).toEqual(['account:b', 'account:a', 'account:c']);
});
