// Says in words what works of a connection: sign-in, companies, each list, a test entry that is taken back.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { toErpCompanyId, type InstallationId } from '../../kernel/ids.js';
import { message, type Message } from '../../kernel/message.js';
import type { ConnectedErp } from '../erp/connected-erp.js';
import { ErpUnavailable, type ErpCompany, type ErpMasterData } from '../erp/erp-ledger.js';
import type { OpenAdapter } from '../erp/kit/open-adapter.js';
import { factChecks, findingsOf, signInChecks, type ErpCheck, type ErpFindings } from './domain/erp-findings.js';
import { ErpConnectionRepository } from './erp-connection.repository.js';
import { StoredErpConnections } from './stored-erp-connections.js';
import { testEntry } from './test-posting/test-entry.js';

export interface ErpTestRequest {
  /** As the ERP names it; undefined: only sign-in and the list of companies are tried. */
  readonly company: string | undefined;
  /** Codes of two accounts for an entry of one minor unit that is reversed at once; undefined: nothing is posted. */
  readonly accounts: { readonly debit: string; readonly credit: string } | undefined;
}

interface TestEntry {
  readonly debit: string;
  readonly credit: string;
  readonly state: 'posted' | 'draft';
}

/** With what is known of the company that was looked at. */
interface TriedConnection extends ErpTestResult {
  readonly books?: Omit<ErpFindings, 'checks'>;
}

export interface ErpTestResult {
  readonly checks: readonly ErpCheck[];
  readonly companies: readonly ErpCompany[];
}

@Injectable()
export class TestErpConnection {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly erpConnectionRepository: ErpConnectionRepository,
    private readonly storedErpConnections: StoredErpConnections,
    private readonly clock: Clock,
  ) {}

  /** @returns undefined without a connection */
  async test(installationId: InstallationId, request: ErpTestRequest): Promise<ErpTestResult | undefined> {
    const stored = await this.tenantDatabase.inInstallation('find ERP connection', installationId, (tx) =>
      this.erpConnectionRepository.findCurrent(tx, installationId),
    );
    if (stored === undefined) {
      return undefined;
    }
    const adapter = this.storedErpConnections.openStored(installationId, stored, true);
    try {
      const { books, ...result } = await this.tryAll(installationId, adapter, request);
      const findings = findingsOf(result.checks, this.clock.now(), books);
      await this.tenantDatabase.inInstallation('keep ERP findings', installationId, (tx) =>
        this.erpConnectionRepository.addFindings(tx, installationId, stored.generation, findings),
      );
      return result;
    } finally {
      adapter.close();
    }
  }

  private async tryAll(
    installationId: InstallationId,
    adapter: OpenAdapter,
    { company, accounts }: ErpTestRequest,
  ): Promise<TriedConnection> {
    const scope = this.storedErpConnections.callScope();
    const companies = await attempt(() => adapter.listCompanies(scope));
    if ('code' in companies) {
      return { checks: [{ check: 'sign-in', state: 'fails', detail: companies }], companies: [] };
    }
    const facts = await attempt(() => adapter.describe(scope));
    const said = factChecks('code' in facts ? {} : facts, adapter.capabilities);
    const checks = [...signInChecks(companies.length), ...said.filter(({ check }) => check !== 'posting')];
    const mayPost = said.filter(({ check }) => check === 'posting');
    if (company === undefined) {
      return { checks: [...checks, ...mayPost], companies };
    }
    const erp = adapter.forCompany({ ...this.storedErpConnections.caller(), company: toErpCompanyId(company) });
    const books = await attempt(() => erp.loadMasterData());
    checks.push(...listChecks(books));
    if (isBooks(books) && accounts !== undefined) {
      checks.push(await this.tryPosting(installationId, erp, books, { ...accounts, state: 'posted' }));
      checks.push(
        erp.capabilities.drafts
          ? await this.tryPosting(installationId, erp, books, { ...accounts, state: 'draft' })
          : NO_DRAFTS,
      );
    } else {
      // What the ERP has said of the right to post stands until an entry shows it.
      checks.push(mayPost[0] ?? NOT_POSTED, ...(erp.capabilities.drafts ? [] : [NO_DRAFTS]));
    }
    if (!isBooks(books)) {
      return { checks, companies };
    }
    const { functionalCurrency, timeZone } = books;
    return { checks, companies, books: { company, functionalCurrency, timeZone } };
  }

  private async tryPosting(
    installationId: InstallationId,
    erp: ConnectedErp,
    books: ErpMasterData,
    entry: TestEntry,
  ): Promise<ErpCheck> {
    const check = entry.state === 'posted' ? 'posting' : 'drafts';
    const [debit, credit] = [entry.debit, entry.credit].map((code) =>
      books.accounts.find((account) => account.code === code && account.active),
    );
    if (debit === undefined || credit === undefined) {
      return { check, state: 'fails', detail: message('erp-check.test-entry.no-account') };
    }
    if (!erp.capabilities.reversal) {
      const detail = message('erp-check.test-entry.no-reversal', { what: check });
      return { check, state: 'not-tried', detail };
    }
    const key = randomUUID();
    const { state } = entry;
    const group = testEntry({ installationId, key, state, books, debit, credit, now: this.clock.now() });
    const [posted] = await erp.post([group]);
    if (posted?.outcome === 'refused' || posted?.outcome === 'not-sent') {
      const reason = posted.outcome === 'refused' ? posted.message : posted.failure.message;
      return { check, state: 'fails', detail: message('erp-check.test-entry.refused', { what: check, reason }) };
    }
    // One whose outcome is unknown, too: it may be in the books.
    const [reversed] = await erp.reverse([key]);
    if (reversed?.outcome === 'reversed') {
      return { check, state: 'works', detail: message('erp-check.test-entry.taken-back', { what: check }) };
    }
    const detail =
      posted?.outcome === 'created'
        ? message('erp-check.test-entry.left', { what: check, number: posted.posted.entries[0]?.number ?? key })
        : message('erp-check.test-entry.unconfirmed', { what: check, key });
    return { check, state: 'fails', detail };
  }
}

function isBooks(books: ErpMasterData | Message | undefined): books is ErpMasterData {
  return books !== undefined && !('code' in books);
}

function listChecks(books: ErpMasterData | Message | undefined): readonly ErpCheck[] {
  const lists = ['accounts', 'tax-codes', 'dimensions', 'vendors', 'periods'] as const;
  if (!isBooks(books)) {
    const detail = books ?? message('erp-check.no-company');
    return lists.map((check) => ({ check, state: 'fails', detail }));
  }
  const counts = {
    accounts: books.accounts.filter(({ active }) => active).length,
    'tax-codes': books.taxCodes.filter(({ active }) => active).length,
    dimensions: books.dimensions.filter(({ active }) => active).length,
    vendors: books.vendors.filter(({ blocked }) => !blocked).length,
    periods: books.periods.filter(({ open }) => open).length,
  };
  return lists.map((check) => ({
    check,
    state: (check === 'accounts' || check === 'periods') && counts[check] === 0 ? 'fails' : 'works',
    detail: message(`erp-check.list.${check}`, { count: counts[check] }),
  }));
}

const NO_DRAFTS: ErpCheck = {
  check: 'drafts',
  state: 'not-tried',
  detail: message('erp-check.no-drafts'),
};

const NOT_POSTED: ErpCheck = {
  check: 'posting',
  state: 'not-tried',
  detail: message('erp-check.not-posted'),
};

/** @returns the message when the ERP could not be used */
async function attempt<T>(ask: () => Promise<T>): Promise<T | Message> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ErpUnavailable) {
      return message('erp-check.unusable', { reason: error.failure.message });
    }
    throw error;
  }
}
