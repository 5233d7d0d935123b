import { describe, expect, it } from '@jest/globals';
import { MemoryErpStore } from '../../../erp-contract/memory-erp-store.js';
import { SystemClock } from '../../../foundation/clock/system-clock.js';
import { postingGroup } from '../../../erp-contract/posting-group.builder.js';
import { toErpCompanyId } from '../../../kernel/ids.js';
import type { ErpCall } from '../erp-call.js';
import type { ErpSettings } from '../kit/define-erp.js';
import { FILES_COMPANY } from './files-company.js';
import { filesErp } from './files.erp.js';
import { ENTERED } from './files.fixtures.js';

const files = filesErp();

const CALL: ErpCall = {
  company: FILES_COMPANY,
  signal: new AbortController().signal,
  deadline: new Date('9999-12-31'),
  assertOwner: () => undefined,
};

function open(settings: ErpSettings) {
  const capabilities = files.capabilities(settings);
  const noHttp = () => {
    throw new Error('files need no HTTP');
  };
  const store = new MemoryErpStore();
  return files.create({
    connectionId: 'files',
    settings,
    capabilities,
    store,
    clock: new SystemClock(),
    http: noHttp,
    log: () => undefined,
  });
}

describe('the file connection', () => {
  it('provides the platform with the lists of its settings', async () => {
    const { referenceData } = open(ENTERED);
    expect(await referenceData.accounts(CALL)).toContainEqual({
      externalId: '1935',
      code: '1935',
      name: 'Wallet',
      active: true,
      type: 'asset',
    });
    expect(await referenceData.taxCodes(CALL)).toEqual([
      { code: 'I25', name: '25 %', rate: '0.25', active: true, inputAccount: '2641' },
    ]);
    expect(await referenceData.dimensions(CALL)).toEqual([
      {
        code: 'CC',
        name: 'Kostnadsställe',
        active: true,
        values: [{ code: '100', name: 'Försäljning', active: true }],
      },
      { code: 'PR', name: 'Projekt', active: true, values: [{ code: 'P-1', name: 'Bygge', active: true }] },
    ]);
    expect(await referenceData.vendors(CALL)).toMatchObject({
      functionalCurrency: 'EUR',
      vendors: [
        { number: 'V-7', name: 'Papier GmbH', country: 'DE', taxNumber: 'DE 1', isEmployee: false, usable: true },
        { number: 'V-8', usable: false },
        { number: '70007', usable: true },
      ],
    });
    expect(await referenceData.accounts({ ...CALL, company: toErpCompanyId('other') })).toBeUndefined();
  });

  it('reports invalid settings when it is connected, and posts nothing with them', async () => {
    const { ledger, referenceData } = open({ ...ENTERED, accounts: 'code;name\n1;' });
    const sentence = 'The chart of accounts, line 2: the name is missing: write it.';
    await expect(ledger.listCompanies(CALL)).rejects.toMatchObject({
      failure: { kind: 'server-error', message: sentence },
    });
    await expect(ledger.loadMasterData(CALL)).rejects.toThrow(sentence);
    await expect(referenceData.vendors(CALL)).rejects.toThrow(sentence);
    expect(await ledger.post(CALL, [postingGroup('a')])).toMatchObject([
      { outcome: 'not-sent', failure: { message: sentence } },
    ]);
  });

  it.each([
    ['csv', 200],
    ['sie', 100],
    ['datev', 60],
    ['unknown', 200],
  ])('%s carries texts of %d characters', (format, length) => {
    expect(files.capabilities({ ...ENTERED, format }).limits.textLength).toBe(length);
  });

  it('refuses a receipt that was not stored, with a message', async () => {
    const { ledger } = open(ENTERED);
    const documents = [{ documentId: 'd', fileName: 'a.pdf' }];
    expect(await ledger.post(CALL, [postingGroup('a', { documents })])).toMatchObject([
      { outcome: 'refused', message: expect.stringMatching(/receipt a\.pdf is not stored/) },
    ]);
  });
});
