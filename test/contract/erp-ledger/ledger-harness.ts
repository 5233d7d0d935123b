// The ledger and its adapter under the contract suite, at every level its companies can be set up for.
import { setTimeout as delay } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { guaranteeOf } from '../../../src/connector/erp/kit/capabilities.js';
import { ledger, ledgerCapabilities } from '../../../src/connector/erp/ledger/ledger.erp.js';
import type { PostingGuarantee } from '../../../src/connector/erp/erp-ledger.js';
import type {
  BookedDocument,
  BookedEntry,
  BookedLine,
  ErpHarness,
  KnownCompany,
  StartedErp,
} from '../../../src/erp-contract/harness.js';
import { currency, day, postingGroup } from '../../../src/erp-contract/posting-group.builder.js';
import { createCompany, LEDGER_KEY, putCompany, startLedgerServer, type LedgerServer } from './ledger-server.js';

const HOUR_SECONDS = 3_600;
const POLL_EVERY_MS = 100;
const MAX_POLLS = 100;

const LONG_LIVED = { idempotency: 'short', idempotencySeconds: HOUR_SECONDS };
const SHORT_LIVED = { idempotency: 'short', idempotencySeconds: 1 };

export const harnesses: readonly ErpHarness[] = [
  ledgerAt({ level: 'permanent-key' }, { idempotency: 'forever' }),
  // A minute is taken off for requests that are under way.
  ledgerAt({ level: 'expiring-key', keyLifeMs: (HOUR_SECONDS - 60) * 1_000 }, LONG_LIVED),
  ledgerAt(
    { level: 'searchable-reference', searchLagMs: 1_000 },
    { idempotency: 'reference-only', searchLagSeconds: 1 },
  ),
  ledgerAt({ level: 'none' }, { idempotency: 'none' }),
];

/** @param settings of the company that make it keep the promise */
function ledgerAt(guarantee: PostingGuarantee, settings: Readonly<Record<string, unknown>>): ErpHarness {
  const capabilities = ledgerCapabilities(guarantee);
  return {
    name: 'the ledger’s adapter',
    definition: ledger,
    capabilities,
    currencies: ['USD', 'JPY', 'KWD'],
    canOutliveKeys: true,
    start: () => start(guaranteeOf(capabilities), settings),
  };
}

async function start(guarantee: PostingGuarantee, settings: Readonly<Record<string, unknown>>): Promise<StartedErp> {
  const server = await startLedgerServer(guarantee);
  const company = knownCompany(await createCompany(server, settings));
  return {
    company,
    address: server.url,
    settings: (url) => ({ url, apiKey: LEDGER_KEY, guarantee: { ...guarantee } }),
    commits: ({ method, path }) => method !== 'GET' && !path.includes(':lookup'),
    entriesUnder: (key) => entriesUnder(server, company, key),
    documentsUnder: (key) => documentsUnder(server, company, key),
    openMinorUnder: (key) => openMinorUnder(server, company, key),
    async afterKeyLife(act) {
      await putCompany(server, company.id, SHORT_LIVED);
      await outliveKeys(server, company);
      const result = await act();
      await putCompany(server, company.id, LONG_LIVED);
      return result;
    },
    stop: () => server.close(),
  };
}

/** Waits until a key that was sent just now, after all others, is taken for a new one. */
async function outliveKeys(server: LedgerServer, company: KnownCompany): Promise<void> {
  const youngest = postingGroup(randomUUID());
  await server.erpOf(company.id).post([youngest]);
  for (let polls = 0; polls < MAX_POLLS; polls += 1) {
    const [again] = await server.erpOf(company.id).post([youngest]);
    if (again?.outcome === 'created') {
      return;
    }
    await delay(POLL_EVERY_MS);
  }
  throw new Error('the keys of the ledger do not die');
}

interface WireEntry extends Omit<BookedEntry, 'state' | 'documentNumber' | 'reference' | 'lines'> {
  readonly state: 'draft' | 'posted' | 'reversed' | 'discarded';
  readonly documentNumber: string | null;
  readonly reference: string | null;
  readonly lines: readonly {
    readonly accountCode: string;
    readonly amountMinor: string;
    readonly baseMinor: string;
    readonly vendorNumber: string | null;
    readonly employee: string | null;
    readonly taxCode: string | null;
    readonly dimensions: Readonly<Record<string, string>>;
  }[];
}

async function entriesUnder(server: LedgerServer, { id }: KnownCompany, key: string): Promise<readonly BookedEntry[]> {
  const query = new URLSearchParams({ keyPrefix: key, limit: '100' });
  const page = await server.get<{ readonly data: readonly WireEntry[] }>(
    `/companies/${id}/journal-entries?${query.toString()}`,
  );
  return page.data
    .filter(({ state }) => state !== 'discarded')
    .map((entry) => ({
      role: entry.role,
      state: entry.state === 'draft' ? 'draft' : 'posted',
      postingDate: entry.postingDate,
      currency: entry.currency,
      documentNumber: entry.documentNumber ?? undefined,
      description: entry.description,
      reference: entry.reference ?? undefined,
      lines: entry.lines.map(bookedLine),
    }));
}

async function openMinorUnder(server: LedgerServer, { id }: KnownCompany, key: string): Promise<bigint> {
  const query = new URLSearchParams({ keyPrefix: key, limit: '100' });
  const entries = await server.get<{ readonly data: readonly { readonly id: string }[] }>(
    `/companies/${id}/journal-entries?${query.toString()}`,
  );
  const items = await server.get<{
    readonly data: readonly { readonly entryId: string; readonly openMinor: string }[];
  }>(`/companies/${id}/open-items?status=open&date=2026-12-31`);
  const ids = new Set(entries.data.map((entry) => entry.id));
  return items.data
    .filter(({ entryId }) => ids.has(entryId))
    .reduce((sum, { openMinor }) => sum + BigInt(openMinor), 0n);
}

async function documentsUnder(
  server: LedgerServer,
  { id }: KnownCompany,
  key: string,
): Promise<readonly BookedDocument[]> {
  const query = new URLSearchParams({ keyPrefix: key, limit: '100' });
  const entries = await server.get<{
    readonly data: readonly { readonly id: string; readonly role: BookedDocument['role'] }[];
  }>(`/companies/${id}/journal-entries?${query.toString()}`);
  const documents: BookedDocument[] = [];
  for (const entry of entries.data) {
    const attached = await server.get<{
      readonly data: readonly { readonly fileName: string; readonly url: string }[];
    }>(`/companies/${id}/journal-entries/${entry.id}/attachments`);
    for (const { fileName, url } of attached.data) {
      documents.push({ role: entry.role, fileName, content: await server.bytes(url) });
    }
  }
  return documents;
}

function bookedLine(line: WireEntry['lines'][number]): BookedLine {
  return {
    accountCode: line.accountCode,
    amountMinor: BigInt(line.amountMinor),
    baseMinor: BigInt(line.baseMinor),
    vendorCode: line.vendorNumber ?? undefined,
    employee: line.employee ?? undefined,
    taxCode: line.taxCode ?? undefined,
    dimensions: line.dimensions,
  };
}

/** What `createCompany` sets up. */
function knownCompany(id: KnownCompany['id']): KnownCompany {
  return {
    id,
    name: 'Nordlys ApS',
    registrationNumber: '12345678',
    functionalCurrency: 'EUR',
    timeZone: 'Europe/Copenhagen',
    accounts: {
      ...{ expense: '5410', wallet: '1935', payables: '2440', otherPayables: '2441' },
      ...{ inactive: '9999', realizedFx: '7960' },
    },
    taxCode: 'I25',
    dimension: { dimension: 'CC', value: '100' },
    vendor: 'V-7',
    blockedVendor: 'V-8',
    openDay: day('2026-03-02'),
    closedDay: day('2026-01-15'),
    rate: { from: currency('USD'), to: currency('EUR'), date: day('2026-03-02'), rate: '0.9123' },
  };
}
