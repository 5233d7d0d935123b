// Posts the plan of a job a second time, into an empty company, and compares the result with the certificate.
import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { toExportJobId, type InstallationId } from '../../../kernel/ids.js';
import type { ConnectedErp } from '../../erp/connected-erp.js';
import type { InspectedGroup } from '../../erp/erp-books.js';
import type { PostingGroup, PostOutcome } from '../../erp/erp-ledger.js';
import { parsePlan } from '../../exports/domain/plans/stored-plan.js';
import { CertificateReader } from './certificate.reader.js';
import { postingName, isSameSource, type Certificate, type CertifiedSource } from '../domain/certificate.js';
import { postingText, SourceTotals } from '../domain/source-totals.js';
import { comparedEntry } from '../compare/load-sources.js';
import { ReplanItems, type ReplanResult } from '../compare/replan-items.js';
import type { PlanRecord } from '../../exports/stores/export-record.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';

/** Groups per request to the ERP. */
const PAGE = 500;

/** Where a job is posted a second time: a company without any entry. */
export interface Replay {
  readonly certificate: Certificate;
  /** What the books that were empty show in the end. */
  readonly replayed: CertifiedSource;
  /** They show what is certified of the plan. */
  readonly same: boolean;
  /** The first posting that they show otherwise than it was planned, and how; undefined also where the plan on record is not the certified one. */
  readonly firstMismatch: string | undefined;
  /** Postings that the connector did not plan: they cannot be replayed, and are not certified as planned. */
  readonly unplanned: number;
  /** Whether their items give the same lines again (invariant I21). */
  readonly replanned: ReplanResult;
}

@Injectable()
export class ReplayJob {
  constructor(
    private readonly exportRecordReader: ExportRecordReader,
    private readonly certificateReader: CertificateReader,
    private readonly replanItems: ReplanItems,
  ) {}

  /**
   * @returns undefined when the job has no certificate
   * @throws ErpUnavailable
   */
  async replay(installationId: InstallationId, exportJobId: string, books: ConnectedErp): Promise<Replay | undefined> {
    const certificate = await this.certificateReader.findByJob(installationId, exportJobId);
    if (certificate === undefined) {
      return undefined;
    }
    const sum = new SourceTotals(createHash('sha256'));
    const found = { unplanned: 0, firstMismatch: undefined as string | undefined };
    let mapped: ReplanResult = { same: 0, different: 0, unknown: 0, earlier: 0, firstMismatch: undefined };
    for await (const page of this.pages(installationId, certificate)) {
      const planned = page.filter(({ plan }) => plan !== NOT_PLANNED);
      found.unplanned += page.length - planned.length;
      const apart = await postReplayed(sum, books, { installationId, exportJobId }, page);
      found.firstMismatch ??= apart;
      mapped = combined(mapped, await this.replanItems.replan(installationId, certificate, planned));
    }
    const replayed = sum.result();
    const same = isSameSource(replayed, certificate.planned);
    return { certificate, replayed, same, ...found, replanned: mapped };
  }

  private async *pages(
    installationId: InstallationId,
    { exportJobId, madeAt }: Certificate,
  ): AsyncGenerator<readonly PlanRecord[]> {
    let after: PlanRecord | undefined;
    for (;;) {
      const page = await this.exportRecordReader.plans(installationId, exportJobId, madeAt, after, PAGE);
      yield page;
      after = page.at(-1);
      if (page.length < PAGE) {
        return;
      }
    }
  }
}

const NOT_PLANNED = '[]';

/**
 * What was found in the ERP is certified as it was found. It cannot be posted again: an ERP does not show all of a plan.
 * @param page in the order of the certificate's digest
 * @returns how the books show the first posting that they show otherwise than planned
 */
async function postReplayed(
  sum: SourceTotals,
  erp: ConnectedErp,
  job: { readonly installationId: InstallationId; readonly exportJobId: string },
  page: readonly PlanRecord[],
): Promise<string | undefined> {
  const groups = page.filter(({ plan }) => plan !== NOT_PLANNED).map((record) => groupOf(job, record));
  const outcomes = groups.length === 0 ? [] : await erp.post(groups);
  const keys = groups.map(({ key }) => key);
  const shown: ReadonlyMap<string, readonly InspectedGroup[]> = keys.length === 0 ? new Map() : await erp.inspect(keys);
  const outcomeByKey = new Map(keys.map((key, index) => [key, outcomes[index]]));
  const posted = new Map(groups.map((group) => [group.key, group]));
  let firstMismatch: string | undefined;
  for (const record of page) {
    const { accountingEntryId, revision } = record;
    const group = posted.get(keyOf(record));
    const entries = shown.get(group?.key ?? '')?.[0]?.entries ?? record.imported?.map(comparedEntry) ?? [];
    const text = postingText(accountingEntryId, revision, entries);
    if (entries.length > 0) {
      sum.add(text, entries);
    }
    const meant = group && postingText(accountingEntryId, revision, group.entries.map(comparedEntry));
    if (meant !== undefined && text !== meant) {
      firstMismatch ??= `${postingName(record)}: ${postFailure(outcomeByKey.get(keyOf(record))) ?? `planned ${meant}, shown ${text}`}`;
    }
  }
  return firstMismatch;
}

/** In empty books every posting is the first one under its key. */
function keyOf({ accountingEntryId, revision }: PlanRecord): string {
  return revision === 1 ? accountingEntryId : `${accountingEntryId}/${revision.toString()}`;
}

function groupOf(
  { installationId, exportJobId }: { readonly installationId: InstallationId; readonly exportJobId: string },
  record: PlanRecord,
): PostingGroup {
  const { contentDigest, mappingVersion, plan } = record;
  return {
    key: keyOf(record),
    revision: 1,
    contentDigest,
    entries: parsePlan(plan),
    documents: [],
    trail: { installationId, exportJobId: toExportJobId(exportJobId), mappingVersion, fence: 0n },
  };
}

function postFailure(outcome: PostOutcome | undefined): string | undefined {
  switch (outcome?.outcome) {
    case 'created':
      return undefined;
    case 'refused':
      return outcome.message;
    case 'unknown':
    case 'not-sent':
      return outcome.failure.message;
    case 'existed':
    case 'conflict':
    case undefined:
      return 'the books were not empty';
  }
}

function combined(one: ReplanResult, other: ReplanResult): ReplanResult {
  return {
    same: one.same + other.same,
    different: one.different + other.different,
    unknown: one.unknown + other.unknown,
    earlier: one.earlier + other.earlier,
    firstMismatch: one.firstMismatch ?? other.firstMismatch,
  };
}
