import { z } from 'zod';
import { instantResponseField, uuidResponseField } from '../wire/response-schemas.js';
import { JOB_STATUSES, type JobStatus } from './domain/job-state.js';
import type { ExportVersion } from './domain/failure-reasons.js';
import { nullableWireTime, wireTime } from '../wire/wire-time.js';

export interface ExportJob {
  readonly id: string;
  readonly companyId: string;
  readonly status: JobStatus;
  readonly isInteractive: boolean;
  readonly vendorBasedBookkeeping: boolean;
  readonly numberOfItems: number;
  readonly createdAt: Date;
  readonly createdBy: string | null;
  readonly startedAt: Date | null;
  readonly completedAt: Date | null;
  readonly expiredAt: Date | null;
  readonly lastUpdatedAt: Date;
  /** Seconds from `lastUpdatedAt`. */
  readonly expiresIn: number;
  readonly failureReason: string | null;
  readonly failureReasonType: string | null;
}

export type JobItemStatus = 'pending' | 'in_progress' | 'failed' | 'successful' | 'abandoned';
export const JOB_ITEM_STATUSES = ['pending', 'in_progress', 'failed', 'successful', 'abandoned'] as const;

export interface ExportJobItem {
  readonly accountingEntryId: string;
  readonly exportJobId: string;
  readonly status: JobItemStatus;
  readonly exportedAt: Date | null;
  readonly externalId: string | null;
  readonly externalUrl: string | null;
  readonly failureReason: string | null;
  readonly failureReasonType: string | null;
}

export const jobResponseSchema = z.object({
  id: uuidResponseField,
  companyId: uuidResponseField,
  status: z.enum(JOB_STATUSES),
  isInteractive: z.boolean(),
  vendorBasedBookkeeping: z.boolean(),
  numberOfItems: z.int(),
  createdAt: instantResponseField,
  createdBy: uuidResponseField.nullable(),
  startedAt: instantResponseField.nullable(),
  completedAt: instantResponseField.nullable(),
  expiredAt: instantResponseField.nullable(),
  lastUpdatedAt: instantResponseField,
  expiresIn: z.int(),
  failureReason: z.string().nullable(),
  failureReasonType: z.string().nullish(),
});
export const jobItemResponseSchema = z.object({
  accountingEntryId: uuidResponseField,
  exportJobId: uuidResponseField,
  status: z.enum(JOB_ITEM_STATUSES),
  exportedAt: instantResponseField.nullable(),
  externalId: z.string().nullable(),
  externalUrl: z.string().nullable(),
  failureReason: z.string().nullable(),
  failureReasonType: z.string().nullish(),
});
/** What came of results: the items as they are now, and what could not be written. */
export const resultsResponseSchema = z.object({
  data: z.array(jobItemResponseSchema),
  errors: z.array(z.object({ accountingEntryId: uuidResponseField, type: z.string(), message: z.string() })),
});

/** ExportJob of P1.3. */
export function jobWire(version: ExportVersion, job: ExportJob): object {
  const { failureReasonType, ...rest } = job;
  return {
    id: rest.id,
    companyId: rest.companyId,
    status: rest.status,
    isInteractive: rest.isInteractive,
    vendorBasedBookkeeping: rest.vendorBasedBookkeeping,
    numberOfItems: rest.numberOfItems,
    createdAt: wireTime(rest.createdAt),
    createdBy: rest.createdBy,
    startedAt: nullableWireTime(rest.startedAt),
    completedAt: nullableWireTime(rest.completedAt),
    expiredAt: nullableWireTime(rest.expiredAt),
    lastUpdatedAt: wireTime(rest.lastUpdatedAt),
    expiresIn: rest.expiresIn,
    failureReason: rest.failureReason,
    ...reasonType(version, failureReasonType),
  };
}

/** The part of a fresh job that its notification carries (P2.3). */
export function announcedJob(job: ExportJob): object {
  const { id, companyId, createdAt, createdBy, expiresIn, numberOfItems, status, lastUpdatedAt } = job;
  return {
    id,
    companyId,
    createdAt: wireTime(createdAt),
    createdBy,
    expiresIn,
    numberOfItems,
    status,
    lastUpdatedAt: wireTime(lastUpdatedAt),
  };
}

/** ExportJobItem of P1.6. */
export function jobItemWire(version: ExportVersion, item: ExportJobItem): object {
  const { accountingEntryId, exportJobId, status, externalId, externalUrl, failureReason } = item;
  return {
    accountingEntryId,
    exportJobId,
    status,
    exportedAt: nullableWireTime(item.exportedAt),
    externalId,
    externalUrl,
    failureReason,
    ...reasonType(version, item.failureReasonType),
  };
}

/** Null in version 2, absent in version 3 (P13). */
function reasonType(version: ExportVersion, failureReasonType: string | null): object {
  return version === 'v3' && failureReasonType === null ? {} : { failureReasonType };
}
