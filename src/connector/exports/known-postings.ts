// What the ERP has of these accounting entries, from our record, or from the ERP itself where our record is unsure.
import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock.js';
import type { ErpCompanyId } from '../../kernel/ids.js';
import {
  ErpLedger,
  ErpUnavailable,
  type EntryContent,
  type ErpCapability,
  type PostedGroup,
} from '../erp/erp-ledger.js';
import type { CompanyLease } from './company-lease.repository.js';
import { afterUnknown, rejectedMayStand, showsWhatIsAged } from './domain/after-unknown.js';
import { replacedText } from './domain/conflict-text.js';
import type { ExportJob } from './domain/export-job.js';
import type { KnownEntry, KnownPosting } from './domain/known-entry.js';
import { ExportStores } from './export-stores.js';
import type { PostingIntent } from './posting-intent.repository.js';

@Injectable()
export class KnownPostings {
  constructor(
    private readonly stores: ExportStores,
    private readonly erp: ErpLedger,
    private readonly clock: Clock,
  ) {}

  /** From our record alone, with its doubts. */
  async recall(job: ExportJob, ids: readonly string[]): Promise<ReadonlyMap<string, KnownEntry>> {
    const intents = await this.load(job, ids);
    return new Map(
      intents.map((intent) => [intent.accountingEntryId, recalled(intent, job, this.erp.capability)]),
    );
  }

  /**
   * With no other doubts than those that only time (E1) or a person (E0) can end. Only a certain "not there" allows a
   * second post: an intent whose outcome was never recorded is looked up by key, and what is found settles it
   * (invariant I18); so is one whose reversal may have happened.
   * @throws ErpUnavailable when the ERP cannot be asked, or its search may not show a reversal yet
   */
  async find(
    job: ExportJob,
    lease: CompanyLease,
    ids: readonly string[],
  ): Promise<ReadonlyMap<string, KnownEntry>> {
    const { capability } = this.erp;
    const intents = await this.load(job, ids);
    const known = new Map<string, KnownEntry>(
      intents.map((intent) => [intent.accountingEntryId, recalled(intent, job, capability)]),
    );
    const { erpCompanyId } = job;
    const unsure = intents.filter((intent) => isUnsure(intent, capability));
    if (erpCompanyId === undefined || unsure.length === 0) {
      return known;
    }
    if (capability.level === 'E0') {
      await this.leaveToAPerson(job, erpCompanyId, lease, unsure);
      return known;
    }
    for (const [id, entry] of await this.lookUp(job, erpCompanyId, lease, unsure)) {
      known.set(id, entry);
    }
    return known;
  }

  private async load(job: ExportJob, ids: readonly string[]): Promise<readonly PostingIntent[]> {
    const { erpCompanyId } = job;
    if (erpCompanyId === undefined) {
      return [];
    }
    const intents = await this.stores.open('load intents', job.installationId, (tx) =>
      this.stores.intents.find(tx, job, erpCompanyId, ids),
    );
    return [...intents.values()];
  }

  /** A worker died before it could say what became of them. */
  private async leaveToAPerson(
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    unsure: readonly PostingIntent[],
  ): Promise<void> {
    const keys = unsure.filter(({ state }) => state === 'sent').map((intent) => intent.accountingEntryId);
    if (keys.length > 0) {
      await this.stores.fenced('leave intents to a person', lease, (tx) =>
        this.stores.intents.tell(tx, job, erpCompanyId, keys, 'uncertain'),
      );
    }
  }

  private async lookUp(
    job: ExportJob,
    erpCompanyId: ErpCompanyId,
    lease: CompanyLease,
    unsure: readonly PostingIntent[],
  ): Promise<ReadonlyMap<string, KnownEntry>> {
    const { capability } = this.erp;
    const groups = await this.erp.findPosted(
      erpCompanyId,
      unsure.map((intent) => intent.accountingEntryId),
    );
    const found = new Map<string, KnownEntry>();
    const standing = new Map<string, KnownPosting>();
    const reversed = new Map<string, KnownPosting>();
    const absent: string[] = [];
    const notShown: string[] = [];
    for (const intent of unsure) {
      const { accountingEntryId, revision } = intent;
      const group = groups.get(accountingEntryId);
      if (group === undefined || group.revision < revision) {
        // An older revision is out of the books, or ours would not have been sent.
        const isAbsent =
          afterUnknown(capability, intent.age) !== 'look-up-until' || intent.state === 'posted';
        const doubt = isAbsent ? undefined : 'not-shown-yet';
        found.set(accountingEntryId, { ...recalled(intent, job, capability), doubt });
        (isAbsent ? absent : notShown).push(accountingEntryId);
        continue;
      }
      if (!group.reversed && !showsWhatIsAged(capability, intent.sinceReversalMs ?? Infinity)) {
        throw new ErpUnavailable(REVERSAL_NOT_SHOWN_YET);
      }
      found.set(accountingEntryId, settled(intent, job, group));
      (group.reversed ? reversed : standing).set(accountingEntryId, knownPosting(group));
    }
    await this.stores.fenced('settle intents', lease, async (tx) => {
      await this.stores.intents.adopt(tx, job, erpCompanyId, standing, this.clock.now());
      await this.stores.intents.reverse(tx, job, erpCompanyId, reversed, this.clock.now());
      await this.stores.intents.tell(tx, job, erpCompanyId, absent, 'rejected');
      await this.stores.intents.tell(tx, job, erpCompanyId, notShown, 'uncertain');
    });
    return found;
  }
}

const REVERSAL_NOT_SHOWN_YET = {
  kind: 'timeout',
  message: 'the accounting system may not show yet what was reversed',
} as const;

function isUnsure({ state, sinceReversalMs }: PostingIntent, capability: ErpCapability): boolean {
  switch (state) {
    case 'sent':
    case 'uncertain':
      return true;
    case 'posted':
      return sinceReversalMs !== undefined;
    case 'rejected':
      return rejectedMayStand(capability);
    case 'reversed':
      return false;
  }
}

function recalled(intent: PostingIntent, job: ExportJob, { level }: ErpCapability): KnownEntry {
  const {
    revision,
    contentDigest,
    content,
    externalId,
    externalUrl = '',
    replaced,
    sinceReversalMs,
  } = intent;
  const nothing = { posting: undefined, ownContent: false, foundNow: false, replaced, doubt: undefined };
  switch (intent.state) {
    case 'sent':
    case 'uncertain':
      return { ...nothing, nextRevision: revision, doubt: level === 'E0' ? 'left-to-a-person' : 'post' };
    case 'rejected':
      return { ...nothing, nextRevision: revision };
    case 'posted':
      return {
        ...nothing,
        posting: { contentDigest, externalId: externalId ?? '', externalUrl, content, warnings: [] },
        // Its reversal was sent because the item has other content now; what an earlier job posted may have, too.
        ownContent: sinceReversalMs === undefined && intent.exportJobId === job.id,
        nextRevision: revision + 1,
        doubt: sinceReversalMs === undefined ? undefined : 'reversal',
      };
    case 'reversed':
      return { ...nothing, nextRevision: revision + 1, replaced: externalId };
  }
}

/** What the ERP has of an intent we were unsure of. */
function settled(intent: PostingIntent, job: ExportJob, group: PostedGroup): KnownEntry {
  const { revision, content, replaced, state } = intent;
  const found = knownPosting(group);
  const nextRevision = revision + 1;
  if (group.reversed) {
    const gone = { posting: undefined, ownContent: false, foundNow: false, doubt: undefined };
    return { ...gone, nextRevision, replaced: found.externalId };
  }
  const isOurs = group.contentDigest === intent.contentDigest;
  const foundNow = isOurs && state !== 'posted';
  const replacing = foundNow && replaced !== undefined ? [replacedText(replaced)] : [];
  return {
    posting: {
      ...found,
      content: isOurs ? content : [],
      warnings: foundNow ? [...replacing, ...found.warnings] : [],
    },
    ownContent: foundNow && intent.exportJobId === job.id,
    foundNow,
    nextRevision,
    replaced,
    doubt: undefined,
  };
}

/**
 * The document of a group is what a bookkeeper looks for: the entry or invoice, not its payment.
 * @param content its lines, as far as the ERP has told them
 */
export function knownPosting(group: PostedGroup, content: readonly EntryContent[] = []): KnownPosting {
  const main =
    group.entries.find((entry) => entry.role !== 'payment' && entry.role !== 'receipt') ?? group.entries[0];
  return {
    contentDigest: group.contentDigest,
    externalId: main?.id ?? group.key,
    externalUrl: main?.url ?? '',
    content,
    warnings: group.warnings,
  };
}
