import { PLAN_OF_INTENT } from '../../../support/stored-plans.js';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { companyData, day, itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import type { FetchedItem } from '../../../../src/connector/platform/platform-api.js';
import { fetched, purchase } from '../exports/exports-harness.js';
import { ReviewHarness, type ReviewResponse, type ReviewTenant } from './review-harness.js';
import { startedOnce } from '../../../support/started-once.js';

type Fields = Readonly<Record<string, unknown>>;

const harness = startedOnce(() => ReviewHarness.start());
let tenant: ReviewTenant;

beforeEach(async () => {
  harness.erp.restore();
  harness.platform.restore();
  tenant = await harness.addTenant();
});

const rule = (source: string, target: string) => ({ subject: 'account', source, target });
const saveRule = (source: string, target: string, seen: number) =>
  harness.send(tenant, 'POST', '/mapping/rules', rule(source, target), { seen });

async function preview(body: object): Promise<Fields> {
  const answer = await harness.send(tenant, 'POST', '/previews', body);
  expect(answer.status).toBe(201);
  return answer.body;
}

async function entriesOf(made: Fields, filter = ''): Promise<readonly Fields[]> {
  const { body } = await harness.send(tenant, 'GET', `/previews/${String(made['id'])}/entries?limit=100${filter}`);
  return body['data'] as readonly Fields[];
}

const commit = (made: Fields, digest = made['digest']): Promise<ReviewResponse> =>
  harness.send(tenant, 'POST', `/previews/${String(made['id'])}/commit`, { digest: String(digest) });

/** As the platform's JSON has it: numbers are numbers. */
function handedIn(item: FetchedItem): object {
  if (!('item' in item)) throw new Error('unreadable');
  return JSON.parse(JSON.stringify(item.item), (key, value: unknown) =>
    key === 'value' ? Number(value) : value,
  ) as object;
}

async function effects(): Promise<readonly unknown[]> {
  const { rows } = await harness.admin.query<unknown[]>({
    text: `SELECT (SELECT count(*) FROM posting_intent WHERE installation_id = $1), (SELECT count(*) FROM outbox WHERE installation_id = $1),
      (SELECT count(*) FROM reexport WHERE installation_id = $1)`,
    values: [tenant.installationId],
    rowMode: 'array',
  });
  return [...(rows[0] ?? []), harness.erp.posts.length];
}

describe('a preview', () => {
  it('shows every line of a pending job and its decisions, without any effect', async () => {
    await saveRule('404', '6110', 1);
    const item = purchase(tenant.companyId, { account: '404' });
    const job = await harness.addJob(tenant, [item, purchase(tenant.companyId, { account: '6420' })]);
    const made = await preview({ jobId: job.id });
    expect(made).toMatchObject({
      jobId: job.id,
      source: 'platform',
      mappingVersion: 2,
      saved: true,
      entries: 2,
      more: false,
    });
    const [first, second] = await entriesOf(made);
    expect(first).toMatchObject({
      position: 1,
      accountingEntryId: item.accountingEntryId,
      date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as unknown,
      type: 'card_purchase',
      action: 'post',
      entries: [
        {
          role: 'entry',
          postingDate: '2026-02-10',
          mappingVersion: 2,
          lines: [
            { account: { code: '6110', decision: { by: 'rule', ruleId: '1' } }, amountMinor: '12500' },
            {
              account: { code: '1935', decision: { by: 'setting', setting: 'Wallet (EUR)' } },
              amountMinor: '-12500',
            },
          ],
        },
      ],
      inBooks: { state: 'nothing' },
      differences: [],
    });
    expect(second).toMatchObject({
      action: 'fail',
      entries: [],
      issues: [{ failureType: 'account_unknown', issueKey: 'account:6420' }],
    });
    const counts = [{ action: 'fail' }, { action: 'post' }].map((one) => ({ ...one, entries: 1 }));
    expect(made).toMatchObject({ actions: counts, toPost: 1 });
    expect((await entriesOf(made, '&action=fail')).map(({ position }) => position)).toEqual([2]);
    expect((await effects()).map(String)).toEqual(['0', '0', '0', '0']);
  });

  it('of a posted job with its own version shows no difference', async () => {
    const foreign = itemOf({
      type: 'card_purchase',
      amount: '3003',
      currency: 'USD',
      contra: '1936',
      lines: [
        { amount: '1000', account: '5410' },
        { amount: '2003', account: '6110' },
      ],
    });
    const invoice = itemOf({
      type: 'invoice',
      amount: '62500',
      method: 'accounts_payable',
      vendor: 'V-7',
      invoice: { invoiceNumber: 'A-17' },
      lines: [{ amount: '62500', account: '4010', tags: ['CC=100'], tax: { type: 'inclusive', amount: '12500' } }],
    });
    const items = [
      purchase(tenant.companyId),
      ...[foreign, invoice].map((item) => fetched(tenant.companyId, randomUUID(), item)),
    ];
    const job = await harness.export(tenant, items);
    expect(job.status).toBe('completed');
    const made = await preview({ jobId: job.id, mappingVersion: 1 });
    expect(made['source']).toBe('stored');
    const entries = await entriesOf(made);
    expect(entries.map(({ action, differences }) => [action, differences])).toEqual([
      ['report-existing', []],
      ['report-existing', []],
      ['report-existing', []],
    ]);
    expect(entries.every(({ inBooks }) => (inBooks as Fields)['state'] === 'standing')).toBe(true);
    expect((await commit(made)).body['type']).toBe('urn:problem:nothing-to-post');
  });

  it.each([
    ['fail', 'fail', ['refused:reversed~20~in~20~the~20~accounting~20~system']],
    ['repost', 'post', []],
  ])('of an entry that was reversed in the ERP follows the policy: %s', async (reversedInErp, action, keys) => {
    await harness.admin.query(
      `UPDATE mapping_version SET settings = jsonb_set(settings, '{policies,reversedInErp}', to_jsonb($2::text))
       WHERE installation_id = $1`,
      [tenant.installationId, reversedInErp],
    );
    const item = purchase(tenant.companyId);
    const job = await harness.export(tenant, [item]);
    harness.erp.reverseByHand(item.accountingEntryId);
    const [entry] = await entriesOf(await preview({ jobId: job.id }));
    const issues = entry?.['issues'] as readonly Fields[];
    expect([entry?.['action'], issues.map(({ issueKey }) => issueKey)]).toEqual([action, keys]);
    expect(issues.every(({ message }) => String(message).includes('reversed in the accounting system'))).toBe(true);
  });

  it('of a posted job with other rules shows the differences line by line', async () => {
    const job = await harness.export(tenant, [purchase(tenant.companyId)]);
    const made = await preview({ jobId: job.id, rules: [rule('5410', '6110')] });
    expect(made['saved']).toBe(false);
    expect((await entriesOf(made))[0]).toMatchObject({
      entries: [{ lines: [{ account: { code: '6110', decision: { by: 'rule', ruleId: 'new-1' } } }, {}] }],
      differences: [{ pointer: '/0/lines/0/account/code', before: '5410', after: '6110' }],
    });
    expect((await commit(made)).body['type']).toBe('urn:problem:preview-unsaved');
  });

  it('refuses rules of which only one could decide, as saving does, and names the one that is there', async () => {
    const job = await harness.export(tenant, [purchase(tenant.companyId)]);
    const send = (rules: readonly object[]) => harness.send(tenant, 'POST', '/previews', { jobId: job.id, rules });
    const saved = { id: '17', ...rule('5410', '6110') };
    const overlap = {
      pointer: '/rules/1/source',
      code: 'overlap',
      detail: 'This one and rule 17 are both for account 5410: only one of them could decide. Change or delete one.',
    };
    expect(await send([saved, rule('5410', '6071')])).toMatchObject({ status: 422, body: { errors: [overlap] } });
    const ofOneType = { ...rule('5410', '6071'), itemType: 'fee' };
    expect(await send([saved, ofOneType])).toMatchObject({ status: 201 });
    expect(await send([saved, rule('', '6071')])).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/rules/1/source', code: 'missing' }] },
    });
  });

  it('processes a large job in parts', async () => {
    const items = Array.from({ length: 5 }, () => purchase(tenant.companyId));
    const job = await harness.export(tenant, items);
    const seen: unknown[] = [];
    for (let skip = 0; skip < 6; skip += 2) {
      const made = await preview({ jobId: job.id, skip, limit: 2 });
      expect(made['more']).toBe(skip < 4);
      seen.push(...(await entriesOf(made)).map((entry) => entry['accountingEntryId']));
    }
    expect(seen).toEqual(items.map(({ accountingEntryId }) => accountingEntryId));
  });

  it('is one of the newest twenty, kept for a day, without a name of a person', async () => {
    const item = itemOf({
      type: 'card_purchase',
      amount: '100',
      note: 'Lunch with Kim',
      user: { id: 'u', name: 'Kim', code: 'E-1' },
    });
    const body = { items: [handedIn(fetched(tenant.companyId, randomUUID(), item))] };
    const first = await preview(body);
    for (let count = 0; count < 20; count += 1) {
      harness.clock.passMinutes(1);
      await preview(body);
    }
    expect((await harness.send(tenant, 'GET', `/previews/${String(first['id'])}`)).status).toBe(404);
    const last = await preview(body);
    const { rows } = await harness.admin.query<{ item: object; result: object }>(
      'SELECT item, result FROM preview_entry WHERE preview_id = $1',
      [last['id']],
    );
    expect(JSON.stringify(rows[0])).not.toMatch(/Kim|Lunch/);
    harness.clock.passMinutes(24 * 60 + 1);
    expect((await commit(last)).status).toBe(404);
  });
});

describe('committing a preview', () => {
  /** Two entries that failed once and can be booked now, as a preview of their job. */
  async function mendedPreview(): Promise<{
    readonly made: Fields;
    readonly items: readonly FetchedItem[];
    readonly jobId: string;
  }> {
    const items = [purchase(tenant.companyId, { account: '404' }), purchase(tenant.companyId, { account: '404' })];
    const job = await harness.export(tenant, items);
    await saveRule('404', '6110', 1);
    return { made: await preview({ jobId: job.id }), items, jobId: job.id };
  }

  it('posts exactly what was previewed, in a new job with that version', async () => {
    const { made, items } = await mendedPreview();
    const committed = await commit(made);
    expect(committed).toMatchObject({ status: 202, body: { reexport: { state: 'waiting', entries: 2 } } });
    await harness.followUp(tenant);
    const { id } = committed.body['reexport'] as { readonly id: string };
    expect((await harness.send(tenant, 'GET', `/reexports/${id}`)).body).toMatchObject({
      state: 'completed',
      successful: 2,
    });
    const { rows } = await harness.admin.query<Fields>(
      `SELECT accounting_entry_id, mapping_version, ${PLAN_OF_INTENT} #>> '{0,lines,0,account,code}' AS account FROM posting_intent WHERE installation_id = $1`,
      [tenant.installationId],
    );
    expect(rows.map(({ mapping_version, account }) => [mapping_version, account])).toEqual([
      [2, '6110'],
      [2, '6110'],
    ]);
    expect(rows.map((row) => row['accounting_entry_id']).toSorted()).toEqual(
      items.map((item) => item.accountingEntryId).toSorted(),
    );
  });

  it('after another member edited the mapping is refused with the difference', async () => {
    const { made } = await mendedPreview();
    await harness.send(tenant, 'PUT', '/mapping/rules/1', rule('404', '6071'), { seen: 2 });
    const refused = await commit(made);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        type: 'urn:problem:preview-outdated',
        changes: [
          { what: 'mapping-version', before: '2', after: '3' },
          { what: 'rule', pointer: '1', before: 'account 404 → 6110', after: 'account 404 → 6071' },
        ],
      },
    });
    const { rows } = await harness.admin.query('SELECT 1 FROM reexport WHERE installation_id = $1', [
      tenant.installationId,
    ]);
    expect(rows).toEqual([]);
  });

  it('after a period was closed is refused with the current reason', async () => {
    const { made } = await mendedPreview();
    harness.erp.masterData = {
      ...companyData,
      periods: [{ name: '2026-02', from: day('2026-02-01'), to: day('2026-02-28'), open: false }],
    };
    expect((await commit(made)).body).toMatchObject({
      changes: [
        { what: 'outcome', before: 'post', after: expect.stringContaining('2026-02, which is closed') },
        { what: 'outcome' },
      ],
    });
  });

  it('after another export posted an entry is refused', async () => {
    const { made, items } = await mendedPreview();
    harness.erp.seedDocument(items[0]?.accountingEntryId ?? '', 'another digest');
    expect((await commit(made)).body).toMatchObject({
      changes: [{ what: 'books', before: 'nothing', after: 'standing' }],
    });
  });

  it('posts nothing of an entry that the platform has changed in between', async () => {
    const { made, items } = await mendedPreview();
    const [changed = '', kept = ''] = items.map(({ accountingEntryId }) => accountingEntryId);
    harness.platform.unexported.push(purchase(tenant.companyId, { id: changed, account: '404', amount: '99900' }));
    await commit(made);
    await harness.followUp(tenant);
    expect([changed, kept].map((id) => harness.erp.standing(id))).toEqual([0, 1]);
    const { body } = await harness.send(tenant, 'GET', '/issues');
    expect(body['data']).toMatchObject([{ issueKey: 'preview:entry', entries: 1 }]);
  });

  it('of a pending job pins that job', async () => {
    const job = await harness.addJob(tenant, [purchase(tenant.companyId)]);
    const made = await preview({ jobId: job.id, mappingVersion: 1 });
    expect(await commit(made)).toMatchObject({
      status: 202,
      body: { reexport: { state: 'detected', exportJobId: job.id } },
    });
    await harness.processQueue(tenant);
    expect(job.status).toBe('completed');
  });

  it('is posted with its own mapping, whatever is saved between the commit and the start of the job', async () => {
    const { made, items } = await mendedPreview();
    const { status, body } = await commit(made);
    expect(status).toBe(202);
    const saved = await harness.send(tenant, 'PUT', '/mapping/rules/1', rule('404', '6071'), { seen: 2 });
    expect(saved.status).toBe(200);
    await harness.followUp(tenant);
    const { id } = body['reexport'] as { readonly id: string };
    expect((await harness.send(tenant, 'GET', `/reexports/${id}`)).body).toMatchObject({
      state: 'completed',
      successful: items.length,
    });
    const { rows } = await harness.admin.query<Fields>(
      `SELECT DISTINCT mapping_version, ${PLAN_OF_INTENT} #>> '{0,lines,0,account,code}' AS account FROM posting_intent WHERE installation_id = $1`,
      [tenant.installationId],
    );
    expect(rows).toEqual([{ mapping_version: 2, account: '6110' }]);
  });

  it('requires the digest that was read', async () => {
    const { made } = await mendedPreview();
    expect((await commit(made, '0'.repeat(64))).body['type']).toBe('urn:problem:other-digest');
    expect((await commit(made, 'x')).status).toBe(400);
  });

  it('is not found for another installation', async () => {
    const { made, jobId } = await mendedPreview();
    const other = await harness.addTenant();
    const path = `/previews/${String(made['id'])}`;
    expect((await harness.send(other, 'GET', path)).status).toBe(404);
    expect((await harness.send(other, 'GET', `${path}/entries`)).status).toBe(404);
    expect((await harness.send(other, 'POST', `${path}/commit`, { digest: String(made['digest']) })).status).toBe(404);
    expect((await harness.send(other, 'POST', '/previews', { jobId })).status).toBe(404);
  });
});

describe('an impossible preview', () => {
  it.each([
    ['nothing', {}, 422],
    ['both', { jobId: randomUUID(), items: [{}] }, 422],
    ['no item', { items: [{}] }, 422],
    ['no job', { jobId: 'x' }, 400],
    ['an unknown job', { jobId: randomUUID() }, 404],
    ['too much', { jobId: randomUUID(), limit: 1_001 }, 400],
    ['something else', { other: 1 }, 400],
  ])('is %s', async (_, body, status) => {
    expect((await harness.send(tenant, 'POST', '/previews', body)).status).toBe(status);
  });

  it('is an unknown version', async () => {
    const body = { items: [handedIn(purchase(tenant.companyId))], mappingVersion: 9 };
    expect((await harness.send(tenant, 'POST', '/previews', body)).status).toBe(404);
  });
});
