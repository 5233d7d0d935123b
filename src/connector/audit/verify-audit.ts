import { Injectable } from '@nestjs/common';
import { chainHash } from '../../foundation/crypto/sha256.js';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { AuditEntryRepository } from './audit-entry.repository.js';
import { LOG_CHAIN_START, checkEntries, type LogChainBreak, type LogChainEnd } from './domain/log-chain.js';

/** Entries read at once. */
const PAGE = 500n;
/** Entries checked in one call; the next call goes on where it ended. */
const MAX_ENTRIES = 50_000n;

export interface AuditVerification {
  /** Up to here everything checked is as it was written. */
  readonly end: LogChainEnd;
  readonly firstBroken: LogChainBreak | undefined;
  /** The end of the log when the call began. */
  readonly head: LogChainEnd;
  /** Whether entries are left for another call. */
  readonly more: boolean;
}

/**
 * Computes the chain of an audit log anew and compares. The canonical form of an entry is told at `canonicalText`, so that
 * an export can be verified without this program. Entries are never changed, so what was the head at the start stays a
 * fixed end: pages are read in transactions of their own, and what is recorded meanwhile is not looked at. Whoever keeps
 * `head` elsewhere also notices a log that was written anew as a whole (S59).
 */
@Injectable()
export class VerifyAudit {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly auditEntryRepository: AuditEntryRepository,
  ) {}

  /**
   * @param start where an earlier call has ended
   * @param most entries that this call checks
   */
  async verify(
    installationId: InstallationId,
    start = LOG_CHAIN_START,
    most = MAX_ENTRIES,
  ): Promise<AuditVerification> {
    const { position, hash, last } = await this.tenantDatabase.inInstallation(
      'read audit head',
      installationId,
      (tx) => this.auditEntryRepository.head(tx, installationId),
    );
    const head = { position, hash };
    const until = smaller(last, start.position + most);
    const { end, broken } = await this.checkChain(installationId, start, until);
    const more = broken === undefined && until < last;
    return { end, firstBroken: broken ?? (more ? undefined : breakAtEnd(end, head)), head, more };
  }

  private async checkChain(installationId: InstallationId, start: LogChainEnd, last: bigint) {
    let end = start;
    while (end.position < last) {
      const after = end.position;
      const until = smaller(after + PAGE, last);
      const records = await this.tenantDatabase.inInstallation('read audit log', installationId, (tx) =>
        this.auditEntryRepository.records(tx, installationId, after, until),
      );
      const checked = checkEntries(end, records, until, chainHash);
      if (checked.broken !== undefined) {
        return checked;
      }
      end = checked.end;
    }
    return { end, broken: undefined };
  }
}

/** Entries that were cut off at the end are missed by nothing but the head. */
function breakAtEnd(end: LogChainEnd, head: LogChainEnd): LogChainBreak | undefined {
  if (end.position < head.position) {
    return { reason: 'entry-missing', position: end.position + 1n };
  }
  return end.position === head.position && end.hash === head.hash
    ? undefined
    : { reason: 'hash-differs', position: end.position };
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
