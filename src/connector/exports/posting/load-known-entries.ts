// What the ERP has of accounting entries: from our record, and from the ERP itself where the record is in doubt.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import type { BookkeepingPolicies } from '../../bookkeeping/item/bookkeeping-context.js';
import type { InspectedEntry } from '../../erp/erp-books.js';
import { ErpUnavailable, type PostingGuarantee, type PostedGroup } from '../../erp/erp-ledger.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { isInDoubt } from '../domain/look-up-finding.js';
import { mayRejectedBePosted } from '../domain/unknown-outcome.js';
import type { ExportJob } from '../domain/export-job.js';
import type { KnownEntry } from '../domain/plans/known-entry.js';
import type { PostingIntent } from '../stores/posting-intent.js';
import { PostingIntentRepository } from '../stores/posting-intent.repository.js';
import { fenced } from '../stores/fenced.js';
import {
  compareWithErp,
  entryFromRecord,
  isOfEarlierJob,
  type LookUp,
  type AcceptedOutcomes,
} from './known-entries.js';

/** Checks that entries of earlier jobs still stand in the ERP (B9.1). */
export interface StandingCheck {
  /** With `fail` our record keeps what was reversed in the ERP as posted. */
  readonly reversedInErp: BookkeepingPolicies['reversedInErp'];
  /** False where the ERP's response to the new posting shows it anyway. */
  readonly applies: (posted: Pick<PostingIntent, 'accountingEntryId' | 'contentDigest'>) => boolean;
}

export interface LoadPurpose {
  readonly standing?: StandingCheck;
  /** The entries will not be sent again, so this finding is final. */
  readonly isLast?: boolean;
}

@Injectable()
export class LoadKnownEntries {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly postingIntentRepository: PostingIntentRepository,
    private readonly erpConnections: ErpConnections,
  ) {}

  /** From our record alone, for entries that will not be sent again; what it does not know stays in doubt. */
  async loadFromRecord(job: ExportJob, ids: readonly string[]): Promise<ReadonlyMap<string, KnownEntry>> {
    const intents = await this.loadIntents(job, ids);
    if (intents.length === 0) {
      return new Map();
    }
    const guarantee = await this.guaranteeOf(job);
    const entryOf = (intent: PostingIntent): KnownEntry => {
      const entry = entryFromRecord(intent, job, guarantee);
      const mayBePosted = intent.state === 'rejected' && mayRejectedBePosted(guarantee, true);
      return mayBePosted ? { ...entry, inDoubt: 'post' } : entry;
    };
    return new Map(intents.map((intent) => [intent.accountingEntryId, entryOf(intent)]));
  }

  /**
   * Looks up by key, and settles in our record, every intent in doubt: its outcome was never recorded, its reversal may have
   * happened, or the ERP had lost it and may have it again (I18). Only a certain "not posted" allows a second post. What
   * stays in doubt needs time (`searchable-reference`) or manual review (`none`).
   * @param purpose `standing` for an export: entries of earlier jobs are looked up too
   * @throws ErpUnavailable when the ERP cannot be searched, or its search may not show a reversal yet
   */
  async loadOrLookUp(
    job: ExportJob,
    lease: CompanyLease,
    ids: readonly string[],
    { standing, isLast = false }: LoadPurpose = {},
  ): Promise<ReadonlyMap<string, KnownEntry>> {
    const intents = await this.loadIntents(job, ids);
    const { erpCompanyId } = job;
    if (erpCompanyId === undefined || intents.length === 0) {
      return new Map();
    }
    const erp = await this.erpConnections.open(job.installationId, erpCompanyId);
    const { guarantee } = erp;
    const known = new Map<string, KnownEntry>(
      intents.map((intent) => [intent.accountingEntryId, entryFromRecord(intent, job, guarantee)]),
    );
    const inDoubt = intents.filter((intent) => isInDoubt(intent, guarantee, isLast));
    const accepted = await loadAcceptedOutcomes(erp, inDoubt);
    const hasOutcome = ({ accountingEntryId }: PostingIntent) => accepted.has(accountingEntryId);
    const earlier = intents.filter(
      (intent) => isOfEarlierJob(intent, job, guarantee) && standing?.applies(intent) === true,
    );
    let toLookUp = [...inDoubt, ...earlier];
    if (guarantee.level === 'none') {
      await this.requireManualReview(
        job,
        erpCompanyId,
        lease,
        inDoubt.filter((intent) => !hasOutcome(intent)),
      );
      toLookUp = inDoubt.filter(hasOutcome);
    }
    if (toLookUp.length === 0) {
      return known;
    }
    const lookUp = { intents: toLookUp, accepted, isLast, reversedInErp: standing?.reversedInErp ?? 'repost' };
    for (const [id, entry] of await this.lookUpInErp(job, erp, erpCompanyId, lease, lookUp)) {
      known.set(id, entry);
    }
    return known;
  }

  /** Without a connection nothing can be looked up, so only manual review can decide. */
  private async guaranteeOf({ installationId, erpCompanyId }: ExportJob): Promise<PostingGuarantee> {
    try {
      const erp = erpCompanyId && (await this.erpConnections.open(installationId, erpCompanyId));
      return erp?.guarantee ?? { level: 'none' };
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { level: 'none' };
      }
      throw error;
    }
  }

  private async loadIntents(job: ExportJob, ids: readonly string[]): Promise<readonly PostingIntent[]> {
    const { erpCompanyId } = job;
    if (erpCompanyId === undefined) {
      return [];
    }
    const { tenantDatabase, postingIntentRepository } = this;
    const newest = await tenantDatabase.readOnce('load intents', job.installationId, (tx) =>
      postingIntentRepository.findNewest(tx, job, erpCompanyId, ids),
    );
    // Most items of an export are new.
    if (newest.length === 0) {
      return [];
    }
    const intents = await tenantDatabase.byKeys('load plans', job.installationId, (tx) =>
      postingIntentRepository.withPlans(tx, job, newest),
    );
    return [...intents.values()];
  }

  /** For intents whose worker died before it recorded an outcome. */
  private async requireManualReview(
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    inDoubt: readonly PostingIntent[],
  ): Promise<void> {
    const keys = inDoubt.filter(({ state }) => state === 'sent').map((intent) => intent.accountingEntryId);
    if (keys.length > 0) {
      await fenced(this.tenantDatabase, 'require manual review', lease, (tx) =>
        this.postingIntentRepository.markAs(tx, job, erpCompanyId, keys, 'uncertain'),
      );
    }
  }

  private async lookUpInErp(
    job: ExportJob,
    erp: ConnectedErp,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    { intents, accepted, isLast, reversedInErp }: Omit<LookUp, 'groups' | 'foreignContent'>,
  ): Promise<ReadonlyMap<string, KnownEntry>> {
    const { guarantee } = erp;
    const keys = intents.map((intent) => intent.accountingEntryId).filter((key) => !accepted.has(key));
    const shown = keys.length === 0 ? new Map<string, PostedGroup>() : await erp.findPosted(keys);
    const groups = new Map(
      [...shown, ...accepted].flatMap(([key, group]) => (group === 'refused' ? [] : [[key, group]])),
    );
    const foreignContent = await inspectForeignContent(erp, intents, groups);
    const { found, standing, reversed, shownRevisions, absent, notShownYet } = compareWithErp(
      { intents, accepted, isLast, groups, foreignContent, reversedInErp },
      job,
      guarantee,
    );
    await fenced(this.tenantDatabase, 'settle intents', lease, async (tx) => {
      await this.postingIntentRepository.restore(tx, job, erpCompanyId, shownRevisions);
      await this.postingIntentRepository.importPostings(tx, job, erpCompanyId, standing);
      await this.postingIntentRepository.markReversed(tx, job, erpCompanyId, reversed);
      await this.postingIntentRepository.markAs(tx, job, erpCompanyId, absent, 'rejected');
      await this.postingIntentRepository.markAs(tx, job, erpCompanyId, notShownYet, 'uncertain');
    });
    return found;
  }
}

/** Queries groups by the handle they were accepted with; those without a decision are looked up by key instead. */
async function loadAcceptedOutcomes(erp: ConnectedErp, inDoubt: readonly PostingIntent[]): Promise<AcceptedOutcomes> {
  // Only open intents: a decided one may have been reversed since.
  const queried = inDoubt.flatMap(({ accountingEntryId, revision, contentDigest, acceptedHandle, state }) =>
    acceptedHandle === undefined || (state !== 'sent' && state !== 'uncertain')
      ? []
      : [{ key: accountingEntryId, revision, contentDigest, handle: acceptedHandle }],
  );
  const outcomes = new Map<string, PostedGroup | 'refused'>();
  for (const [key, outcome] of await erp.outcomesOf(queried)) {
    if (outcome.outcome === 'created' || outcome.outcome === 'existed') {
      outcomes.set(key, outcome.posted);
    } else if (outcome.outcome === 'refused' || outcome.outcome === 'not-sent') {
      outcomes.set(key, 'refused');
    }
  }
  return outcomes;
}

/** The lines of entries that stand with content we did not send. */
async function inspectForeignContent(
  erp: ConnectedErp,
  intents: readonly PostingIntent[],
  groups: ReadonlyMap<string, PostedGroup>,
): Promise<ReadonlyMap<string, readonly InspectedEntry[]>> {
  const foreign = intents.flatMap(({ accountingEntryId, revision, contentDigest }) => {
    const group = groups.get(accountingEntryId);
    const stands = group !== undefined && group.revision >= revision && !group.reversed;
    return stands && group.contentDigest !== contentDigest ? [group] : [];
  });
  if (foreign.length === 0) {
    return new Map();
  }
  const shown = await erp.inspect(foreign.map(({ key }) => key));
  return new Map(
    foreign.flatMap(({ key, revision }) => {
      const group = shown.get(key)?.find((each) => each.revision === revision);
      return group === undefined ? [] : [[key, group.entries] as const];
    }),
  );
}
