// Pure: how the three sources disagree about one accounting entry of a job that has ended.
import { driftOf } from './content-drift.js';
import type { DiscrepancyClass, DiscrepancyFinding, Repair } from './discrepancy-class.js';
import {
  dimensionKey,
  isStanding,
  type ErpEntry,
  type ErpGroup,
  type KnownCodes,
  type PlatformSource,
  type RecordedPosting,
  type RecordSource,
  type ComparedSources,
} from './compared-sources.js';

/**
 * Only the newest export of an entry counts: an earlier one was replaced by it.
 * @param sources of an entry whose job has ended in the record: a half-written job is no discrepancy (H14)
 * @param codes of the company that it was posted to; undefined where they are not known
 * @returns nothing when the sources agree
 */
export function classifyEntry(sources: ComparedSources, codes: KnownCodes | undefined): readonly DiscrepancyFinding[] {
  if (!sources.record.isNewest) {
    return [];
  }
  const books = erpFindings(sources);
  const reported = reportFindings(sources.platform, sources.record, books);
  return [...reported, ...books, ...orphanedCodes(sources, codes)];
}

/** The platform compared with the record. */
function reportFindings(
  platform: PlatformSource,
  record: RecordSource,
  books: readonly DiscrepancyFinding[],
): readonly DiscrepancyFinding[] {
  const { item } = record;
  if (platform.jobStatus === undefined) {
    // The job as a whole is a discrepancy; nothing more can be said of its items.
    return [];
  }
  if (platform.item === undefined) {
    return [findingOf('missing-on-platform')];
  }
  if (item === undefined) {
    // We failed the job before its list was read, as of a company that is not set up yet. Of a job that ended without us a restored
    // database may have lost what was posted.
    const isAgreed = record.jobState === 'failed' && platform.item.status === 'abandoned';
    return isAgreed ? [] : [findingOf('missing-in-record')];
  }
  const { status, externalId } = platform.item;
  const hasResult = status === 'successful' || status === 'failed';
  switch (item.state) {
    case 'pending':
      return record.posting?.state !== 'posted' || status !== 'successful' || externalId === record.posting.externalId
        ? []
        : [findingOf('link-differs')];
    case 'successful':
      if (!hasResult) {
        return isUnreportedByEnd(record)
          ? [findingOf('expired-with-posted-entry')]
          : unreported(platform, 'posted-not-reported');
      }
      if (status === 'failed') {
        return [findingOf('reported-as-failed')];
      }
      return externalId === item.externalId ? [] : [findingOf('link-differs')];
    case 'failed':
      if (status === 'successful') {
        return [findingOf('reported-as-successful')];
      }
      return hasResult || isUnreportedByEnd(record) || item.reportRefused || books.length > 0
        ? []
        : unreported(platform, 'failure-not-reported');
  }
}

/** A job that ended before its verdict accepts no more results, so its items have none. */
function isUnreportedByEnd({ jobState }: RecordSource): boolean {
  return jobState === 'expired' || jobState === 'closed_by_platform';
}

function unreported({ jobStatus }: PlatformSource, discrepancyClass: DiscrepancyClass): readonly DiscrepancyFinding[] {
  return [findingOf(discrepancyClass, jobStatus === 'in_progress' ? 'report-again' : undefined)];
}

/** What we have recorded against the books. */
function erpFindings({ record, erp, platform }: ComparedSources): readonly DiscrepancyFinding[] {
  const { posting, item } = record;
  if (erp.kind === 'not-looked-up') {
    return [];
  }
  const isUnsettled = posting?.state === 'sent' || posting?.state === 'uncertain';
  if (erp.kind === 'not-verifiable') {
    return isUnsettled ? [findingOf('unknown-outcome')] : [];
  }
  const standing = erp.groups.filter(({ entries }) => entries.some(isStanding));
  if (standing.length > 1) {
    return [findingOf('duplicate-in-erp')];
  }
  const [group] = standing;
  if (isUnsettled) {
    const isOurs = group === undefined || group.contentDigest === posting.contentDigest;
    return [findingOf('unknown-outcome', isOurs ? 'look-up' : undefined)];
  }
  if (posting?.state === 'posted') {
    return postedFindings({ record, platform }, posting, group, erp.groups);
  }
  if (posting?.state === 'reversed') {
    return reversedFindings(platform, posting, group, erp.groups);
  }
  const isExported =
    item?.state === 'successful' || (item?.state === 'pending' && platform.item?.status === 'successful');
  return unpostedFindings(isExported, posting, group);
}

/** Out of the books by our record. */
function reversedFindings(
  platform: PlatformSource,
  posting: RecordedPosting,
  group: ErpGroup | undefined,
  groups: readonly ErpGroup[],
): readonly DiscrepancyFinding[] {
  if (group === undefined) {
    // However it was reversed or lost: the platform still has it as exported (I4).
    return platform.item?.status === 'successful' ? [findingOf(notStandingClass(posting, groups))] : [];
  }
  const isBack = posting.lost && isRecordedPosting(posting, group);
  return isBack || isLater(posting, group) ? UNRECORDED : [findingOf('stands-though-reversed')];
}

/** No standing entry: the ERP shows a reversal, or does not know the entry (deleted, or absent since a restore). */
function notStandingClass(posting: RecordedPosting, groups: readonly ErpGroup[]): DiscrepancyClass {
  const isShown = groups.some(({ revision }) => revision >= posting.revision);
  return isShown || (posting.state === 'reversed' && !posting.lost) ? 'reversed-in-erp' : 'deleted-in-erp';
}

const UNRECORDED: readonly DiscrepancyFinding[] = [findingOf('posted-not-recorded', 'adopt')];

/** We post no revision without a record of it: so the record was lost, as when our database was restored. */
function isLater(posting: RecordedPosting, group: ErpGroup): boolean {
  return group.revision > posting.revision;
}

function isRecordedPosting(posting: RecordedPosting, group: ErpGroup): boolean {
  return group.contentDigest === posting.contentDigest && group.revision === posting.revision;
}

function postedFindings(
  { record, platform }: Pick<ComparedSources, 'record' | 'platform'>,
  posting: RecordedPosting,
  group: ErpGroup | undefined,
  groups: readonly ErpGroup[],
): readonly DiscrepancyFinding[] {
  if (group === undefined) {
    return [findingOf(notStandingClass(posting, groups))];
  }
  if (isLater(posting, group)) {
    return UNRECORDED;
  }
  const standing = group.entries.filter(isStanding);
  const linked = standing.some(({ id }) => id === posting.externalId);
  if (standing.length < group.entries.length) {
    return [findingOf('partly-reversed-in-erp')];
  }
  const content =
    !isRecordedPosting(posting, group) || !linked
      ? [findingOf('altered-in-erp')]
      : driftOf(posting.entries, standing).map((each) => findingOf(each));
  return [...content, ...unreportedPosting(platform, posting, record), ...openSettlement(posting, standing)];
}

/** Only what was posted to settle something: whatever else is open is the customer's business. */
function openSettlement(posting: RecordedPosting, standing: readonly ErpEntry[]): readonly DiscrepancyFinding[] {
  const isMeant = ({ role, settlementOpen }: ErpEntry) =>
    settlementOpen === true && posting.entries.some((entry) => entry.role === role && entry.settles === true);
  return standing.some(isMeant) ? [findingOf('settlement-open', 'settle')] : [];
}

/** An entry that stands while its job does not have it as exported. */
function unreportedPosting(
  platform: PlatformSource,
  posting: RecordedPosting,
  record: RecordSource,
): readonly DiscrepancyFinding[] {
  const { item } = record;
  if (item?.state === 'failed' && posting.ofThisJob) {
    return [findingOf(posting.lateEffect ? 'late-effect' : 'failed-but-posted')];
  }
  // The platform may know better how it ended than a record that was restored.
  const isUnreported = item?.state === 'pending' && platform.item?.status !== 'successful';
  return isUnreported && isUnreportedByEnd(record) ? [findingOf('expired-with-posted-entry')] : [];
}

function unpostedFindings(
  isSuccessful: boolean,
  posting: RecordedPosting | undefined,
  group: ErpGroup | undefined,
): readonly DiscrepancyFinding[] {
  if (group === undefined) {
    return isSuccessful ? [findingOf('reported-not-posted')] : [];
  }
  if (posting !== undefined && group.revision < posting.revision) {
    return [findingOf('stands-though-reversed')];
  }
  // Without a record there is no content to compare: only the key shows that the connector posted it.
  const isMeant = posting === undefined || posting.contentDigest === group.contentDigest;
  return [findingOf('posted-not-recorded', isMeant ? 'adopt' : undefined)];
}

/** Master data that was deleted or deactivated while a standing entry uses it. */
function orphanedCodes({ record, erp }: ComparedSources, codes: KnownCodes | undefined): readonly DiscrepancyFinding[] {
  const { posting } = record;
  if (codes === undefined || posting?.state !== 'posted' || erp.kind !== 'groups') {
    return [];
  }
  const lines = posting.entries.flatMap((entry) => entry.lines);
  const hasVendor = (code: string | undefined) => code === undefined || codes.vendors.has(code);
  const hasValues = (dimensions: Readonly<Record<string, string>>) =>
    Object.entries(dimensions).every(([dimension, value]) => codes.dimensionValues.has(dimensionKey(dimension, value)));
  return [
    ...(lines.every(({ vendorCode }) => hasVendor(vendorCode)) ? [] : [findingOf('vendor-orphaned')]),
    ...(lines.every(({ dimensions }) => hasValues(dimensions)) ? [] : [findingOf('tag-orphaned')]),
  ];
}

function findingOf(discrepancyClass: DiscrepancyClass, repair?: Repair): DiscrepancyFinding {
  return { class: discrepancyClass, repair };
}
