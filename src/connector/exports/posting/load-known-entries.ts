// What the ERP has of these accounting entries, from our record, or from the ERP itself where our record is unsure.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../kernel/clock.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import type { BookkeepingPolicies } from '../../bookkeeping/item/bookkeeping-context.js';
import type { InspectedEntry } from '../../erp/erp-books.js';
import { ErpUnavailable, type ErpCapability, type PostedGroup } from '../../erp/erp-ledger.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { CompanyLease } from '../stores/company-lease.repository.js';
import { isInDoubt } from '../domain/look-up-finding.js';
import { mayRejectedBePosted } from '../domain/unknown-outcome.js';
import type { ExportJob } from '../domain/export-job.js';
import type { KnownEntry } from '../domain/plans/known-entry.js';
import type { PostingIntent } from '../stores/posting-intent.js';
import { PostingIntentRepository } from '../stores/posting-intent.repository.js';
import { CompanyTransactions } from '../stores/company-transactions.js';
import { compareWithErp, entryFromRecord, isOfEarlierJob, type LookUp, type TellingOutcomes } from './known-entries.js';

/** Whether what earlier jobs have posted still stands (B9.1). */
export interface StandingCheck {
  /** With `fail` our record keeps what was reversed in the ERP as posted. */
  readonly reversedInErp: BookkeepingPolicies['reversedInErp'];
  /** False where the posting itself will tell. */
  readonly isAsked: (posted: Pick<PostingIntent, 'accountingEntryId' | 'contentDigest'>) => boolean;
}

export interface LoadPurpose {
  readonly standing?: StandingCheck;
  /** The entries will not be sent again: what is said of them now stays said. */
  readonly isLast?: boolean;
}

@Injectable()
export class LoadKnownEntries {
  constructor(
    private readonly companyTransactions: CompanyTransactions,
    private readonly postingIntentRepository: PostingIntentRepository,
    private readonly erpConnections: ErpConnections,
    private readonly clock: Clock,
  ) {}

  /** From our record alone, in doubt where it is; for what will not be sent again. */
  async loadFromRecord(job: ExportJob, ids: readonly string[]): Promise<ReadonlyMap<string, KnownEntry>> {
    const intents = await this.loadIntents(job, ids);
    if (intents.length === 0) {
      return new Map();
    }
    const capability = await this.capabilityOf(job);
    const entryOf = (intent: PostingIntent): KnownEntry => {
      const entry = entryFromRecord(intent, job, capability);
      const isUnsure = intent.state === 'rejected' && mayRejectedBePosted(capability, true);
      return isUnsure ? { ...entry, inDoubt: 'post' } : entry;
    };
    return new Map(intents.map((intent) => [intent.accountingEntryId, entryOf(intent)]));
  }

  /**
   * In doubt only where time (`searchable-reference`) or manual review (`none`) has to decide. Only a certain "not posted" allows a
   * second post: an intent whose outcome was never recorded is looked up by key, and what is found settles it
   * (I18); so is one whose reversal may have happened, and one that the ERP has lost and may have again.
   * @param purpose `standing` is given where entries are exported: what earlier jobs have posted is asked for as well
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
    const { capability } = erp;
    const known = new Map<string, KnownEntry>(
      intents.map((intent) => [intent.accountingEntryId, entryFromRecord(intent, job, capability)]),
    );
    const unsure = intents.filter((intent) => isInDoubt(intent, capability, isLast));
    const told = await outcomesTold(erp, unsure);
    const isTold = ({ accountingEntryId }: PostingIntent) => told.has(accountingEntryId);
    const earlier = intents.filter(
      (intent) => isOfEarlierJob(intent, job, capability) && standing?.isAsked(intent) === true,
    );
    let asked = [...unsure, ...earlier];
    if (capability.level === 'none') {
      await this.requireManualReview(
        job,
        erpCompanyId,
        lease,
        unsure.filter((intent) => !isTold(intent)),
      );
      asked = unsure.filter(isTold);
    }
    if (asked.length === 0) {
      return known;
    }
    const lookUp = { intents: asked, told, isLast, reversedInErp: standing?.reversedInErp ?? 'repost' };
    for (const [id, entry] of await this.lookUpInErp(job, erp, erpCompanyId, lease, lookUp)) {
      known.set(id, entry);
    }
    return known;
  }

  /** Without a connection nothing can be looked up: a person has to. */
  private async capabilityOf({ installationId, erpCompanyId }: ExportJob): Promise<ErpCapability> {
    try {
      const erp = erpCompanyId && (await this.erpConnections.open(installationId, erpCompanyId));
      return erp?.capability ?? { level: 'none' };
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
    const { companyTransactions, postingIntentRepository } = this;
    const newest = await companyTransactions.readOnce('load intents', job.installationId, (tx) =>
      postingIntentRepository.findNewest(tx, job, erpCompanyId, ids),
    );
    // Most items of an export are new.
    if (newest.length === 0) {
      return [];
    }
    const intents = await companyTransactions.byKeys('load plans', job.installationId, (tx) =>
      postingIntentRepository.withPlans(tx, job, newest),
    );
    return [...intents.values()];
  }

  /** A worker died before it could record their outcome. */
  private async requireManualReview(
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    unsure: readonly PostingIntent[],
  ): Promise<void> {
    const keys = unsure.filter(({ state }) => state === 'sent').map((intent) => intent.accountingEntryId);
    if (keys.length > 0) {
      await this.companyTransactions.fenced('require manual review', lease, (tx) =>
        this.postingIntentRepository.markAs(tx, job, erpCompanyId, keys, 'uncertain'),
      );
    }
  }

  private async lookUpInErp(
    job: ExportJob,
    erp: ConnectedErp,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    { intents, told, isLast, reversedInErp }: Omit<LookUp, 'groups' | 'others'>,
  ): Promise<ReadonlyMap<string, KnownEntry>> {
    const { capability } = erp;
    const keys = intents.map((intent) => intent.accountingEntryId).filter((key) => !told.has(key));
    const shown = keys.length === 0 ? new Map<string, PostedGroup>() : await erp.findPosted(keys);
    const groups = new Map([...shown, ...told].flatMap(([key, group]) => (group === 'refused' ? [] : [[key, group]])));
    const others = await inspectForeignContent(erp, intents, groups);
    const { found, standing, reversed, back, absent, notShown } = compareWithErp(
      { intents, told, isLast, groups, others, reversedInErp },
      job,
      capability,
    );
    await this.companyTransactions.fenced('settle intents', lease, async (tx) => {
      await this.postingIntentRepository.restore(tx, job, erpCompanyId, back);
      await this.postingIntentRepository.importPostings(tx, job, erpCompanyId, standing, this.clock.now());
      await this.postingIntentRepository.markReversed(tx, job, erpCompanyId, reversed, this.clock.now());
      await this.postingIntentRepository.markAs(tx, job, erpCompanyId, absent, 'rejected');
      await this.postingIntentRepository.markAs(tx, job, erpCompanyId, notShown, 'uncertain');
    });
    return found;
  }
}

/** What the ERP has not decided, or does not know, is looked up as everything else is. */
async function outcomesTold(erp: ConnectedErp, unsure: readonly PostingIntent[]): Promise<TellingOutcomes> {
  // What is posted may be reversed by now; it was told once.
  const accepted = unsure.flatMap(({ accountingEntryId, revision, contentDigest, acceptedHandle, state }) =>
    acceptedHandle === undefined || (state !== 'sent' && state !== 'uncertain')
      ? []
      : [{ key: accountingEntryId, revision, contentDigest, handle: acceptedHandle }],
  );
  const told = new Map<string, PostedGroup | 'refused'>();
  for (const [key, outcome] of await erp.outcomesOf(accepted)) {
    if (outcome.outcome === 'created' || outcome.outcome === 'existed') {
      told.set(key, outcome.posted);
    } else if (outcome.outcome === 'refused' || outcome.outcome === 'not-sent') {
      told.set(key, 'refused');
    }
  }
  return told;
}

/** What stands with other content than was sent, line by line: the connector has not planned it. */
async function inspectForeignContent(
  erp: ConnectedErp,
  intents: readonly PostingIntent[],
  groups: ReadonlyMap<string, PostedGroup>,
): Promise<ReadonlyMap<string, readonly InspectedEntry[]>> {
  const others = intents.flatMap(({ accountingEntryId, revision, contentDigest }) => {
    const group = groups.get(accountingEntryId);
    const stands = group !== undefined && group.revision >= revision && !group.reversed;
    return stands && group.contentDigest !== contentDigest ? [group] : [];
  });
  if (others.length === 0) {
    return new Map();
  }
  const shown = await erp.inspect(others.map(({ key }) => key));
  return new Map(
    others.flatMap(({ key, revision }) => {
      const group = shown.get(key)?.find((each) => each.revision === revision);
      return group === undefined ? [] : [[key, group.entries] as const];
    }),
  );
}
