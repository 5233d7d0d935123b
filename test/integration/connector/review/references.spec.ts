import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { account, itemOf, itemVendor } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { fetched } from '../exports/exports-harness.js';
import { startedOnce } from '../../../support/started-once.js';
import { ReviewHarness, type ReviewTenant } from './review-harness.js';

// What the platform's users choose from, with what becomes of it in the books and how much it is used.

const harness = startedOnce(() => ReviewHarness.start());
let tenant: ReviewTenant;

const list = async (path: string, of = tenant) => (await harness.send(of, 'GET', `/reference-data/${path}`)).body;
const rowsOf = async (path: string) => (await list(path))['data'] as readonly Readonly<Record<string, unknown>>[];
const namesOf = async (path: string) => (await rowsOf(path)).map(({ name }) => name);

beforeEach(async () => {
  harness.erp.restore();
  harness.platform.restore();
  for (const known of [
    harness.platform.referenceData.accounts,
    harness.platform.referenceData.vendors,
    harness.platform.referenceData.groups,
  ])
    known.clear();
  harness.platform.referenceData.tags.clear();
  harness.platform.referenceData.taxCodes.clear();
  tenant = await harness.addTenant();
});

function addCategory(
  code: string,
  name: string,
  more: { readonly externalId?: string; readonly archived?: boolean } = {},
) {
  const id = randomUUID();
  const { externalId = `platform-${code}`, archived = false } = more;
  harness.platform.referenceData.accounts.set(id, {
    id,
    code,
    name,
    externalId,
    archived,
    taxCodeExternalId: null,
    metadata: null,
  });
  return id;
}

describe('the list of categories', () => {
  let unknown: string;

  beforeEach(() => {
    addCategory('6110', 'By code');
    addCategory('X-1', 'By id in the ERP', { externalId: 'acc-6540' });
    unknown = addCategory('404', 'Unknown');
    addCategory('405', 'Unknown and never used');
    addCategory('406', 'Archived', { archived: true });
    addCategory('9999', 'Of a closed account');
  });

  it('has those of the platform, unmapped first whether they failed or not, most used first', async () => {
    const purchase = (amount: string, id: string) =>
      fetched(
        tenant.companyId,
        randomUUID(),
        itemOf({ type: 'card_purchase', amount, lines: [{ amount, account: account('404', { id }) }] }),
      );
    await harness.export(tenant, [purchase('1250', unknown), purchase('750', unknown)]);
    const body = await list('categories');
    expect((body['data'] as readonly { name: string }[]).map(({ name }) => name)).toEqual([
      'Unknown',
      'Unknown and never used',
      'Of a closed account',
      'By code',
      'By id in the ERP',
      'Archived',
    ]);
    expect(body).toMatchObject({
      total: 6,
      counts: { unmapped: 3, broken: 0, partly: 0, mapped: 2 },
      nextCursor: null,
    });
    expect((body['data'] as readonly object[])[0]).toEqual({
      id: unknown,
      code: '404',
      name: 'Unknown',
      group: null,
      groupName: null,
      active: true,
      state: 'unmapped',
      ruleId: null,
      furtherRules: 0,
      target: null,
      entries: 2,
      amounts: [{ amountMinor: '2000', currency: 'EUR', exponent: 2 }],
      lastUsed: '2026-02-10',
    });
    expect((body['data'] as readonly object[])[4]).toMatchObject({
      state: 'mapped',
      target: { group: null, code: '6540', name: 'Software' },
      entries: 0,
      amounts: [],
      lastUsed: null,
    });
  });

  it('shows one as mapped as soon as its rule is saved, and as partly mapped for some entry types only', async () => {
    expect((await rowsOf('categories?search=404'))[0]).toMatchObject({ state: 'unmapped' });
    const rule = { subject: 'account', source: '404', target: '6110' };
    await harness.send(tenant, 'POST', '/mapping/rules', { ...rule, itemType: 'mileage' }, { seen: 1 });
    expect((await rowsOf('categories?search=404'))[0]).toMatchObject({
      state: 'partly',
      ruleId: null,
      furtherRules: 1,
    });
    await harness.send(tenant, 'POST', '/mapping/rules', rule, { seen: 2 });
    expect((await rowsOf('categories?search=404'))[0]).toMatchObject({
      state: 'mapped',
      ruleId: '2',
      furtherRules: 1,
      target: { code: '6110', name: 'Office' },
    });
  });

  it.each([
    ['state=mapped', ['By code', 'By id in the ERP']],
    ['active=false', ['Archived']],
    ['search=software', ['By id in the ERP']],
    ['search=UNKNOWN', ['Unknown', 'Unknown and never used']],
    [
      'sort=name&active=true',
      ['By code', 'By id in the ERP', 'Of a closed account', 'Unknown', 'Unknown and never used'],
    ],
    ['sort=code&limit=2', ['Unknown', 'Unknown and never used']],
  ])('with ?%s is %j', async (query, expected) => {
    expect(await namesOf(`categories?${query}`)).toEqual(expected);
  });

  it('is paged, each once', async () => {
    const seen: unknown[] = [];
    for (let after = ''; ;) {
      const { data, nextCursor, total } = await list(`categories?sort=name&limit=2${after}`);
      seen.push(...(data as readonly { name: string }[]).map(({ name }) => name));
      expect(total).toBe(6);
      if (typeof nextCursor !== 'string') break;
      after = `&after=${nextCursor}`;
    }
    expect(seen).toEqual(await namesOf('categories?sort=name'));
  });
});

describe('a list that changes while it is read', () => {
  const LONG = `${'Ærø & Søn '.repeat(20)} `;
  const codes = Array.from({ length: 6 }, (_, index) => (401 + index).toString());
  let ids: readonly string[];

  beforeEach(() => {
    ids = codes.map((code) => addCategory(code, `${LONG}${code}`));
  });

  /** Codes of all pages of two; `change` runs after the first. */
  async function walk(query: string, change: () => Promise<unknown>): Promise<readonly unknown[]> {
    const seen: unknown[] = [];
    for (let after = ''; ;) {
      const { data, nextCursor } = await list(`categories?${query}&limit=2${after}`);
      seen.push(...(data as readonly { code: string }[]).map(({ code }) => code));
      if (typeof nextCursor !== 'string') return seen;
      if (after === '') await change();
      after = `&after=${nextCursor}`;
    }
  }

  it.each(['state', 'code', 'name', '-entries', '-lastUsed'])('goes on where its page ended, by %s', async (sort) => {
    const map = () =>
      harness.send(
        tenant,
        'POST',
        '/mapping/rules',
        { subject: 'account', source: '402', target: '6110' },
        { seen: 1 },
      );
    expect(await walk(`state=unmapped&sort=${sort}`, map)).toEqual(codes);
  });

  it('goes on although its last row was deleted on the platform', async () => {
    const remove = async () => {
      harness.platform.referenceData.accounts.delete(ids[1] ?? '');
      harness.clock.freezeMinutes(2);
      return Promise.resolve();
    };
    expect(await walk('sort=code', remove)).toEqual(codes);
  });
});

describe('the lists of tags, tax codes and vendors', () => {
  it('show the mapping targets', async () => {
    const group = randomUUID();
    harness.platform.referenceData.groups.set(group, {
      id: group,
      code: 'CC',
      name: 'Cost center',
      archived: false,
      metadata: {},
    });
    for (const code of ['100', 'South'])
      harness.platform.referenceData.addTag(group, { code, name: `Center ${code}`, archived: false });
    expect(await rowsOf('tags')).toMatchObject([
      { code: 'South', group: 'CC', groupName: 'Cost center', state: 'unmapped', target: null },
      { code: '100', state: 'mapped', target: { group: 'CC', code: '100' } },
    ]);
    for (const code of ['25', 'OLD']) {
      const id = randomUUID();
      const more = {
        rate: 0.25,
        type: 'inclusive',
        archived: false,
        ingoingTaxAccount: null,
        outgoingTaxAccount: null,
      };
      harness.platform.referenceData.taxCodes.set(id, { id, code, name: `Tax ${code}`, ...more });
    }
    expect(await rowsOf('tax-codes')).toMatchObject([
      { code: 'OLD', state: 'unmapped' },
      { code: '25', state: 'mapped', target: { code: '25', name: 'Tax 25' } },
    ]);
    for (const code of ['V-7', 'V-404']) {
      const id = randomUUID();
      const more = { country: 'DK', registrationNumber: null, taxRegistrationNumber: null, externalId: null };
      harness.platform.referenceData.vendors.set(id, {
        id,
        code,
        name: `Named ${code}`,
        state: 'ACTIVE',
        defaultCurrency: 'EUR',
        ...more,
      });
    }
    expect(await rowsOf('vendors')).toMatchObject([
      { code: 'V-404', state: 'unmapped' },
      { code: 'V-7', state: 'mapped', target: { group: null, code: 'V-7', name: 'Vendor V-7' } },
    ]);
  });
});

describe('entries of real exports', () => {
  it('are found by supplier, number in the ERP, amount and account', async () => {
    const id = randomUUID();
    const item = itemOf({
      type: 'card_purchase',
      amount: '4550',
      vendor: itemVendor('V-7', { name: 'Papier Müller' }),
    });
    await harness.export(tenant, [fetched(tenant.companyId, id, item)]);
    const found = async (query: string) =>
      (await harness.send(tenant, 'GET', `/entries?${query}`)).body['data'] as readonly {
        accountingEntryId: string;
        externalId: string;
      }[];
    const [entry] = await found('search=muller');
    expect(entry).toMatchObject({ accountingEntryId: id, state: 'posted', revision: 1, documentNumber: null });
    for (const query of [
      `search=${entry?.externalId ?? ''}`,
      'amount=45.5',
      'account=5410',
      'state=posted',
      'from=2026-02-10',
    ]) {
      expect([query, (await found(query)).map((each) => each.accountingEntryId)]).toEqual([query, [id]]);
    }
    expect(await found('from=2026-02-11')).toEqual([]);
  });
});
