import { Injectable } from '@nestjs/common';
import { chainHash } from '../../foundation/crypto/sha256.js';
import type { InstallationId } from '../../kernel/ids.js';
import { AuditLogReader } from './audit-log.reader.js';
import { LOG_CHAIN_START, checkEntries, type LogChainBreak, type LogChainEnd } from './domain/log-chain.js';

/** Entries read in one transaction. */
const PAGE_SIZE = 500n;
/** Entries checked in one call; the next call continues there. */
const MAX_ENTRIES = 50_000n;

export interface AuditVerification {
  /** The last entry found unchanged. */
  readonly end: LogChainEnd;
  readonly firstBroken: LogChainBreak | undefined;
  /** The end of the log when the call began. */
  readonly head: LogChainEnd;
  /** Whether another call has entries to check. */
  readonly more: boolean;
}

/**
 * Recomputes the hash chain of an audit log and compares it. `canonicalText` defines the canonical form of an entry, so that
 * an export can be verified without this program. Entries never change, so the head at the start is a fixed end: pages are
 * read in separate transactions, and later entries are left out. A copy of `head` that is stored elsewhere also reveals a log
 * that was rewritten as a whole (S59).
 */
@Injectable()
export class VerifyAudit {
  constructor(private readonly auditLogReader: AuditLogReader) {}

  /**
   * @param start where the previous call ended; the beginning of the log by default
   * @param maxEntries number of entries that this call checks
   */
  async verify(
    installationId: InstallationId,
    start = LOG_CHAIN_START,
    maxEntries = MAX_ENTRIES,
  ): Promise<AuditVerification> {
    const { position, hash, last } = await this.auditLogReader.head(installationId);
    const head = { position, hash };
    const until = smaller(last, start.position + maxEntries);
    const { end, broken } = await this.checkChain(installationId, start, until);
    const more = broken === undefined && until < last;
    return { end, firstBroken: broken ?? (more ? undefined : breakAtEnd(end, head)), head, more };
  }

  private async checkChain(installationId: InstallationId, start: LogChainEnd, last: bigint) {
    let end = start;
    while (end.position < last) {
      const after = end.position;
      const until = smaller(after + PAGE_SIZE, last);
      const records = await this.auditLogReader.records(installationId, after, until);
      const checked = checkEntries(end, records, until, chainHash);
      if (checked.broken !== undefined) {
        return checked;
      }
      end = checked.end;
    }
    return { end, broken: undefined };
  }
}

/** Only the head reveals entries that are missing at the end. */
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
