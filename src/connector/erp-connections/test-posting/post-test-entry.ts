// Proves that the accounting system takes postings: an entry of one minor unit, reversed at once, or a draft that stays.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import { ErpUnavailable, type ErpMasterData, type PostOutcome } from '../../erp/erp-ledger.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { FinishTestPostings, shownOf } from './finish-test-postings.js';
import { testEntry } from './test-entry.js';
import {
  TestPostingRepository,
  type NewTestPosting,
  type TestPosting,
  type TestPostingOutcome,
} from './test-posting.repository.js';

export interface TestPostingRequest {
  /** UUID: the same for every repetition of the request. */
  readonly id: string;
  /** Codes or ids of two accounts. */
  readonly debit: string;
  readonly credit: string;
  readonly by: string;
}

export type TestPostingResult =
  | { readonly outcome: 'tested'; readonly posting: TestPosting }
  /** The ERP neither reverses nor keeps drafts. */
  | { readonly outcome: 'no-company' | 'impossible' }
  | { readonly outcome: 'unknown-account'; readonly field: 'debit' | 'credit' }
  | { readonly outcome: 'erp-unavailable'; readonly message: string };

@Injectable()
export class PostTestEntry {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationReader: InstallationReader,
    private readonly erpConnections: ErpConnections,
    private readonly testPostingRepository: TestPostingRepository,
    private readonly finishTestPostings: FinishTestPostings,
    private readonly clock: Clock,
  ) {}

  /** A request that is repeated continues its own entry, and never posts a second one. */
  async post(installationId: InstallationId, request: TestPostingRequest): Promise<TestPostingResult> {
    const earlier = await this.find(installationId, request.id);
    if (earlier !== undefined) {
      return this.finished(installationId, earlier);
    }
    const company = (await this.installationReader.find(installationId))?.erpCompanyId;
    if (company === undefined) {
      return { outcome: 'no-company' };
    }
    try {
      const erp = await this.erpConnections.open(installationId, company);
      const mode = modeOf(erp);
      if (mode === undefined) {
        return { outcome: 'impossible' };
      }
      const books = await erp.loadMasterData();
      if (books === undefined) {
        return { outcome: 'no-company' };
      }
      const { id, debit, credit, by } = request;
      const posting = { id, erpCompanyId: company, debitAccount: debit, creditAccount: credit, mode, requestedBy: by };
      return await this.send(installationId, erp, books, posting);
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { outcome: 'erp-unavailable', message: error.failure.message };
      }
      throw error;
    }
  }

  /** The newest test; undefined when there was none. */
  async findNewest(installationId: InstallationId): Promise<TestPosting | undefined> {
    return this.tenantDatabase.readOnce('read newest test posting', installationId, (tx) =>
      this.testPostingRepository.findNewest(tx, installationId),
    );
  }

  private async send(
    installationId: InstallationId,
    erp: ConnectedErp,
    books: ErpMasterData,
    posting: NewTestPosting,
  ): Promise<TestPostingResult> {
    const [debit, credit] = [posting.debitAccount, posting.creditAccount].map((named) =>
      books.accounts.find(({ active, code, externalId }) => active && (code === named || externalId === named)),
    );
    if (debit === undefined || credit === undefined) {
      return { outcome: 'unknown-account', field: debit === undefined ? 'debit' : 'credit' };
    }
    const { id: key, mode } = posting;
    const isNew = await this.tenantDatabase.inInstallation('add test posting', installationId, (tx) =>
      this.testPostingRepository.add(tx, installationId, posting),
    );
    if (isNew) {
      const state = mode === 'draft' ? 'draft' : 'posted';
      const group = testEntry({ installationId, key, state, books, debit, credit, now: this.clock.now() });
      const [outcome] = await erp.post([group]);
      const known = outcome && knownOutcome(outcome, mode);
      if (known !== undefined) {
        await this.tenantDatabase.inInstallation('record test posting', installationId, (tx) =>
          this.testPostingRepository.record(tx, installationId, key, known),
        );
      }
    }
    const sent = await this.find(installationId, key);
    return sent === undefined ? { outcome: 'no-company' } : this.finished(installationId, sent);
  }

  private async finished(installationId: InstallationId, posting: TestPosting): Promise<TestPostingResult> {
    if (posting.state === 'sent') {
      await this.finishTestPostings.finish(installationId, posting);
    }
    return { outcome: 'tested', posting: (await this.find(installationId, posting.id)) ?? posting };
  }

  private async find(installationId: InstallationId, id: string): Promise<TestPosting | undefined> {
    return this.tenantDatabase.readOnce('find test posting', installationId, (tx) =>
      this.testPostingRepository.find(tx, installationId, id),
    );
  }
}

/** @returns undefined where the entry may be in the books: it is looked up */
function knownOutcome(outcome: PostOutcome, mode: TestPosting['mode']): TestPostingOutcome | undefined {
  switch (outcome.outcome) {
    case 'created':
    case 'existed':
      return { ...shownOf(outcome.posted), state: mode === 'draft' ? 'draft' : 'sent', message: null };
    case 'refused':
      return { state: 'refused', documentNumber: null, documentUrl: null, message: outcome.message };
    case 'not-sent':
      return { state: 'refused', documentNumber: null, documentUrl: null, message: outcome.failure.message };
    case 'conflict':
    case 'unknown':
      return undefined;
  }
}

/** A posted entry proves more than a draft, where it can be taken back. */
function modeOf({ capabilities }: ConnectedErp): TestPosting['mode'] | undefined {
  const { reversal, search, drafts } = capabilities;
  return reversal && search.kind !== 'none' ? 'reversed' : drafts ? 'draft' : undefined;
}
