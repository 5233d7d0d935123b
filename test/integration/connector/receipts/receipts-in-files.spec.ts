import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { FILES_COMPANY } from '../../../../src/connector/erp/files/files-company.js';
import { ENTERED } from '../../../../src/connector/erp/files/files.fixtures.js';
import { filesErp } from '../../../../src/connector/erp/files/files.erp.js';
import { openAdapter } from '../../../../src/connector/erp/kit/open-adapter.js';
import { MemoryErpStore } from '../../../../src/erp-contract/memory-erp-store.js';
import { SystemClock } from '../../../../src/foundation/clock/system-clock.js';
import { OneAdapter } from '../../../support/one-erp.js';
import { file } from '../../../support/servers/file-host.js';
import { readZip } from '../../../support/zip/read-zip.js';
import { ReceiptsHarness } from './receipts-harness.js';

const adapter = openAdapter(filesErp(), ENTERED, {
  connectionId: 'files',
  clock: new SystemClock(),
  store: new MemoryErpStore(),
  log: () => undefined,
  client: {},
});
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
let receipts: ReceiptsHarness;

beforeAll(async () => {
  receipts = await ReceiptsHarness.start(new OneAdapter(adapter));
});
afterAll(async () => {
  await receipts.close();
});

it('receipts go from their host beside the batch of their entry, and a second export adds none twice', async () => {
  await receipts.begin();
  receipts.tenant = await receipts.exports.addTenant({
    erpCompany: FILES_COMPANY,
    policies: { receipts: 'post-without', postingState: 'posted' },
  });
  const [taxi, bill] = ['%PDF taxi \0 ü', '%PDF bill'];
  const files = [
    { url: receipts.host.put('/Taxi%20Malm%C3%B6.pdf', file(taxi)) },
    { url: receipts.host.put('/bill.pdf', file(bill)) },
  ];
  const item = receipts.item(files);
  const [[state] = []] = await receipts.endsOf(await receipts.exportOf(item));
  expect(state).toBe('successful');
  const batches = adapter.batches();
  await batches?.close();
  const given = async () => {
    const found = await batches?.receipts?.(1);
    return {
      batch: (await batches?.read(1))?.batch.sha256,
      archive: Object.fromEntries(
        [...readZip(await buffer(found?.archive.open() ?? Readable.from([])))].map(([name, content]) => [
          name,
          content.toString(),
        ]),
      ),
      list: found?.list.content.toString().split('\r\n').slice(1, -1),
    };
  };
  const first = await given();
  expect(first.archive).toEqual({ '1-1-Taxi-Malmo.pdf': taxi, '1-2-bill.pdf': bill });
  expect(first.list?.map((line) => line.split(',').at(-1))).toEqual([taxi, bill].map(sha256));
  expect(first.list?.[0]).toContain(item.accountingEntryId);
  const again = receipts.item(files, item.accountingEntryId);
  const [[stateAgain] = []] = await receipts.endsOf(await receipts.exportOf(again));
  expect(stateAgain).toBe('successful');
  await batches?.close();
  expect(await given()).toEqual(first);
  expect(await batches?.list(0, 10)).toMatchObject([{ number: 1, entryCount: 1, receipts: 2 }]);
});
