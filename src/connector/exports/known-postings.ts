// What the ERP has of these accounting entries, from our record, or from the ERP itself where our record is unsure.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { ErpCompanyId } from '../../kernel/ids.js';
import { ErpLedger, type PostedGroup } from '../erp/erp-ledger.js';
import type { CompanyLease } from './company-lease.repository.js';
import type { ExportJob } from './domain/export-job.js';
import type { KnownPosting } from './domain/plan-chunk.js';
import { ExportStores } from './export-stores.js';
import type { IntentOutcome, PostingIntent } from './posting-intent.repository.js';

/** `ownContent`: it is what our last intent for this entry meant to post, so nobody else's. */
export type FoundPosting = KnownPosting & { readonly ownContent: boolean };

@Injectable()
export class KnownPostings {
  constructor(
    private readonly stores: ExportStores,
    private readonly erp: ErpLedger,
    private readonly clock: Clock,
  ) {}

  /**
   * Only a certain "not there" allows a second post: an intent whose outcome was never recorded is looked up by key, and
   * what is found settles it (invariant I18).
   * @throws ErpUnavailable when the ERP cannot be asked
   */
  async find(
    job: ExportJob,
    lease: CompanyLease,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, FoundPosting>> {
    const { erpCompanyId } = job;
    if (erpCompanyId === undefined) {
      return new Map();
    }
    const intents = await this.stores.open('load intents', job.installationId, (tx) =>
      this.stores.intents.find(tx, job, erpCompanyId, ids),
    );
    const known = new Map<string, FoundPosting>();
    const unsure: PostingIntent[] = [];
    for (const intent of intents.values()) {
      const { accountingEntryId, state, contentDigest, externalId, externalUrl } = intent;
      if (state === 'posted' && externalId !== undefined) {
        known.set(accountingEntryId, {
          contentDigest,
          externalId,
          externalUrl: externalUrl ?? '',
          ownContent: true,
        });
      } else if (state === 'sent' || state === 'uncertain') {
        unsure.push(intent);
      }
    }
    for (const [id, posting] of await this.lookUp(job, erpCompanyId, lease, unsure)) {
      known.set(id, posting);
    }
    return known;
  }

  private async lookUp(
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    unsure: readonly PostingIntent[],
  ): Promise<ReadonlyMap<string, FoundPosting>> {
    if (unsure.length === 0) {
      return new Map();
    }
    const groups = await this.erp.findPosted(
      erpCompanyId,
      unsure.map((intent) => intent.accountingEntryId),
    );
    const found = new Map<string, FoundPosting>();
    const settled: IntentOutcome[] = [];
    for (const { accountingEntryId, contentDigest } of unsure) {
      const group = groups.get(accountingEntryId);
      if (group !== undefined) {
        const posting = knownPosting(group);
        const ownContent = posting.contentDigest === contentDigest;
        found.set(accountingEntryId, { ...posting, ownContent });
        const { externalId, externalUrl } = posting;
        settled.push(
          ownContent
            ? { accountingEntryId, state: 'posted', externalId, externalUrl }
            : { accountingEntryId, state: 'rejected' },
        );
      }
    }
    await this.stores.fenced('settle intents', lease, (tx) =>
      this.stores.intents.record(tx, job, erpCompanyId, settled, this.clock.now()),
    );
    return found;
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
