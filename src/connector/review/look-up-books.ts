import { Injectable } from '@nestjs/common';
import type { ErpCompanyId, InstallationId } from '../../kernel/ids.js';
import { ErpLedger, ErpUnavailable, type PostedGroup } from '../erp/erp-ledger.js';
import { DryRunService, type SentEntry } from '../exports/items/dry-run.service.js';
import type { Standing } from './domain/preview-result.js';

/** What the ledger holds of entries, by look-up; their lines are on our record. */
@Injectable()
export class LookUpBooks {
  constructor(
    private readonly erp: ErpLedger,
    private readonly dryRun: DryRunService,
  ) {}

  /** @returns 'not-asked' when the ERP cannot be searched or does not answer */
  async run(
    installationId: InstallationId,
    erpCompanyId: ErpCompanyId,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, Standing> | 'not-asked'> {
    const records = await this.dryRun.sentEntriesOf(installationId, ids, erpCompanyId);
    try {
      const groups = await this.erp.findPosted(erpCompanyId, ids);
      return new Map(
        [...groups.values()]
          .filter(({ reversed }) => !reversed)
          .map((group) => [group.key, standingOf(group, records.get(group.key))]),
      );
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return 'not-asked';
      }
      throw error;
    }
  }
}

function standingOf(group: PostedGroup, record: SentEntry | undefined): Standing {
  const { contentDigest, entries, key, revision } = group;
  const main = entries.find(({ role }) => role !== 'payment' && role !== 'receipt') ?? entries[0];
  const isOurs =
    record?.contentDigest === contentDigest && record.revision === revision && record.plan.length > 0;
  return {
    externalId: main?.id ?? key,
    externalUrl: main?.url ?? '',
    contentDigest,
    plan: isOurs ? record.plan : undefined,
  };
}
