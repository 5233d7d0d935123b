import { beforeEach, describe, expect, it } from '@jest/globals';
import { Clock } from '../../../kernel/clock.js';
import { toErpCompanyId } from '../../../kernel/ids.js';
import type { ItemVendor } from '../../bookkeeping/item/export-item.js';
import { companyData } from '../../bookkeeping/item/planning.fixtures.js';
import { ConnectedErp } from '../connected-erp.js';
import { ledgerCapabilities } from '../ledger/ledger.erp.js';
import { reusableForMs, type ErpCapabilities } from './capabilities.js';
import { CachedMasterData } from './cached-master-data.js';

class SetClock extends Clock {
  at = new Date('2026-02-10T12:00:00Z');

  override now(): Date {
    return this.at;
  }

  override monotonicMs(): number {
    return this.at.getTime();
  }

  override sleep(): Promise<void> {
    return Promise.resolve();
  }

  passSeconds(seconds: number): void {
    this.at = new Date(this.at.getTime() + seconds * 1_000);
  }
}

let clock: SetClock;
let asked: string[];
let cache: CachedMasterData;

beforeEach(() => {
  clock = new SetClock();
  asked = [];
  cache = new CachedMasterData();
});

const FOR_A_MINUTE = { reusableForMs: 60_000 };

function connect(
  masterData: ErpCapabilities['masterData'] = FOR_A_MINUTE,
  connection = 'one',
  company = 'a',
): ConnectedErp {
  const note =
    <T>(what: string, answer: T) =>
    () => {
      asked.push(what);
      return Promise.resolve(answer);
    };
  const ledger = {
    loadMasterData: note('lists', companyData),
    updateMasterData: (_: unknown, known: typeof companyData, since: Date) => {
      asked.push(`changes since ${since.toISOString()}`);
      return Promise.resolve({ ...known, accounts: [] });
    },
    createVendor: note('vendor', { outcome: 'refused', message: '' }),
  };
  const referenceData = { vendors: note('vendors', undefined) };
  const alone = { signal: new AbortController().signal, deadline: () => clock.at, assertOwner: () => undefined };
  return new ConnectedErp(
    { ledger, referenceData } as unknown as ConstructorParameters<typeof ConnectedErp>[0],
    { ...ledgerCapabilities({ level: 'permanent-key' }), masterData },
    { ...alone, company: toErpCompanyId(company) },
    {
      clock,
      during: (call) => call(),
      findUploadedRates: () => Promise.resolve([]),
      cache: cache.of(connection),
    },
  );
}

const isReused = async (erp: ConnectedErp) => (await erp.reuseMasterData()).isReused;

describe('master-data lists of an ERP', () => {
  it('are read by each job unless the adapter sets a lifetime', () => {
    expect(reusableForMs(ledgerCapabilities({ level: 'permanent-key' }))).toBe(0);
  });

  it('are reused for as long as the adapter allows', async () => {
    const erp = connect();
    expect(await isReused(erp)).toBe(false);
    clock.passSeconds(59);
    expect(await isReused(erp)).toBe(true);
    clock.passSeconds(1);
    expect(await isReused(erp)).toBe(false);
    expect(asked).toEqual(['lists', 'lists']);
  });

  it('are reused for longer, or never, when the adapter says so', async () => {
    const [long, never] = [connect({ reusableForMs: 600_000 }), connect({ reusableForMs: 0 }, 'other')];
    await long.reuseMasterData();
    await never.reuseMasterData();
    clock.passSeconds(500);
    expect([await isReused(long), await isReused(never)]).toEqual([true, false]);
  });

  it('are reused for interactive requests, whatever the lifetime for jobs is', async () => {
    const erp = connect({ reusableForMs: 0 });
    await erp.reuseMasterData(60_000);
    clock.passSeconds(59);
    expect((await erp.reuseMasterData(60_000)).isReused).toBe(true);
    clock.passSeconds(1);
    expect((await erp.reuseMasterData(60_000)).isReused).toBe(false);
  });

  it('are updated with the changes since the last read, where the adapter can list them', async () => {
    const erp = connect({ reusableForMs: 60_000, changesSince: true });
    await erp.reuseMasterData();
    clock.passSeconds(60);
    expect(await erp.reuseMasterData()).toEqual({ masterData: { ...companyData, accounts: [] }, isReused: true });
    clock.passSeconds(90);
    await erp.reuseMasterData();
    expect(asked).toEqual([
      'lists',
      'changes since 2026-02-10T12:00:00.000Z',
      'changes since 2026-02-10T12:01:00.000Z',
    ]);
  });

  it.each<[string, (erp: ConnectedErp) => Promise<unknown>]>([
    ['a vendor is created', (erp) => erp.createVendor({} as ItemVendor, 'key')],
    ['the platform gets them', (erp) => erp.vendors()],
  ])('are read again after %s', async (_, event) => {
    const erp = connect();
    await erp.reuseMasterData();
    await event(erp);
    expect(await isReused(erp)).toBe(false);
  });

  it('are replaced by lists that were requested since', async () => {
    const erp = connect();
    await erp.reuseMasterData();
    clock.passSeconds(50);
    await erp.loadMasterData();
    clock.passSeconds(50);
    expect(await isReused(erp)).toBe(true);
    expect(asked).toEqual(['lists', 'lists']);
  });

  it('belong to one company of one connection', async () => {
    await connect().reuseMasterData();
    expect(await isReused(connect(undefined, 'one', 'b'))).toBe(false);
    expect(await isReused(connect(undefined, 'two'))).toBe(false);
    expect(await isReused(connect())).toBe(true);
  });

  it('are cached up to a number of rows, the most recently used ones', async () => {
    const { accounts, taxCodes, dimensions, vendors, periods } = companyData;
    const values = dimensions.flatMap((dimension) => dimension.values);
    const rows = [accounts, taxCodes, dimensions, values, vendors, periods].reduce((sum, list) => sum + list.length, 1);
    cache = new CachedMasterData(2 * rows);
    const [a, b, c] = ['a', 'b', 'c'].map((company) => connect(undefined, 'one', company));
    for (const erp of [a, b, a, c]) {
      await erp?.reuseMasterData();
    }
    expect(asked).toHaveLength(3);
    expect([await (a && isReused(a)), await (c && isReused(c)), await (b && isReused(b))]).toEqual([true, true, false]);
    cache = new CachedMasterData(rows - 1);
    await connect().reuseMasterData();
    expect(await isReused(connect())).toBe(false);
  });
});
