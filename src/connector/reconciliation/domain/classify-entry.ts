// Pure: in what way the three sides disagree about one accounting entry of a job that has ended.
import { driftOf } from './content-drift.js';
import type { DifferenceClass, Finding, Repair } from './difference-class.js';
import {
  dimensionKey,
  isStanding,
  type BookedEntry,
  type ErpGroup,
  type KnownCodes,
  type PlatformSide,
  type RecordedPosting,
  type RecordSide,
  type ThreeSides,
} from './three-sides.js';

/**
 * Only the newest export of an entry speaks for it: what an earlier one has left is no news any more.
 * @param sides of an entry whose job has ended with us: a half-written job is no difference (reliability §c6)
 * @returns nothing when the sides agree
 */
export function classifyEntry(sides: ThreeSides, codes: KnownCodes): readonly Finding[] {
  if (!sides.record.isNewest) {
    return [];
  }
  const books = booksFindings(sides);
  const told = toldFindings(sides.platform, sides.record, books);
  return [...told, ...books, ...orphanedCodes(sides, codes)];
}

/** What the platform says against what we have recorded. */
function toldFindings(
  platform: PlatformSide,
  record: RecordSide,
  books: readonly Finding[],
): readonly Finding[] {
  const { item } = record;
  if (platform.jobStatus === undefined) {
    // The job as a whole is a difference; nothing more can be said of its items.
    return [];
  }
  if (platform.item === undefined) {
    return [found('missing-on-platform')];
  }
  if (item === undefined) {
    return [found('missing-in-record')];
  }
  const { status, externalId } = platform.item;
  const isTold = status === 'successful' || status === 'failed';
  switch (item.state) {
    case 'pending':
      return record.posting?.state !== 'posted' ||
        status !== 'successful' ||
        externalId === record.posting.externalId
        ? []
        : [found('link-differs')];
    case 'successful':
      if (!isTold) {
        return isUntoldByEnd(record)
          ? [found('expired-with-posted-entry')]
          : untold(platform, 'posted-not-reported');
      }
      if (status === 'failed') {
        return [found('reported-as-failed')];
      }
      return externalId === item.externalId ? [] : [found('link-differs')];
    case 'failed':
      if (status === 'successful') {
        return [found('reported-as-successful')];
      }
      return isTold || isUntoldByEnd(record) || item.reportRefused || books.length > 0
        ? []
        : untold(platform, 'failure-not-reported');
  }
}

/** A job that ended under us takes no more results; that its items have none is no news. */
function isUntoldByEnd({ jobState }: RecordSide): boolean {
  return jobState === 'expired' || jobState === 'closed_by_platform';
}

function untold({ jobStatus }: PlatformSide, differenceClass: DifferenceClass): readonly Finding[] {
  return [found(differenceClass, jobStatus === 'in_progress' ? 'report-again' : undefined)];
}

/** What we have recorded against the books. */
function booksFindings({ record, erp, platform }: ThreeSides): readonly Finding[] {
  const { posting, item } = record;
  if (erp.kind === 'not-asked') {
    return [];
  }
  const isUnsettled = posting?.state === 'sent' || posting?.state === 'uncertain';
  if (erp.kind === 'cannot-tell') {
    return isUnsettled ? [found('unknown-outcome')] : [];
  }
  const standing = erp.groups.filter(({ entries }) => entries.some(isStanding));
  if (standing.length > 1) {
    return [found('duplicate-in-erp')];
  }
  const [group] = standing;
  if (isUnsettled) {
    const isOurs = group === undefined || group.contentDigest === posting.contentDigest;
    return [found('unknown-outcome', isOurs ? 'look-up' : undefined)];
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
  platform: PlatformSide,
  posting: RecordedPosting,
  group: ErpGroup | undefined,
  groups: readonly ErpGroup[],
): readonly Finding[] {
  if (group === undefined) {
    // Whoever reversed or lost it: the platform still says that it is exported (invariant I4).
    return platform.item?.status === 'successful' ? [found(outOfBooks(posting, groups))] : [];
  }
  const isBack = posting.lost && isThePosted(posting, group);
  return isBack || isLater(posting, group) ? UNRECORDED : [found('stands-though-reversed')];
}

/** Nothing stands: the ERP shows what was posted as reversed, or does not know it (any more, or never since it was restored). */
function outOfBooks(posting: RecordedPosting, groups: readonly ErpGroup[]): DifferenceClass {
  const isShown = groups.some(({ revision }) => revision >= posting.revision);
  return isShown || (posting.state === 'reversed' && !posting.lost) ? 'reversed-in-erp' : 'deleted-in-erp';
}

const UNRECORDED: readonly Finding[] = [found('posted-not-recorded', 'adopt')];

/** We post no revision without a record of it: so the record was lost, as when our database was restored. */
function isLater(posting: RecordedPosting, group: ErpGroup): boolean {
  return group.revision > posting.revision;
}

function isThePosted(posting: RecordedPosting, group: ErpGroup): boolean {
  return group.contentDigest === posting.contentDigest && group.revision === posting.revision;
}

function postedFindings(
  { record, platform }: Pick<ThreeSides, 'record' | 'platform'>,
  posting: RecordedPosting,
  group: ErpGroup | undefined,
  groups: readonly ErpGroup[],
): readonly Finding[] {
  if (group === undefined) {
    return [found(outOfBooks(posting, groups))];
  }
  if (isLater(posting, group)) {
    return UNRECORDED;
  }
  const standing = group.entries.filter(isStanding);
  const linked = standing.some(({ id }) => id === posting.externalId);
  if (standing.length < group.entries.length) {
    return [found('partly-reversed-in-erp')];
  }
  const content =
    !isThePosted(posting, group) || !linked
      ? [found('altered-in-erp')]
      : driftOf(posting.entries, standing).map((each) => found(each));
  return [...content, ...untoldPosting(platform, posting, record), ...openSettlement(posting, standing)];
}

/** Only what was posted to settle something: whatever else is open is the customer's business. */
function openSettlement(posting: RecordedPosting, standing: readonly BookedEntry[]): readonly Finding[] {
  const isMeant = ({ role, settlementOpen }: BookedEntry) =>
    settlementOpen === true && posting.entries.some((entry) => entry.role === role && entry.settles === true);
  return standing.some(isMeant) ? [found('settlement-open', 'settle')] : [];
}

/** An entry that stands while its own job does not say so. */
function untoldPosting(
  platform: PlatformSide,
  posting: RecordedPosting,
  record: RecordSide,
): readonly Finding[] {
  const { item } = record;
  if (item?.state === 'failed' && posting.ofThisJob) {
    return [found(posting.lateEffect ? 'late-effect' : 'failed-but-posted')];
  }
  // The platform may know better how it ended than a record that was restored.
  const isUntold = item?.state === 'pending' && platform.item?.status !== 'successful';
  return isUntold && isUntoldByEnd(record) ? [found('expired-with-posted-entry')] : [];
}

function unpostedFindings(
  isSuccessful: boolean,
  posting: RecordedPosting | undefined,
  group: ErpGroup | undefined,
): readonly Finding[] {
  if (group === undefined) {
    return isSuccessful ? [found('reported-not-posted')] : [];
  }
  if (posting !== undefined && group.revision < posting.revision) {
    return [found('stands-though-reversed')];
  }
  // Without a record of ours there is nothing to hold its content against: the key alone says that it is ours.
  const isMeant = posting === undefined || posting.contentDigest === group.contentDigest;
  return [found('posted-not-recorded', isMeant ? 'adopt' : undefined)];
}

/** Master data that went away under an entry which stands. */
function orphanedCodes({ record, erp }: ThreeSides, codes: KnownCodes): readonly Finding[] {
  const { posting } = record;
  if (posting?.state !== 'posted' || erp.kind !== 'groups') {
    return [];
  }
  const lines = posting.entries.flatMap((entry) => entry.lines);
  const hasVendor = (code: string | undefined) => code === undefined || codes.vendors.has(code);
  const hasValues = (dimensions: Readonly<Record<string, string>>) =>
    Object.entries(dimensions).every(([dimension, value]) =>
      codes.dimensionValues.has(dimensionKey(dimension, value)),
    );
  return [
    ...(lines.every(({ vendorCode }) => hasVendor(vendorCode)) ? [] : [found('vendor-orphaned')]),
    ...(lines.every(({ dimensions }) => hasValues(dimensions)) ? [] : [found('tag-orphaned')]),
  ];
}

function found(differenceClass: DifferenceClass, repair?: Repair): Finding {
  return { class: differenceClass, repair };
}
