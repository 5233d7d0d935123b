// The file connection under the contract suite. Its books are what an auditor reads in the CSV files of its batches; a batch
// is closed after each post, so that reversals are entries of later ones (the spec beside the adapter has the other case).
import type { ErpLedger } from '../../../src/connector/erp/erp-ledger.js';
import { FILES_COMPANY } from '../../../src/connector/erp/files/files-company.js';
import { readFilesSettings } from '../../../src/connector/erp/files/files-settings.js';
import { filesErp } from '../../../src/connector/erp/files/files.erp.js';
import { FilesBatches } from '../../../src/connector/erp/files/files-batches.js';
import { guaranteeOf } from '../../../src/connector/erp/kit/capabilities.js';
import { defineErp } from '../../../src/connector/erp/kit/define-erp.js';
import { ErpStore, type StoreChange } from '../../../src/connector/erp/kit/erp-store.js';
import { openAdapter } from '../../../src/connector/erp/kit/open-adapter.js';
import { SystemClock } from '../../../src/foundation/clock/system-clock.js';
import { readCsv, type CsvRow } from '../../../src/foundation/csv/csv-reader.js';
import { removeFormulaGuard } from '../../../src/foundation/csv/formula-guard.js';
import { currencyDigits } from '../../../src/kernel/currency.js';
import { MemoryErpStore } from '../../support/memory-erp-store.js';
import { patientCaller } from '../../support/one-erp.js';
import type { BookedEntry, BookedLine, ErpHarness, StartedErp } from './harness.js';
import { currency, day } from './posting-group.builder.js';

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
    capability: guaranteeOf(files.capabilities(SETTINGS)),
    batch: 100,
    without: {
      documents: 'the formats carry no receipts',
      drafts: 'what is in a file is complete',
      settlement: 'items are settled where the file is imported',
      vendors: 'vendors are a list of the settings',
      rates: 'files have no rates',
      'requests for lists': 'the lists are settings, which are there without a request',
    },
    start: () => Promise.resolve(start()),
  },
];

function start(): StartedErp {
  const store = new MemoryErpStore();
  const clock = new SystemClock();
  const batches = new FilesBatches(store, readFilesSettings(SETTINGS), clock);
  const closing = defineErp({
    ...files,
    create(context) {
      const adapter = files.create(context);
      return { ...adapter, ledger: closingAfterPosts(adapter.ledger, batches) };
    },
  });
  const open = (over: ErpStore) =>
    openAdapter(closing, SETTINGS, {
      connectionId: 'files',
      clock,
      store: over,
      log: () => undefined,
      client: {},
    }).forCompany({ ...patientCaller(), company: FILES_COMPANY });
  return {
    erp: open(store),
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
    documentsUnder: () => Promise.resolve([]),
    loseResponse: (part, act) => act(open(new LosingStore(store, part))),
    stop: () => Promise.resolve(),
  };
}

function closingAfterPosts(ledger: ErpLedger, batches: FilesBatches): ErpLedger {
  const closing: ErpLedger = Object.create(ledger) as ErpLedger;
  closing.post = async (call, groups) => {
    const outcomes = await ledger.post(call, groups);
    await batches.close();
    return outcomes;
  };
  return closing;
}

/** A store that gets nothing of what it is sent, or does it and is not heard. */
class LosingStore extends ErpStore {
  constructor(
    private readonly store: ErpStore,
    private readonly part: 'request' | 'answer',
  ) {
    super();
  }

  read(keys: readonly string[]) {
    return this.part === 'request' ? cutOff() : this.store.read(keys);
  }

  list(prefix: string, after: string | undefined, limit: number) {
    return this.part === 'request' ? cutOff() : this.store.list(prefix, after, limit);
  }

  async commit(changes: readonly StoreChange[]) {
    if (this.part === 'answer') await this.store.commit(changes);
    return cutOff();
  }
}

function cutOff(): Promise<never> {
  return Promise.reject(new Error('cut off'));
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

type Cells = Readonly<Record<string, string>>;

function entriesOf(file: string, key: string): readonly BookedEntry[] {
  const table = readCsv(file, ',', { cell: 1_000, columns: 50, rows: 100_000 });
  if (!('rows' in table)) throw new Error(table.detail);
  const [header, ...rows] = table.rows;
  const named = ({ cells }: CsvRow): Cells =>
    Object.fromEntries(cells.map((cell, index) => [header?.cells[index] ?? '', removeFormulaGuard(cell)]));
  const byEntry = Map.groupBy(
    rows.map(named).filter((cells) => cells['key'] === key),
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
