// Reads a chunk of accounting entries from all three sources: platform, record and ERP.
import { Injectable } from '@nestjs/common';
import type { InstallationId } from '../../../kernel/ids.js';
import { ErpConnections } from '../../erp/erp-connections.js';
import type { InspectedGroup } from '../../erp/erp-books.js';
import { ErpNotSearchable, type PostingGuarantee } from '../../erp/erp-ledger.js';
import { isLookUpConclusive } from '../../exports/domain/unknown-outcome.js';
import type { LineTax, StoredLineTax } from '../../bookkeeping/item/posting-plan.js';
import { amountOfItem } from '../domain/evidence.js';
import { entryTotal, type EntryTotal } from '../domain/job-totals.js';
import type {
  ComparedEntry,
  ErpSource,
  PlatformItem,
  PlatformSource,
  RecordSource,
  ComparedSources,
} from '../domain/compared-sources.js';
import { hasEndedUnderWay } from '../domain/classify-job.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';
import type { EntryRecord, JobRecord, StoredPlanEntry } from '../../exports/stores/export-record.js';

/** The platform's data of a chunk of one job. */
export interface PlatformChunk {
  readonly jobStatus: string | undefined;
  /** By accounting entry; an entry without a value is ours, and the platform does not list it. */
  readonly items: ReadonlyMap<string, PlatformItem | undefined>;
}

/** An entry of a plan: as it was stored, or as the planner makes it. */
type AnyPlanEntry = Omit<StoredPlanEntry, 'lines'> & {
  readonly lines: readonly (Omit<StoredPlanEntry['lines'][number], 'amountMinor' | 'baseMinor'> & {
    readonly amountMinor: string | bigint;
  })[];
};

export interface PositionedSources extends ComparedSources {
  /** In the job; undefined for what we do not have in it. */
  readonly position: number | undefined;
  /** Undefined where the item was not kept, or the entry was not planned here. */
  readonly total: EntryTotal | undefined;
}

type Inspection =
  | { readonly groups: ReadonlyMap<string, readonly InspectedGroup[]>; readonly guarantee: PostingGuarantee }
  | 'not-looked-up'
  | 'not-verifiable';

@Injectable()
export class LoadSources {
  constructor(
    private readonly exportRecordReader: ExportRecordReader,
    private readonly erpConnections: ErpConnections,
  ) {}

  /**
   * One row for each entry of the chunk. The ERP is asked for the newest export of an entry only.
   * @throws ErpUnavailable when an ERP that can be searched does not respond
   */
  async load(
    { run }: ReconciliationScope,
    job: JobRecord,
    platform: PlatformChunk,
  ): Promise<readonly PositionedSources[]> {
    const rows = await this.exportRecordReader.entries(run.installationId, job, [...platform.items.keys()]);
    const asked = rows.filter(({ isNewest }) => isNewest).map((row) => row.accountingEntryId);
    const inspected = await this.inspect(run.installationId, job, asked);
    return rows.map((row) => ({
      position: row.position ?? undefined,
      total: totalOf(row),
      accountingEntryId: row.accountingEntryId,
      platform: platformSource(platform, row.accountingEntryId),
      record: recordSource(job, row),
      erp: erpSource(row, inspected),
    }));
  }

  private async inspect(
    installationId: InstallationId,
    { erpCompanyId }: JobRecord,
    keys: readonly string[],
  ): Promise<Inspection> {
    if (erpCompanyId === undefined || keys.length === 0) {
      return 'not-looked-up';
    }
    try {
      const erp = await this.erpConnections.open(installationId, erpCompanyId);
      return { groups: await erp.inspect(keys), guarantee: erp.guarantee };
    } catch (error) {
      if (error instanceof ErpNotSearchable) {
        return 'not-verifiable';
      }
      throw error;
    }
  }
}

function erpSource({ accountingEntryId, isNewest, posting }: EntryRecord, inspected: Inspection): ErpSource {
  if (typeof inspected === 'string' || !isNewest) {
    return { kind: inspected === 'not-verifiable' ? 'not-verifiable' : 'not-looked-up' };
  }
  const found = inspected.groups.get(accountingEntryId) ?? [];
  const isShown = posting === null || isLookUpConclusive(inspected.guarantee, posting.sinceSentMs);
  return found.length === 0 && !isShown ? { kind: 'not-verifiable' } : { kind: 'groups', groups: found };
}

function totalOf({ amount, posting }: EntryRecord): EntryTotal | undefined {
  const item = amountOfItem(amount ?? undefined);
  return item && posting ? entryTotal(item, posting.plan) : undefined;
}

function platformSource({ jobStatus, items }: PlatformChunk, id: string): PlatformSource {
  return { jobStatus, item: items.get(id) };
}

function recordSource(job: JobRecord, row: EntryRecord): RecordSource {
  const { posting, isNewest } = row;
  const state = row.state ?? (hasEndedUnderWay(job.state) && job.mappingVersion !== undefined ? 'pending' : null);
  return {
    jobState: job.state,
    isNewest,
    item:
      state === null
        ? undefined
        : {
            state,
            externalId: row.externalId ?? undefined,
            reportRefused: row.reportProblem !== null,
          },
    posting: posting
      ? {
          revision: posting.revision,
          state: posting.state,
          ofThisJob: posting.exportJobId === job.id,
          lateEffect: posting.lateEffect,
          lost: posting.lost,
          externalId: posting.externalId ?? undefined,
          contentDigest: posting.contentDigest,
          entries: posting.plan.map(comparedEntry),
        }
      : undefined,
  };
}

/** A planned entry, stored or not, as it is compared with the books. */
export function comparedEntry({ lines, ...entry }: AnyPlanEntry): ComparedEntry {
  const { role, part, state, postingDate, currency, settlement } = entry;
  return {
    role,
    ...(part !== undefined && { part }),
    state,
    postingDate,
    currency,
    ...(settlement && { settles: true }),
    lines: lines.map((line) => ({
      accountCode: line.account.code,
      amountMinor: BigInt(line.amountMinor),
      taxCode: line.taxCode?.code,
      ...(line.tax && { tax: lineTax(line.tax) }),
      vendorCode: line.vendor?.code,
      dimensions: Object.fromEntries((line.dimensions ?? []).map(({ dimension, value }) => [dimension, value])),
    })),
  };
}

function lineTax(stored: StoredLineTax): LineTax {
  return {
    ...stored,
    taxableMinor: BigInt(stored.taxableMinor),
    taxableBaseMinor: BigInt(stored.taxableBaseMinor),
    taxMinor: BigInt(stored.taxMinor),
    taxBaseMinor: BigInt(stored.taxBaseMinor),
  };
}
