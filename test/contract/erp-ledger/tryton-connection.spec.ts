// What the contract of adapters does not ask of Tryton's: its sessions, its settings, what people do beside it, and the
// lists for the platform's users.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import type { ConnectedErp } from '../../../src/connector/erp/connected-erp.js';
import type { PostingGroup } from '../../../src/connector/erp/erp-ledger.js';
import { openAdapter } from '../../../src/connector/erp/kit/open-adapter.js';
import { tryton as definition } from '../../../src/connector/erp/tryton/tryton.erp.js';
import { ErpKinds } from '../../../src/connector/erp-connections/erp-kinds.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { toErpCompanyId } from '../../../src/kernel/ids.js';
import { startedOnce } from '../../support/started-once.js';
import { MemoryErpStore } from '../../../src/erp-contract/memory-erp-store.js';
import { callScope } from '../../support/one-erp.js';
import { HttpProxy } from '../../../src/erp-contract/http-proxy.js';
import { connectTryton } from '../../support/tryton/connected-tryton.js';
import { dateOf } from '../../support/tryton/tryton-client.js';
import { describeTryton } from '../../support/tryton/describe-tryton.js';
import { day, plannedEntry, plannedLine, postingGroup } from '../../../src/erp-contract/posting-group.builder.js';
import { entriesUnder, methodOf } from './tryton-harness.js';

jest.setTimeout(300_000);

const LOGIN = 'common.db.login';

describe('the settings of a connection to Tryton', () => {
  const settings = {
    address: 'https://tryton.example.com/',
    database: 'books',
    user: 'u',
    password: 'p',
    journal: 'X',
  };
  const kinds = new ErpKinds([definition]);

  it.each([
    ['everything that is required', {}, []],
    ['no address', { address: 'tryton' }, ['/address']],
    ['time for a request that is none', { requestSeconds: 0 }, ['/requestSeconds']],
    ['something unknown', { port: 8000 }, ['/port']],
  ])('with %s', (_, more, pointers) => {
    expect(kinds.problemsOf('tryton', { ...settings, ...more }).map(({ pointer }) => pointer)).toEqual(pointers);
  });

  it('identify one system, however the address is written', () => {
    expect(definition.systemOf(settings)).toBe(
      definition.systemOf({ ...settings, address: 'https://tryton.example.com' }),
    );
  });
});

describeTryton('a connection to Tryton', () => {
  const tryton = startedOnce(connectTryton);
  const proxy = startedOnce(() => HttpProxy.start(0, tryton.server.url));
  let ids: ReadonlyMap<string, string>;

  beforeAll(async () => {
    const accounts = await tryton.connect().accounts();
    ids = new Map(accounts?.map(({ code, externalId }) => [code, externalId]));
  });

  const line = (code: string, minor: bigint) => {
    const planned = plannedLine(code, minor);
    return { ...planned, account: { ...planned.account, id: (ids.get(code) ?? '') as typeof planned.account.id } };
  };
  const newGroup = (): PostingGroup =>
    postingGroup(randomUUID(), { entries: [plannedEntry([line('5410', 1_000n), line('1935', -1_000n)])] });
  const post = async (erp: ConnectedErp, group = newGroup()) => (await erp.post([group]))[0];

  it('logs in once, and again when its session has ended', async () => {
    const erp = tryton.connect({ address: proxy.url });
    const methods = () => proxy.seen.map(methodOf);
    await erp.listCompanies();
    expect(await post(erp)).toMatchObject({ outcome: 'created' });
    expect(methods().filter((method) => method === LOGIN)).toHaveLength(1);

    for (const act of [() => erp.listCompanies(), () => post(erp)]) {
      await logOut();
      await act();
    }
    expect(methods().filter((method) => method === LOGIN)).toHaveLength(3);
    expect(await post(erp)).toMatchObject({ outcome: 'created' });
  });

  /** Ends the session that was used last. */
  const logOut = async () => {
    const { path, headers } = proxy.seen.at(-1) ?? { path: '', headers: {} };
    const body = JSON.stringify({ id: 1, method: 'common.db.logout', params: [] });
    const sent = { 'content-type': 'application/json', authorization: headers.authorization ?? '' };
    const response = await fetch(new URL(path, tryton.server.url), { method: 'POST', headers: sent, body });
    expect(response.status).toBe(200);
  };

  it.each([
    ['a wrong password', { password: 'wrong' }, { kind: 'authentication' }],
    ['a database that does not exist', { database: 'no_such' }, { kind: 'server-error' }],
    ['a journal that does not exist', { journal: 'NONE' }, { message: expect.stringContaining('NONE') }],
  ])('posts nothing with %s, and reports it', async (_, settings, failure) => {
    const erp = tryton.connect({ settings });
    expect(await post(erp)).toMatchObject({ outcome: 'not-sent', failure });
    await expect(erp.findPosted([randomUUID()])).rejects.toMatchObject({ failure });
  });

  it('reports its version, and the permissions of its user', async () => {
    const adapter = openAdapter(definition, tryton.settings(tryton.server.url), {
      connectionId: 'facts',
      clock: new SystemClock(),
      store: new MemoryErpStore(),
      log: () => undefined,
      client: {},
    });
    try {
      expect(await adapter.describe(callScope())).toEqual({
        version: expect.stringMatching(/^\d+\.\d+/),
        may: { post: true, 'create-vendors': true, 'post-to-closed-periods': false },
      });
    } finally {
      adapter.close();
    }
  });

  it('finds what was posted to the previously configured journal', async () => {
    const group = newGroup();
    await post(tryton.connect(), group);
    const erp = tryton.connect({ settings: { journal: 'EXP' } });
    expect([...(await erp.findPosted([group.key])).keys()]).toEqual([group.key]);
    expect(await post(erp, group)).toMatchObject({ outcome: 'unknown' });
  });

  it('works where analytic accounts are not in use', async () => {
    const erp = tryton.connect({ settings: { analyticAccounts: false } });
    const group = newGroup();
    expect(await post(erp, group)).toMatchObject({ outcome: 'created' });
    expect((await erp.inspect([group.key])).get(group.key)).toMatchObject([
      { entries: [{ lines: [{ amountMinor: 1_000n }, { amountMinor: -1_000n }] }] },
    ]);
    expect(await erp.reverse([group.key])).toEqual([{ outcome: 'reversed' }]);
    expect(await erp.dimensions()).toEqual([]);
  });

  it('recognizes a reversal made by a person, once it is posted', async () => {
    const erp = tryton.connect();
    const group = newGroup();
    await post(erp, group);
    const [posted] = (await erp.findPosted([group.key])).get(group.key)?.entries ?? [];
    const [reversal] = (await tryton.client.call('account.move.copy', [Number(posted?.id)], {
      origin: `account.move,${posted?.id ?? ''}`,
      description: 'Wrong account',
    })) as readonly number[];
    const isReversed = async () => (await erp.findPosted([group.key])).get(group.key)?.reversed;
    expect(await isReversed()).toBe(false);
    await tryton.client.call('account.move.post', [reversal]);
    expect(await isReversed()).toBe(true);
    expect(await erp.reverse([group.key])).toEqual([{ outcome: 'reversed' }]);
    expect(await entriesUnder(tryton, group.key)).toHaveLength(1);
  });

  it('reverses an entry of a closed period today', async () => {
    const erp = tryton.connect();
    const [first] = newGroup().entries;
    const february = { ...first, postingDate: day('2026-02-10') } as NonNullable<typeof first>;
    const group = { ...newGroup(), entries: [february] };
    await post(erp, group);
    const [period] = await tryton.client.search('account.period', [['start_date', '=', dateOf('2026-02-01')]], []);
    await tryton.client.call('account.period.close', [period?.id]);
    const june = new SystemClock();
    june.now = () => new Date('2026-06-15T12:00:00Z');
    const later = tryton.connect({ clock: june });
    expect(await later.reverse([group.key])).toEqual([{ outcome: 'reversed' }]);
    const booked = await entriesUnder(tryton, group.key);
    expect(booked.map(({ role, postingDate }) => [role, postingDate])).toEqual([
      ['entry', '2026-02-10'],
      ['reversal', '2026-06-15'],
    ]);
  });

  it('lists what the platform’s users choose from', async () => {
    const erp = tryton.connect();
    expect(await erp.accounts()).toContainEqual({
      externalId: ids.get('9999'),
      code: '9999',
      name: 'Old expenses',
      active: false,
      taxCode: null,
    });
    expect(await erp.taxCodes()).toMatchObject([
      { code: 'I25', name: 'Input VAT 25 %', rate: '0.25', active: true, inputAccount: '2640' },
    ]);
    expect(await erp.dimensions()).toEqual([
      { code: 'CC', name: 'Cost center', active: true, values: [{ code: '100', name: 'Sales', active: true }] },
    ]);
    const vendors = await erp.vendors();
    expect(vendors?.functionalCurrency).toBe('EUR');
    expect(vendors?.vendors).toContainEqual(
      expect.objectContaining({ number: 'V-8', name: 'Vendor 8', isEmployee: false, usable: false }),
    );
    expect(await tryton.connect({ caller: { company: toErpCompanyId('999') } }).vendors()).toBeUndefined();
  });
});
