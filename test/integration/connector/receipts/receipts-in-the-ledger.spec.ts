import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createCompany, startLedgerServer, type LedgerServer } from '../../../contract/erp-ledger/ledger-server.js';
import { respondWith, generated } from '../../../support/servers/file-host.js';
import { MEGABYTE, ReceiptsHarness } from './receipts-harness.js';

let ledger: LedgerServer;
let receipts: ReceiptsHarness;

beforeAll(async () => {
  ledger = await startLedgerServer();
  receipts = await ReceiptsHarness.start(ledger.connections);
});
afterAll(async () => {
  await receipts.close();
  await ledger.close();
});

interface Attachment {
  readonly fileName: string;
  readonly mediaType: string;
  readonly size: number;
}

it('receipts go from their host into the books of the ledger', async () => {
  await receipts.begin();
  const company = await createCompany(ledger);
  receipts.tenant = await receipts.exports.addTenant({
    erpCompany: company,
    policies: { receipts: 'post-without', postingState: 'posted' },
  });
  const jpeg = { 'content-type': 'image/jpeg' };
  const item = receipts.item([
    { url: receipts.host.put('/taxi.jpg', generated(30 * MEGABYTE, jpeg)), type: 'image/jpeg' },
    { url: receipts.host.put('/hotel.zip', generated(10)), type: 'application/zip' },
    { url: receipts.host.put('/gone.pdf', respondWith(403)) },
    { url: receipts.host.put('/bill.pdf', generated(10)) },
  ]);
  const job = await receipts.exportOf(item);
  const [[state, , warnings] = []] = await receipts.endsOf(job);
  expect(state).toBe('successful');
  expect(warnings).toEqual([
    expect.stringContaining('Posted without receipt 2 of 4 (application/zip, 2084 bytes)'),
    expect.stringContaining('Posted without receipt 3 of 4 (application/pdf, 2084 bytes)'),
  ]);
  const id = job.results.get(item.accountingEntryId)?.externalId ?? '';
  const { data } = await ledger.get<{ readonly data: readonly Attachment[] }>(
    `/companies/${company}/journal-entries/${id}/attachments`,
  );
  expect(data).toMatchObject([
    { fileName: 'taxi.jpg', mediaType: 'image/jpeg', size: 30 * MEGABYTE },
    { fileName: 'bill.pdf', mediaType: 'application/pdf', size: 10 },
  ]);
});
