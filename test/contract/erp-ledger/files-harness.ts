// The file connection under the contract suite. Its books are what an auditor reads in the CSV files of its batches; a batch
// is closed after each post, so that reversals are entries of later ones (the spec beside the adapter has the other case).
import { buffer } from 'node:stream/consumers';
import type { ErpLedger } from '../../../src/connector/erp/erp-ledger.js';
import { FILES_COMPANY } from '../../../src/connector/erp/files/files-company.js';
import { readFilesSettings } from '../../../src/connector/erp/files/settings/files-settings.js';
import { filesErp } from '../../../src/connector/erp/files/files.erp.js';
import { FilesBatches } from '../../../src/connector/erp/files/files-batches.js';
import { defineErp } from '../../../src/connector/erp/kit/define-erp.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { readCsv, type CsvRow } from '../../../src/foundation/csv/csv-reader.js';
import { removeFormulaGuard } from '../../../src/foundation/csv/formula-guard.js';
import { currencyDigits } from '../../../src/kernel/currency.js';
import { MemoryErpStore } from '../../../src/erp-contract/memory-erp-store.js';
import { readZip } from '../../support/zip/read-zip.js';
import type {
  BookedDocument,
  BookedEntry,
  BookedLine,
  ErpHarness,
  StartedErp,
} from '../../../src/erp-contract/harness.js';
import { currency, day } from '../../../src/erp-contract/posting-group.builder.js';

const files = filesErp();

const SETTINGS = {
  format: 'csv',
  companyName: 'Nordlys ApS',
  registrationNumber: '12345678',
  functionalCurrency: 'EUR',
  timeZone: 'Europe/Copenhagen',
  closedUntil: '2026-01-31',
  accounts: 'code,name,active\n1935,Wallet,\n2440,Accounts payable,\n5410,Consumables,\n9999,Old,no',
  taxCodes: 'code,name,rate\nI25,25 %,25',
  dimensions: 'dimension,dimension name,value,value name\nCC,Cost center,100,Sales',
  vendors: 'number,name,active\nV-7,Papier GmbH,\nV-8,Gone Ltd,no',
};

export const harnesses: readonly ErpHarness[] = [
  {
    name: 'the file connection',
    definition: defineErp({
      ...files,
      create(context) {
        const adapter = files.create(context);
        const batches = new FilesBatches(context.store, readFilesSettings(context.settings), context.clock);
        return { ...adapter, ledger: closingAfterPosts(adapter.ledger, batches) };
      },
    }),
    capabilities: files.capabilities(SETTINGS),
    currencies: ['USD', 'JPY', 'KWD'],
    speaksHttp: false,
    start: () => Promise.resolve(start()),
  },
];

function start(): StartedErp {
  const store = new MemoryErpStore();
  const batches = new FilesBatches(store, readFilesSettings(SETTINGS), new SystemClock());
  return {
    store,
    settings: () => SETTINGS,
    company: {
      id: FILES_COMPANY,
      name: 'Nordlys ApS',
      registrationNumber: '12345678',
      functionalCurrency: 'EUR',
      timeZone: 'Europe/Copenhagen',
      accounts: { expense: '5410', wallet: '1935', payables: '2440', inactive: '9999' },
      taxCode: 'I25',
      dimension: { dimension: 'CC', value: '100' },
      vendor: 'V-7',
      blockedVendor: 'V-8',
      openDay: day('2026-03-02'),
      closedDay: day('2026-01-15'),
      rate: { from: currency('USD'), to: currency('EUR'), date: day('2026-03-02'), rate: '0.9123' },
    },
    entriesUnder: (key) => entriesUnder(batches, key),
    documentsUnder: (key) => documentsUnder(batches, key),
    stop: () => Promise.resolve(),
  };
}

function closingAfterPosts(ledger: ErpLedger, batches: FilesBatches): ErpLedger {
  const closing: ErpLedger = Object.create(ledger) as ErpLedger;
  closing.post = async (call, groups) => {
    const outcomes = await ledger.post(call, groups);
    // Not where the store is cut off.
    await batches.close().catch(() => undefined);
    return outcomes;
  };
  return closing;
}

/** From the files of all batches, after closing what waits. */
async function entriesUnder(batches: FilesBatches, key: string): Promise<readonly BookedEntry[]> {
  await batches.close();
  const entries: BookedEntry[] = [];
  for (let after = 0; ;) {
    const page = await batches.list(after, 1_000);
    for (const { number } of page) {
      const file = await batches.read(number);
      const text = file?.content.toString('utf8') ?? '';
      if (text.includes(key)) entries.push(...entriesOf(text, key));
    }
    const last = page.at(-1);
    if (last === undefined) return entries;
    after = last.number;
  }
}

/** From the lists and archives of all batches. */
async function documentsUnder(batches: FilesBatches, key: string): Promise<readonly BookedDocument[]> {
  const roles = new Map<string, BookedDocument['role']>();
  const documents: BookedDocument[] = [];
  for (const { number } of await batches.list(0, 1_000)) {
    const text = (await batches.read(number))?.content.toString('utf8') ?? '';
    for (const cells of rowsOf(text)) roles.set(cells['entry'] ?? '', (cells['role'] ?? '') as BookedDocument['role']);
    const receipts = await batches.receipts(number);
    const rows = rowsOf(receipts?.list.content.toString('utf8') ?? '').filter((cells) => cells['key'] === key);
    if (receipts === undefined || rows.length === 0) continue;
    const files = readZip(await buffer(receipts.archive.open()));
    for (const { entry = '', receipt = '', file_name: fileName = '' } of rows) {
      const [role, content] = [roles.get(entry), files.get(receipt)];
      if (role === undefined || content === undefined) throw new Error(`${receipt} is listed and not there`);
      documents.push({ role, fileName, content });
    }
  }
  return documents;
}

type Cells = Readonly<Record<string, string>>;

function rowsOf(file: string): readonly Cells[] {
  const table = readCsv(file, ',', { cell: 1_000, columns: 50, rows: 100_000 });
  if (!('rows' in table)) throw new Error(table.detail);
  const [header, ...rows] = table.rows;
  const named = ({ cells }: CsvRow): Cells =>
    Object.fromEntries(cells.map((cell, index) => [header?.cells[index] ?? '', removeFormulaGuard(cell)]));
  return rows.map(named);
}

function entriesOf(file: string, key: string): readonly BookedEntry[] {
  const byEntry = Map.groupBy(
    rowsOf(file).filter((cells) => cells['key'] === key),
    (cells) => cells['entry'],
  );
  return [...byEntry.values()].map((lines) => {
    const first = lines[0] ?? {};
    return {
      role: (first['role'] ?? '') as BookedEntry['role'],
      state: 'posted',
      postingDate: first['posting_date'] ?? '',
      currency: first['currency'] ?? '',
      documentNumber: first['document_number'] === '' ? undefined : first['document_number'],
      description: first['description'] ?? '',
      reference: first['reference'],
      lines: lines.map(bookedLine),
    };
  });
}

function bookedLine(cells: Cells): BookedLine {
  const optional = (name: string) => (cells[name] === '' ? undefined : cells[name]);
  const value = optional('dimension_CC');
  return {
    accountCode: cells['account'] ?? '',
    amountMinor: minorOf(cells['amount'], cells['currency']),
    baseMinor: minorOf(cells['base_amount'], cells['functional_currency']),
    vendorCode: optional('vendor'),
    employee: optional('employee'),
    taxCode: optional('tax_code'),
    dimensions: value === undefined ? {} : { CC: value },
  };
}

function minorOf(amount = '', code = ''): bigint {
  const [whole = '', fraction = ''] = amount.split('.');
  if (fraction.length !== currencyDigits(code)) throw new Error(`${amount} is no amount in ${code}`);
  return BigInt(whole + fraction);
}
