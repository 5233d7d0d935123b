import { Injectable } from '@nestjs/common';
import { chainHash } from '../../../../foundation/crypto/sha256.js';
import { Database } from '../../../../foundation/database/database.js';
import type { AuditChainDto, ChainBreakDto } from './audit-chain.dto.js';
import { AuditChainRepository } from './audit-chain.repository.js';
import { CHAIN_START, checkLinks, type ChainBreak, type ChainEnd } from '../domain/chain-check.js';

/** Entries per transaction. */
const PAGE_SIZE = 500n;

/**
 * Recomputes the audit chain of a company and compares. Links are never changed or removed, so the head at the start is a
 * fixed end: each page is read in a transaction of its own, and later postings are ignored.
 */
@Injectable()
export class VerifyAuditChain {
  constructor(
    private readonly database: Database,
    private readonly auditChainRepository: AuditChainRepository,
  ) {}

  async verify(companyId: string): Promise<AuditChainDto> {
    const head = await this.database.inTransaction('audit.head', (tx) => this.auditChainRepository.head(tx, companyId));
    const { end, broken } = await this.checkLinks(companyId, head?.position ?? 0n);
    const firstBroken =
      broken === undefined ? await this.findOmission(companyId, end) : await this.nameEntry(companyId, broken);
    return {
      entries: Number(end.position),
      intact: firstBroken === null,
      firstBroken,
      head: head === undefined ? null : { position: Number(head.position), hash: head.hash },
    };
  }

  private async checkLinks(
    companyId: string,
    last: bigint,
  ): Promise<{ readonly end: ChainEnd; readonly broken?: ChainBreak }> {
    let end = CHAIN_START;
    while (end.position < last) {
      const until = end.position + PAGE_SIZE < last ? end.position + PAGE_SIZE : last;
      const { position } = end;
      const links = await this.database.inTransaction('audit.links', (tx) =>
        this.auditChainRepository.links(tx, companyId, position, until),
      );
      const checked = checkLinks(end, links, until, chainHash);
      if (checked.broken !== undefined) {
        return checked;
      }
      end = checked.end;
    }
    return { end };
  }

  /** Breaks that the links cannot show: an entry that was never linked, or was deleted together with the last links. */
  private async findOmission(companyId: string, end: ChainEnd): Promise<ChainBreakDto | null> {
    return this.database.inTransaction('audit.omission', async (tx) => {
      const unlinked = await this.auditChainRepository.unlinkedEntry(tx, companyId);
      if (unlinked !== undefined) {
        return { reason: 'link-missing', position: Number(end.position) + 1, ...unlinked };
      }
      const number = await this.auditChainRepository.missingNumber(tx, companyId);
      return number === undefined ? null : { reason: 'number-missing', position: null, entryId: null, number };
    });
  }

  /** A gap in the positions does not name its entry; the books may. */
  private async nameEntry(companyId: string, broken: ChainBreak): Promise<ChainBreakDto> {
    const unlinked =
      broken.reason === 'link-missing'
        ? await this.database.inTransaction('audit.unlinked', (tx) =>
            this.auditChainRepository.unlinkedEntry(tx, companyId),
          )
        : undefined;
    return { ...broken, ...unlinked, position: Number(broken.position) };
  }
}
