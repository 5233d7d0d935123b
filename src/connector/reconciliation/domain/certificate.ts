// What is certified of a job: how its items ended, what was planned, and what the ERP had. The canonical form of both
// sources and of the certificate itself is described in docs/certificates.md.
import type { ComparedEntry } from './compared-sources.js';

/** An entry as far as it is certified: not its state, since posted entries may be reversed later and drafts posted. */
export type CertifiedEntry = Pick<ComparedEntry, 'role' | 'postingDate' | 'currency' | 'lines'>;

export interface CertifiedTotal {
  readonly currency: string;
  /** Minor units as text, both positive. */
  readonly debitMinor: string;
  readonly creditMinor: string;
}

/** What names a posting. */
export interface PostingName {
  readonly accountingEntryId: string;
  readonly revision: number;
}

/** Everything that a job has posted, in one source: plan or ERP. */
export interface CertifiedSource {
  /** Journal entries; an accounting entry may have several. */
  readonly entries: number;
  /** By currency code. */
  readonly totals: readonly CertifiedTotal[];
  /** SHA-256 in hex of the canonical texts, by key and revision. */
  readonly digest: string;
}

export interface CertifiedItems {
  /** As the platform announced them. */
  readonly announced: number;
  readonly successful: number;
  readonly failed: number;
  /** Of a job that ended before they had a result. */
  readonly pending: number;
}

/** What can be worked out again at any time, and must then be the same. */
export interface CertifiedFacts {
  readonly jobState: string;
  readonly mappingVersion: number | null;
  readonly erpCompanyId: string | null;
  readonly items: CertifiedItems;
  readonly planned: CertifiedSource;
  /** Null: the ERP cannot be searched. */
  readonly erp: CertifiedSource | null;
}

export interface Certificate extends CertifiedFacts {
  /** From 1 per installation, without gaps. */
  readonly sequence: bigint;
  readonly exportJobId: string;
  readonly companyId: string;
  /** Open discrepancies of the job when it was made. */
  readonly discrepancies: number;
  readonly madeAt: Date;
  /** Null for the first one. */
  readonly previousHash: string | null;
  /** SHA-256 in hex of `certificateText`. */
  readonly hash: string;
}

/** The text of which a certificate's hash is taken: every field, and the hash of the certificate before. */
export function certificateText(installationId: string, certificate: Omit<Certificate, 'hash'>): string {
  const { sequence, exportJobId, companyId, erpCompanyId, jobState, mappingVersion } = certificate;
  const { items, planned, erp, discrepancies, madeAt, previousHash } = certificate;
  return JSON.stringify([
    installationId,
    sequence.toString(),
    exportJobId,
    companyId,
    erpCompanyId,
    jobState,
    mappingVersion,
    [items.announced, items.successful, items.failed, items.pending],
    sourceValues(planned),
    erp && sourceValues(erp),
    discrepancies,
    madeAt.toISOString(),
    previousHash,
  ]);
}

/** For a person to read. */
export function postingName({ accountingEntryId, revision }: PostingName): string {
  return `entry ${accountingEntryId}, revision ${revision.toString()}`;
}

/** @returns in which of the facts two workings-out differ, for a person to read */
export function differingFacts(certified: CertifiedFacts, now: CertifiedFacts): readonly string[] {
  const said: readonly (readonly [string, unknown, unknown])[] = [
    ['state of the job', certified.jobState, now.jobState],
    ['mapping version', certified.mappingVersion, now.mappingVersion],
    ['ERP company', certified.erpCompanyId, now.erpCompanyId],
    ...sourceRows('planned', certified.planned, now.planned),
    ...sourceRows('in the ERP', certified.erp, now.erp),
    ...(['announced', 'successful', 'failed', 'pending'] as const).map(
      (name) => [`items ${name}`, certified.items[name], now.items[name]] as const,
    ),
  ];
  return said
    .map(([name, was, is]) => [name, JSON.stringify(was), JSON.stringify(is)] as const)
    .filter(([, was, is]) => was !== is)
    .map(([name, was, is]) => `${name}: certified ${was}, now ${is}`);
}

function sourceRows(
  name: string,
  certified: CertifiedSource | null,
  now: CertifiedSource | null,
): readonly (readonly [string, unknown, unknown])[] {
  const side = (each: CertifiedSource | null) => each && sourceValues(each);
  const [was, is] = [side(certified), side(now)];
  return [
    [`entries ${name}`, was?.[0] ?? null, is?.[0] ?? null],
    [`totals ${name}`, was?.[1] ?? null, is?.[1] ?? null],
    [`digest ${name}`, was?.[2] ?? null, is?.[2] ?? null],
  ];
}

/** Whether plan and ERP have the same entries, totals and content. */
export function isSameSource(one: CertifiedSource, other: CertifiedSource): boolean {
  return JSON.stringify(sourceValues(one)) === JSON.stringify(sourceValues(other));
}

/** Field by field, whatever the order in which a database gives them back. */
function sourceValues({ entries, totals, digest }: CertifiedSource) {
  return [
    entries,
    totals.map(({ currency, debitMinor, creditMinor }) => [currency, debitMinor, creditMinor]),
    digest,
  ] as const;
}
