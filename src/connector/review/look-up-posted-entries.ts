import { Injectable } from '@nestjs/common';
import type { ErpCompanyId, InstallationId } from '../../kernel/ids.js';
import { ErpConnections } from '../erp/erp-connections.js';
import { ErpUnavailable, type PostedGroup } from '../erp/erp-ledger.js';
import type { ReversalInErp } from '../exports/domain/plans/known-entry.js';
import { reversalIn } from '../exports/domain/plans/known-entry.js';
import type { StandingEntry } from './domain/preview-result.js';
import { SentEntryReader } from '../exports/reporting/sent-entry.reader.js';
import type { SentEntry } from '../exports/reporting/sent-entry.reader.js';

export interface PostedEntries {
  readonly standing: ReadonlyMap<string, StandingEntry>;
  /** Posted by our record, and taken out of the books in the ERP. */
  readonly reversals: ReadonlyMap<string, ReversalInErp>;
}

/** What the ledger holds of entries, by look-up; their lines are on our record. */
@Injectable()
export class LookUpPostedEntries {
  constructor(
    private readonly erpConnections: ErpConnections,
    private readonly sentEntryReader: SentEntryReader,
  ) {}

  /** @returns 'not-looked-up' when the ERP cannot be searched or does not respond */
  async lookUp(
    installationId: InstallationId,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<PostedEntries | 'not-looked-up'> {
    const records = await this.sentEntryReader.find(installationId, ids, erpCompanyId);
    try {
      const erp = await this.erpConnections.open(installationId, erpCompanyId);
      const groups = await erp.findPosted(ids);
      const found = [...groups.values()];
      const standing = found.filter(({ reversed }) => !reversed);
      const gone = found.filter(({ reversed, key }) => reversed && records.get(key)?.state === 'posted');
      return {
        standing: new Map(standing.map((group) => [group.key, standingOf(group, records.get(group.key))])),
        reversals: new Map(gone.map((group) => [group.key, reversalIn(group)])),
      };
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return 'not-looked-up';
      }
      throw error;
    }
  }
}

function standingOf(group: PostedGroup, record: SentEntry | undefined): StandingEntry {
  const { contentDigest, entries, key, revision } = group;
  const main = entries.find(({ role }) => role !== 'payment' && role !== 'receipt') ?? entries[0];
  const isOurs = record?.contentDigest === contentDigest && record.revision === revision && record.plan.length > 0;
  return {
    externalId: main?.id ?? key,
    externalUrl: main?.url ?? '',
    contentDigest,
    plan: isOurs ? record.plan : undefined,
  };
}
