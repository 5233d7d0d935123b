import { beforeEach, describe, expect, it } from '@jest/globals';
import { companyData } from '../../../../src/connector/bookkeeping/item/planning.fixtures.js';
import { parseLocalDate } from '../../../../src/kernel/local-date.js';
import { accountRule, MappingHarness, SETTINGS, type MappingTenant } from './mapping-harness.js';
import { startedOnce } from '../../../support/started-once.js';

interface Step {
  readonly check: string;
  readonly state: string;
  readonly blocks: string;
  readonly itemTypes: readonly string[];
  readonly detail: string;
  readonly resolvedBy: string | null;
}

const day = (text: string) => {
  const parsed = parseLocalDate(text);
  if (parsed === undefined) throw new Error(text);
  return parsed;
};
const ALWAYS_OPEN = {
  ...companyData,
  periods: [{ name: 'all', from: day('2000-01-01'), to: day('2999-12-31'), open: true }],
};
const COMPLETE = {
  wallets: { EUR: '1935' },
  companyBankByCurrency: {},
  fallbackAccounts: {},
  companyBank: '1930',
  outOfPocket: '2890',
  accountsPayable: '2440',
  fxRounding: '3960',
  realizedFx: '7960',
};

const harness = startedOnce(() => MappingHarness.start());

beforeEach(() => {
  harness.erp.restore();
  harness.erp.masterData = ALWAYS_OPEN;
});

async function setup(office: MappingTenant) {
  const { status, body } = await harness.send(office, 'GET', '/setup', { as: 'viewer' });
  expect(status).toBe(200);
  const steps = body['steps'] as readonly Step[];
  const open = steps.filter(({ state }) => state !== 'done');
  return {
    ready: body['ready'],
    steps,
    open: open.map(({ check, state, blocks }) => [check, state, blocks]),
  };
}

const save = (office: MappingTenant, seen: number, accounts: object) =>
  harness.send(office, 'PUT', '/settings', { as: 'admin', seen, body: { ...SETTINGS, accounts } });

describe('the steps to the first export', () => {
  it('are all open at first', async () => {
    const office = await harness.addTenant({ linked: false, settings: false });
    const { ready, open, steps } = await setup(office);
    expect(ready).toBe(false);
    expect(open).toEqual([
      ['platform-subscription', 'open', 'nothing'],
      ['erp-company', 'open', 'everything'],
      ['policies', 'open', 'everything'],
      ['out-of-pocket', 'open', 'item-types'],
      ['company-bank', 'open', 'item-types'],
      ['accounts-payable', 'open', 'item-types'],
      ['fx-rounding', 'open', 'item-types'],
      ['realized-fx', 'open', 'item-types'],
      ['test-posting', 'open', 'nothing'],
      ['alerts', 'open', 'nothing'],
    ]);
    expect(steps.find(({ check }) => check === 'erp-company')).toEqual({
      check: 'erp-company',
      state: 'open',
      blocks: 'everything',
      itemTypes: [],
      detail:
        'No company of the accounting system is linked: connect the accounting system, then choose the one to post to.',
      resolvedBy: 'PUT /api/v1/erp-company',
      kind: 'accounting-system',
      field: null,
      candidates: [],
      proposal: null,
      why: null,
    });
  });

  it('are all done at the end', async () => {
    const office = await harness.addTenant({ settings: false });
    await save(office, 0, COMPLETE);
    expect(await setup(office)).toMatchObject({
      ready: true,
      open: [
        ['platform-subscription', 'open', 'nothing'],
        ['test-posting', 'open', 'nothing'],
        ['alerts', 'open', 'nothing'],
      ],
    });
  });

  it('name an account that the ERP does not have or has archived, and what it blocks', async () => {
    const office = await harness.addTenant({ settings: false });
    const accounts = {
      ...COMPLETE,
      outOfPocket: '9999',
      wallets: { EUR: '1935', USD: '4711' },
      companyBank: undefined,
    };
    const saved = await save(office, 0, accounts);
    const { ready, open, steps } = await setup(office);
    expect(ready).toBe(false);
    expect(open.slice(1)).toEqual([
      ['wallet-USD', 'open', 'everything'],
      ['out-of-pocket', 'open', 'everything'],
      ['company-bank', 'open', 'item-types'],
      ['test-posting', 'open', 'nothing'],
      ['alerts', 'open', 'nothing'],
    ]);
    // Saving says the same.
    const shown = ['test-posting', 'alerts'];
    expect(saved.body['setup']).toEqual({ ready, steps: steps.filter(({ check }) => !shown.includes(check)) });
    expect(steps.find(({ check }) => check === 'company-bank')).toMatchObject({
      itemTypes: ['external_reimbursement', 'wallet_topup', 'wallet_unload'],
    });
    expect(steps.find(({ check }) => check === 'out-of-pocket')).toMatchObject({
      itemTypes: [],
      detail:
        '"Out-of-pocket" names account 9999. The accounting system’s account 9999 (Closed account) is not active: choose another, or activate it there.',
      resolvedBy: 'PUT /api/v1/settings',
    });
  });

  it('report that accounts are unknown while the ERP does not respond', async () => {
    const office = await harness.addTenant({ settings: false });
    await save(office, 0, COMPLETE);
    harness.erp.failure = { kind: 'authentication', message: 'secret detail' };
    const { ready, open, steps } = await setup(office);
    expect(ready).toBe(false);
    expect(open).toContainEqual(['erp-reachable', 'open', 'everything']);
    expect(open).toContainEqual(['out-of-pocket', 'not-known', 'item-types']);
    const texts = steps.map(({ detail }) => detail).join(' ');
    expect(texts).toContain('does not accept the connector’s credentials');
    expect(texts).not.toContain('secret detail');
  });

  it('require the linked company, an open period and a connection', async () => {
    const office = await harness.addTenant();
    harness.erp.masterData = undefined;
    expect((await setup(office)).open).toContainEqual(['erp-company', 'open', 'everything']);
    harness.erp.masterData = { ...companyData, periods: [] };
    expect((await setup(office)).open).toContainEqual(['open-period', 'open', 'everything']);
    await harness.admin.query(`UPDATE installation SET state = 'needs_reauthorization' WHERE id = $1`, [
      office.installationId,
    ]);
    const { ready, open } = await setup(office);
    expect([ready, open[0]]).toEqual([false, ['platform-connection', 'open', 'everything']]);
  });

  it.each([
    ['before the platform has confirmed a subscription', null, 'open', 'GET /connect'],
    ['while the subscription is active', 'ACTIVE', 'done', null],
    ['after the platform has switched it off', 'DISABLED', 'open', 'PUT /api/v1/subscription'],
    ['after an administrator has switched it off', 'INACTIVE', 'open', 'PUT /api/v1/subscription'],
  ])('say whether the platform notifies: %s', async (_, confirmed, state, resolvedBy) => {
    const office = await harness.addTenant();
    await harness.admin.query(
      `INSERT INTO subscription (installation_id, endpoint_token, endpoint_token_hash, confirmed_status, confirmed_at, updated_at)
       VALUES ($1, 'sealed', decode(md5($2), 'hex'), $3, CASE WHEN $3::text IS NOT NULL THEN now() END, now())`,
      [office.installationId, office.installationId, confirmed],
    );
    const { steps } = await setup(office);
    expect(steps.find(({ check }) => check === 'platform-subscription')).toMatchObject({ state, resolvedBy });
  });

  it('count the rules with a deleted target', async () => {
    const office = await harness.addTenant();
    await harness.send(office, 'POST', '/mapping/rules/bulk', {
      seen: 1,
      body: { upserts: [accountRule('1', '6071'), accountRule('2', '6110')] },
    });
    const accounts = companyData.accounts.filter(({ code }) => code !== '6071');
    harness.erp.masterData = { ...ALWAYS_OPEN, accounts };
    const { steps } = await setup(office);
    expect(steps.find(({ check }) => check === 'rules')).toMatchObject({
      state: 'open',
      blocks: 'nothing',
      detail: expect.stringMatching(/^1 of the 2 mapping rules/),
    });
  });
});
