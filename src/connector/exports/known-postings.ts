// What the ERP has of these accounting entries, from our record, or from the ERP itself where our record is unsure.
import { Injectable } from '@nestjs/common';
import { ErpLedger, type PostedGroup } from '../erp/erp-ledger.js';
import type { KnownPosting } from './domain/plan-chunk.js';
import type { JobRun } from './job-run.js';
import { ExportStores } from './export-stores.js';

@Injectable()
export class KnownPostings {
  constructor(
    private readonly stores: ExportStores,
    private readonly erp: ErpLedger,
  ) {}

  /**
   * Only a certain "not there" allows a second post: an intent whose outcome was never recorded is looked up by key.
   * @throws ErpUnavailable when the ERP cannot be asked
   */
  async find(run: JobRun, ids: readonly string[]): Promise<ReadonlyMap<string, KnownPosting>> {
    const { job, erpCompanyId } = run;
    const intents = await this.stores.open('load intents', job.installationId, (tx) =>
      this.stores.intents.find(tx, job, erpCompanyId, ids),
    );
    const known = new Map<string, KnownPosting>();
    const unsure: string[] = [];
    for (const intent of intents.values()) {
      const { accountingEntryId, state, contentDigest, externalId, externalUrl } = intent;
      if (state === 'posted' && externalId !== undefined) {
        known.set(accountingEntryId, { contentDigest, externalId, externalUrl: externalUrl ?? '' });
      } else if (state === 'sent' || state === 'uncertain') {
        unsure.push(accountingEntryId);
      }
    }
    if (unsure.length > 0) {
      for (const [key, group] of await this.erp.findPosted(erpCompanyId, unsure)) {
        known.set(key, knownPosting(group));
      }
    }
    return known;
  }
}

/** The document of a group is what a bookkeeper looks for: the entry or invoice, not its payment. */
export function knownPosting(group: PostedGroup): KnownPosting {
  const main =
    group.entries.find((entry) => entry.role !== 'payment' && entry.role !== 'receipt') ?? group.entries[0];
  return {
    contentDigest: group.contentDigest,
    externalId: main?.id ?? group.key,
    externalUrl: main?.url ?? '',
  };
}
