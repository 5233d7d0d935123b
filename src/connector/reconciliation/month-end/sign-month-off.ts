// A person takes responsibility for a month: its figures are kept as they were, so that a later change is seen.
import { Injectable } from '@nestjs/common';
import { sha256Hex } from '../../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Clock } from '../../../kernel/clock.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { figuresOf, signedText } from '../domain/month-end.js';
import { CompileMonthEnd } from './compile-month-end.js';
import { SignOffRepository } from './sign-off.repository.js';

export interface MonthDecision {
  /** `YYYY-MM` */
  readonly month: string;
  /** Of the ERP; undefined: the linked one. */
  readonly company: string | undefined;
  readonly by: string;
}

export type SignOffResult =
  | { readonly outcome: 'signed' | 'unknown' | 'not-begun' | 'signed-already' | 'erp-unavailable' }
  /** Entries of the month are not in the books, and no reason was given. */
  | { readonly outcome: 'incomplete'; readonly missingEntries: number }
  /** All entries are in the books, some otherwise than they should be, and no reason was given. */
  | { readonly outcome: 'discrepant'; readonly openDiscrepancies: number };

export interface ReopeningResult {
  readonly outcome: 'reopened' | 'unknown' | 'not-signed';
}

@Injectable()
export class SignMonthOff {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly compileMonthEnd: CompileMonthEnd,
    private readonly signOffRepository: SignOffRepository,
    private readonly clock: Clock,
  ) {}

  /** @param reason why it is signed though something is not in the books, or a discrepancy is open */
  async sign(
    installationId: InstallationId,
    { month, company, by }: MonthDecision,
    reason: string | undefined,
  ): Promise<SignOffResult> {
    const report = await this.compileMonthEnd.compile(installationId, month, company);
    if (report === undefined) {
      return { outcome: 'unknown' };
    }
    if (report.state === 'signed') {
      return { outcome: 'signed-already' };
    }
    if (!report.hasBegun) {
      return { outcome: 'not-begun' };
    }
    if (report.isLedgerAway) {
      return { outcome: 'erp-unavailable' };
    }
    const missingEntries = report.missingTotals.reduce((sum, { entries }) => sum + entries, 0);
    if (missingEntries > 0 && reason === undefined) {
      return { outcome: 'incomplete', missingEntries };
    }
    const openDiscrepancies = report.discrepancies.filter(({ state }) => state === 'open').length;
    if (openDiscrepancies > 0 && reason === undefined) {
      return { outcome: 'discrepant', openDiscrepancies };
    }
    const { erpCompanyId } = report;
    const figures = figuresOf(report.accounts);
    const hash = sha256Hex(signedText(month, erpCompanyId, figures));
    const signOff = { figures, hash, missingEntries, reason, signedBy: by, signedAt: this.clock.now() };
    const isAdded = await this.tenantDatabase.inInstallation('sign month off', installationId, (tx) =>
      this.signOffRepository.add(tx, installationId, erpCompanyId, month, signOff),
    );
    return { outcome: isAdded ? 'signed' : 'signed-already' };
  }

  async reopen(
    installationId: InstallationId,
    { month, company, by }: MonthDecision,
    reason: string,
  ): Promise<ReopeningResult> {
    const report = await this.compileMonthEnd.compile(installationId, month, company);
    if (report === undefined) {
      return { outcome: 'unknown' };
    }
    const isReopened = await this.tenantDatabase.inInstallation('reopen month', installationId, (tx) =>
      this.signOffRepository.reopen(tx, installationId, report.erpCompanyId, month, {
        by,
        reason,
        at: this.clock.now(),
      }),
    );
    return { outcome: isReopened ? 'reopened' : 'not-signed' };
  }
}
