import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { companyData, day, itemOf } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { MappingRuleRepository } from '../../../../src/connector/mapping/mapping-rule.repository.js';
import { NoResponse } from '../../../../src/foundation/http/client/http-client.js';
import { fetched, purchase } from '../exports/exports-harness.js';
import { ReviewHarness, type ReviewTenant } from './review-harness.js';
import { startedOnce } from '../../../support/started-once.js';

const harness = startedOnce(() => ReviewHarness.start());
let tenant: ReviewTenant;

beforeEach(async () => {
  harness.erp.restore();
  harness.platform.restore();
  tenant = await harness.addTenant();
});

const rule = (target: string) => ({ subject: 'account', source: '404', target });
const explain = (id: string, of = tenant) => harness.send(of, 'GET', `/entries/${id}/explanation`);

describe('an explanation of an entry', () => {
  it('names item, lines, rule, version, rate and period, and is the same today', async () => {
    await harness.send(tenant, 'POST', '/mapping/rules?reason=New%20chart', rule('6110'), { seen: 1 });
    const periods = [
      { name: '2026-02', from: day('2026-02-01'), to: day('2026-02-28'), open: false },
      { name: '2026-03', from: day('2026-03-01'), to: day('2026-03-31'), open: true },
    ];
    const settings = {
      accounts: companyData.settings,
      policies: { ...companyData.policies, closedPeriod: 'next-open' },
    };
    await harness.send(tenant, 'PUT', '/settings', settings, { as: 'admin', seen: 2 });
    harness.erp.masterData = { ...companyData, periods };
    const id = randomUUID();
    const item = itemOf({
      type: 'card_purchase',
      amount: '3003',
      currency: 'USD',
      contra: '1936',
      note: 'Lunch',
      lines: [{ amount: '3003', account: '404' }],
    });
    const job = await harness.export(tenant, [fetched(tenant.companyId, id, item)]);
    expect(job.status).toBe('completed');
    const { status, body } = await explain(id);
    expect([status, body]).toMatchObject([
      200,
      {
        accountingEntryId: id,
        state: 'posted',
        exportJobId: job.id,
        item: { type: 'card_purchase', accountingEntryLines: [{ account: { code: '404' } }] },
        entries: [
          {
            postingDate: '2026-03-01',
            originalDate: '2026-02-10',
            rate: '0.9123',
            lines: [
              { account: { code: '6110', decision: { by: 'rule', ruleId: '1' } } },
              { account: { code: '1936', decision: { by: 'contra-account' } } },
            ],
          },
        ],
        version: { version: 3, action: 'settings' },
        rules: [{ id: '1', source: '404', target: '6110' }],
        laterChanges: [],
        today: { outcome: 'same', source: 'stored', mappingVersion: 3, differences: [] },
      },
    ]);
    expect(JSON.stringify(body['item'])).not.toContain('Lunch');
  });

  it('names the changes that affect it with their authors, and the plan of today', async () => {
    await harness.send(tenant, 'POST', '/mapping/rules', rule('6110'), { seen: 1 });
    const item = purchase(tenant.companyId, { account: '404' });
    await harness.export(tenant, [item]);
    await harness.send(tenant, 'POST', '/mapping/rules', { ...rule('5800'), source: '405' }, { seen: 2 });
    await harness.send(tenant, 'PUT', '/mapping/rules/1?reason=Wrong%20account', rule('6071'), { seen: 3 });
    const wallets = {
      accounts: { ...companyData.settings, wallets: { EUR: '1937', USD: '1936' } },
      policies: companyData.policies,
    };
    await harness.send(tenant, 'PUT', '/settings', wallets, { as: 'admin', seen: 4 });
    expect((await explain(item.accountingEntryId)).body).toMatchObject({
      version: { version: 2 },
      laterChanges: [
        {
          version: { version: 5 },
          settings: [{ pointer: '/accounts/wallets/EUR', before: '1935', after: '1937' }],
          rules: [],
        },
        {
          version: { version: 4, reason: 'Wrong account' },
          settings: [],
          rules: [{ change: 'changed', id: '1', before: { target: '6110' }, after: { target: '6071' } }],
        },
      ],
      today: {
        outcome: 'different',
        source: 'stored',
        mappingVersion: 5,
        differences: [
          { pointer: '/0/lines/0/account/code', before: '6110', after: '6071' },
          { pointer: '/0/lines/1/account/code', before: '1935', after: '1937' },
        ],
      },
    });
  });

  it('reads of each later save the rules that have decided it, not all that there are', async () => {
    const others = Array.from({ length: 200 }, (_, index) => ({ ...rule('6110'), source: `old-${index.toString()}` }));
    await harness.send(tenant, 'POST', '/mapping/rules/bulk', { upserts: [rule('6110'), ...others] }, { seen: 1 });
    const item = purchase(tenant.companyId, { account: '404' });
    await harness.export(tenant, [item]);
    for (const [index, target] of ['6071', '5800', '6110', '6071'].entries()) {
      await harness.send(tenant, 'PUT', '/mapping/rules/1', rule(target), { seen: index + 2 });
    }
    const read = jest.spyOn(harness.app.get(MappingRuleRepository, { strict: false }), 'ofVersion');
    const { body } = await explain(item.accountingEntryId);
    const onlyThese = read.mock.calls.filter(([, , , ids]) => ids?.size === 1);
    read.mockRestore();
    expect(body['laterChanges']).toHaveLength(4);
    // Both versions of each of four saves.
    expect(onlyThese).toHaveLength(8);
  });

  it('states why it would fail today', async () => {
    const item = purchase(tenant.companyId);
    await harness.export(tenant, [item]);
    harness.erp.masterData = {
      ...companyData,
      accounts: companyData.accounts.filter(({ code }) => code !== '5410'),
    };
    expect((await explain(item.accountingEntryId)).body['today']).toMatchObject({
      outcome: 'fails',
      source: 'stored',
      reason: expect.stringContaining('account 5410'),
    });
  });

  it('shows what is stored while neither the accounting system nor the platform can be asked', async () => {
    const item = purchase(tenant.companyId);
    harness.platform.before = (call) => {
      if (call === 'completed') throw new NoResponse('lost', false);
    };
    await harness.export(tenant, [item]);
    harness.platform.before = () => {
      throw new NoResponse('lost', false);
    };
    harness.erp.failure = { kind: 'timeout', message: 'secret words of the ERP' };
    harness.clock.passMinutes(60);
    expect(await explain(item.accountingEntryId)).toMatchObject({
      status: 200,
      body: {
        state: 'posted',
        item: { type: 'card_purchase' },
        entries: [{ lines: [{ account: { code: '5410' } }, {}] }],
        today: {
          outcome: 'not-known',
          reason: 'What it would be today is not known: the accounting system cannot be asked now. Try again later.',
        },
      },
    });
  });

  it('of a failed entry states what blocks it, and its plan after that is resolved', async () => {
    const failed = purchase(tenant.companyId, { account: '404' });
    const { id: exportJobId } = await harness.export(tenant, [failed]);
    expect((await explain(failed.accountingEntryId)).body).toMatchObject({
      accountingEntryId: failed.accountingEntryId,
      state: 'failed',
      revision: 0,
      exportJobId,
      failureReason: expect.stringContaining('404'),
      blockedBy: [{ issueKey: 'account:404', suggestedResolution: { action: 'rule' }, entries: 1 }],
      item: { accountingEntryLines: [{ account: { code: '404' } }] },
      entries: [],
      version: null,
      today: { outcome: 'fails', source: 'stored', reason: expect.stringContaining('404') },
    });
    await harness.send(tenant, 'POST', '/mapping/rules', rule('6110'), { seen: 1 });
    expect((await explain(failed.accountingEntryId)).body['today']).toMatchObject({
      outcome: 'posts',
      mappingVersion: 2,
      differences: [],
      entries: [{ lines: [{ account: { code: '6110', decision: { by: 'rule' } } }, { account: { code: '1935' } }] }],
    });
  });

  it('of an entry whose vendor the next export creates is that it would be posted', async () => {
    const policies = { ...companyData.policies, unknownVendor: 'create' };
    await harness.send(
      tenant,
      'PUT',
      '/settings',
      { accounts: companyData.settings, policies },
      { as: 'admin', seen: 1 },
    );
    const invoice = itemOf({
      type: 'invoice',
      amount: '100',
      method: 'accounts_payable',
      vendor: 'V-77',
      invoice: { invoiceNumber: 'A-1' },
      lines: [{ amount: '100', account: '404' }],
    });
    const id = randomUUID();
    await harness.export(tenant, [fetched(tenant.companyId, id, invoice)]);
    await harness.send(tenant, 'POST', '/mapping/rules', rule('6110'), { seen: 2 });
    expect((await explain(id)).body['today']).toEqual({
      outcome: 'posts-with-new-vendor',
      source: 'stored',
      mappingVersion: 3,
      entries: [],
      differences: [],
      reason: expect.stringMatching(
        /^Vendor ".+" is not in the .+: the next export creates it, then posts the entry\.$/,
      ),
    });
  });

  it('of an export that is not over is read from the platform, no further than the entry', async () => {
    const items = Array.from({ length: 250 }, () => purchase(tenant.companyId));
    harness.platform.before = (call) => {
      if (call === 'completed') throw new NoResponse('lost', false);
    };
    await harness.export(tenant, items);
    harness.platform.calls.length = 0;
    const { body } = await explain(items[120]?.accountingEntryId ?? '');
    expect(body['today']).toMatchObject({ outcome: 'same', source: 'platform' });
    expect(harness.platform.calls).toEqual(['item-data', 'item-data']);
  });

  it('is not found for another installation, or for an entry without an export', async () => {
    const item = purchase(tenant.companyId);
    await harness.export(tenant, [item]);
    expect((await explain(item.accountingEntryId, await harness.addTenant())).status).toBe(404);
    expect((await explain(randomUUID())).status).toBe(404);
    expect((await explain('x')).status).toBe(404);
  });
});
