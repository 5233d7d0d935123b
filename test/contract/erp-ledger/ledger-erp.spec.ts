import { beforeEach, describe, expect, it } from '@jest/globals';
import { ErpUnavailable } from '../../../src/connector/erp/erp-ledger.js';
import { callScope, openLedgerAdapter } from '../../support/one-erp.js';
import { toErpCompanyId, toErpTaxCodeId, toErpVendorId, type ErpCompanyId } from '../../../src/kernel/ids.js';
import { createCompany, startLedgerServer } from './ledger-server.js';
import {
  currency,
  day,
  EXPORT_JOB,
  INSTALLATION,
  plannedEntry,
  plannedLine,
  postingGroup,
} from '../../../src/erp-contract/posting-group.builder.js';
import { startedOnce } from '../../support/started-once.js';

// What only the ledger's adapter does; what every adapter has to do is in suite/.

const server = startedOnce(startLedgerServer);
let company: ErpCompanyId;

beforeEach(async () => {
  company = await createCompany(server);
});

const entries = async () =>
  (await server.get<{ readonly data: readonly unknown[] }>(`/companies/${company}/journal-entries`)).data;

describe('reading', () => {
  it('loads the master data of a company', async () => {
    const books = await server.erpOf(company).loadMasterData();
    expect(books).toMatchObject({
      functionalCurrency: 'EUR',
      timeZone: 'Europe/Copenhagen',
      taxCodes: [{ externalId: 'I25', code: 'I25', inputAccount: '2641', deductible: '0.5', active: true }],
      dimensions: [{ code: 'CC', active: true, values: [{ code: '100', active: true }] }],
      periods: [
        { name: '2026-01-01 to 2026-01-31', from: '2026-01-01', to: '2026-01-31', open: false },
        { from: '2026-02-01', to: '2026-12-31', open: true },
      ],
    });
    expect(books?.accounts).toHaveLength(7);
    expect(books?.accounts[0]).toEqual({
      externalId: 'acc-1935',
      code: '1935',
      name: 'Wallet',
      type: 'asset',
      active: true,
    });
    expect(books?.vendors).toMatchObject([
      {
        code: 'V-7',
        name: 'Papier GmbH',
        country: 'DE',
        taxNumber: 'DE 1',
        payablesAccount: '2440',
        blocked: false,
      },
      { code: 'V-8', name: 'Gone Ltd', blocked: true, isEmployee: false },
    ]);
  });

  it('reads paged lists to their end', async () => {
    const data = Array.from({ length: 1_000 }, (_, index) => ({
      code: `X${index.toString()}`,
      name: 'x',
      type: 'expense',
    }));
    await server.put(`/companies/${company}/accounts`, { data });
    const books = await server.erpOf(company).loadMasterData();
    expect(new Set(books?.accounts.map((account) => account.code)).size).toBe(1_007);
  });

  it('reports a wrong key', async () => {
    const adapter = openLedgerAdapter(server.url, 'another-key-than-that');
    const failure = await adapter.listCompanies(callScope()).catch((error: unknown) => error);
    adapter.close();
    expect(failure).toBeInstanceOf(ErpUnavailable);
    expect(failure).toMatchObject({ failure: { kind: 'authentication' } });
  });
});

describe('creating a vendor', () => {
  const bolt = {
    id: '0198c5a0-0000-7000-8000-00000000000b',
    name: ' Bolt OÜ ',
    country: 'ee',
    taxRegistrationNumber: 'EE 100',
    defaultCurrency: 'nonsense',
  };

  it('sends what the ledger accepts, and returns the number', async () => {
    expect(await server.erpOf(company).createVendor(bolt, 'k1')).toMatchObject({
      outcome: 'created',
      vendor: { code: 'V-00001', name: 'Bolt OÜ', country: 'EE', taxNumber: 'EE 100', blocked: false },
    });
  });

  it('passes on the reason of a refusal', async () => {
    expect(await server.erpOf(company).createVendor({ ...bolt, code: 'V-7' }, 'k1')).toEqual({
      outcome: 'refused',
      message: 'The company already has a vendor with this number.',
    });
  });
});

describe('posting', () => {
  it('creates all entries of a group with all their fields', async () => {
    const vendor = { id: toErpVendorId('id of V-7'), code: 'V-7' };
    const invoice = plannedEntry(
      [
        plannedLine('5410', 9_900n, {
          taxCode: { id: toErpTaxCodeId('I25'), code: 'I25', decision: { by: 'code' } },
          dimensions: [{ dimension: 'CC', value: '100', decision: { by: 'code' } }],
        }),
        plannedLine('2440', -9_900n, { vendor }),
      ],
      {
        role: 'invoice',
        documentNumber: 'A-17',
        documentDate: day('2026-02-27'),
        dueDate: day('2026-03-30'),
        originalDate: day('2026-01-30'),
        postingDate: day('2026-02-01'),
      },
    );
    const payment = plannedEntry(
      [plannedLine('2440', 9_900n, { vendor }), plannedLine('1935', -9_900n, { employee: 'E-3' })],
      {
        role: 'payment',
        state: 'draft',
        settlement: { kind: 'within', vendor, numbers: [], currency: currency('EUR'), amountMinor: 9_900n },
      },
    );

    const [outcome] = await server.erpOf(company).post([postingGroup('ap', { entries: [invoice, payment] })]);

    expect(outcome).toMatchObject({
      outcome: 'created',
      posted: {
        key: 'ap',
        contentDigest: 'digest of ap',
        entries: [
          { role: 'invoice', number: '2026-000001' },
          { role: 'payment', number: undefined },
        ],
      },
    });
    expect(await entries()).toMatchObject([
      {
        role: 'invoice',
        state: 'posted',
        postingDate: '2026-02-01',
        documentDate: '2026-02-27',
        dueDate: '2026-03-30',
        documentNumber: 'A-17',
        description: 'Café Olé · Ada',
        reference: 'rec-1',
        metadata: {
          accountingEntryId: 'ap',
          installationId: INSTALLATION,
          exportJobId: EXPORT_JOB,
          mappingVersion: 3,
          fence: '7',
          originalDate: '2026-01-30',
          supplierAmount: { currency: 'EUR', value: '10000' },
        },
        lines: [
          { accountCode: '5410', amountMinor: '9900', taxCode: 'I25', dimensions: { CC: '100' } },
          { accountCode: '2440', amountMinor: '-9900', vendorNumber: 'V-7' },
        ],
      },
      {
        role: 'payment',
        state: 'draft',
        settlement: {
          kind: 'within',
          vendorNumber: 'V-7',
          numbers: [],
          currency: 'EUR',
          amountMinor: '9900',
        },
        lines: [{ accountCode: '2440' }, { accountCode: '1935', employee: 'E-3' }],
      },
    ]);
  });

  it('passes on the warnings of the ledger, also for a repeated request', async () => {
    const vendor = { id: toErpVendorId('id of V-7'), code: 'V-7' };
    const lines = [plannedLine('5410', 100n), plannedLine('2440', -100n, { vendor })];
    const entries = [plannedEntry(lines, { role: 'invoice', documentNumber: 'A-17' })];
    const [first, second] = await server
      .erpOf(company)
      .post([postingGroup('a', { entries }), postingGroup('b', { entries })]);
    const warnings = [expect.stringContaining('A-17')];
    expect(first).toMatchObject({ outcome: 'created' });
    expect(second).toMatchObject({ outcome: 'created', posted: { warnings } });
    expect((await server.erpOf(company).findPosted(['b'])).get('b')).toMatchObject({ warnings });
  });

  it('returns a URL of the entry', async () => {
    const [outcome] = await server.erpOf(company).post([postingGroup('a')]);
    const url = outcome?.outcome === 'created' ? (outcome.posted.entries[0]?.url ?? '') : '';
    expect(await server.get(url.slice(server.url.length))).toMatchObject({ key: 'a' });
  });

  it('refuses all groups of a company that does not exist', async () => {
    const company404 = toErpCompanyId('no-such-company');
    expect(await server.erpOf(company404).post([postingGroup('a')])).toEqual([
      { outcome: 'refused', message: 'There is no company no-such-company.' },
    ]);
    await expect(server.erpOf(company404).findPosted(['a'])).rejects.toBeInstanceOf(ErpUnavailable);
  });
});
