import { randomUUID } from 'node:crypto';
import {
  ITEM_UPDATE_LIMIT,
  PlatformApi,
  type ExportJobRequest,
  type FetchedItem,
  type ReportedItem,
  type JobEvent,
} from '../../../src/connector/platform/platform-api.js';
import type { ListedJob } from '../../../src/connector/platform/listed-job.js';
import { PlatformRefusal } from '../../../src/connector/platform/platform-error.js';
import type { PlatformAuthorization } from '../../../src/connector/platform/platform-http.js';
import type { Requester } from '../../../src/connector/platform/request-budget.js';
import type {
  ItemUpdateResponse,
  PlatformCompany,
  PlatformExportJob,
  PlatformJobItem,
} from '../../../src/connector/platform/platform.schema.js';
import type { Clock } from '../../../src/kernel/clock.js';
import { FakeReferenceData } from './fake-reference-data.js';
import { PlatformServer } from './platform-server.js';
import { unreachableHttp } from './unreachable-http.js';

const HOUR_SECONDS = 3_600;
const PAGE = 100;

/** In which a job takes an event (P1.4). */
const STATUSES_BEFORE: Readonly<Record<JobEvent['event'], readonly string[]>> = {
  started: ['pending'],
  failed: ['pending', 'in_progress'],
  completed: ['in_progress'],
  completed_with_errors: ['in_progress'],
};

export type PlatformCall = 'create-job' | 'job' | 'job-items' | 'item-data' | 'update-items' | JobEvent['event'];

/** What the platform holds of one job. */
export interface FakeJob {
  readonly id: string;
  readonly companyId: string;
  readonly createdAt: Date;
  /** Last action on the job, from which its hour counts; the creation until then. */
  lastUpdatedAt?: Date;
  status: string;
  failureReasonType?: string;
  /** States by accounting entry, in the job's order. */
  readonly statuses: Map<string, string>;
  /** An entry without data is listed all the same. */
  readonly data: FetchedItem[];
  readonly results: Map<string, ReportedItem>;
  /** Accepted events, in order. */
  readonly events: JobEvent[];
  /** Results per accepted update call. */
  readonly updates: number[];
}

/**
 * The platform as specs have it. In memory, behind the client's own methods, it keeps the rules of the job and item states, and as
 * `referenceData` those of its lists. `serve` gives it as a server, for what is said over HTTP alone: signing in, installations,
 * subscriptions.
 */
export class FakePlatform extends PlatformApi {
  readonly referenceData: FakeReferenceData;

  readonly jobs = new Map<string, FakeJob>();
  /** Entries that no job has yet, or whose data has changed since. */
  readonly unexported: FetchedItem[] = [];
  /** Every call with the job it named, accepted or not. */
  readonly calls: PlatformCall[] = [];
  /** By job, whose share of the request budget its lists and results took, in order. */
  readonly requesters = new Map<string, readonly (Requester | undefined)[]>();
  /** Runs before a call has its effect; throwing keeps it from happening. */
  before: (call: PlatformCall, job: FakeJob) => void = () => undefined;
  /** Runs after the effect; throwing loses the answer. */
  after: (call: PlatformCall, job: FakeJob) => void = () => undefined;
  /** Whether what it accepts moves the end of a job, as the real one does. */
  prolongs = false;
  /** Results it does not take although the call itself succeeds, by accounting entry. */
  readonly itemErrors = new Map<string, { readonly type: string; readonly message: string }>();

  /** Jobs that lists give in a shape that cannot be read, by id. */
  readonly unreadable = new Map<string, ListedJob>();

  constructor(private readonly clock: Clock) {
    super(unreachableHttp(clock));
    this.referenceData = new FakeReferenceData(clock);
  }

  static serve(): Promise<PlatformServer> {
    return PlatformServer.start();
  }

  addJob(companyId: string, items: readonly FetchedItem[], changes: Partial<FakeJob> = {}): FakeJob {
    const job: FakeJob = {
      id: randomUUID(),
      companyId,
      createdAt: this.clock.now(),
      status: 'pending',
      statuses: new Map(items.map(({ accountingEntryId }) => [accountingEntryId, 'pending'])),
      data: [...items],
      results: new Map(),
      events: [],
      updates: [],
      ...changes,
    };
    this.jobs.set(job.id, job);
    return job;
  }

  /** Back to a platform in good health. */
  restore(): void {
    this.calls.length = 0;
    this.unexported.length = 0;
    this.itemErrors.clear();
    this.unreadable.clear();
    this.prolongs = false;
    this.before = () => undefined;
    this.after = () => undefined;
  }

  override platformNow(): Date {
    return this.clock.now();
  }

  /** Of entries of earlier jobs, with the data those had. */
  override async createExportJob(
    _auth: PlatformAuthorization,
    { companyId, accountingEntryIds }: ExportJobRequest,
  ): Promise<PlatformExportJob> {
    await Promise.resolve();
    const ofCompany = [...this.jobs.values()].filter((job) => job.companyId === companyId);
    if (ofCompany.some(({ status }) => status === 'pending' || status === 'in_progress')) {
      throw new PlatformRefusal(409, 'EXPORT_ALREADY_IN_PROGRESS', 'an export is under way', undefined);
    }
    const known = new Map(ofCompany.flatMap(({ data }) => data.map((item) => [item.accountingEntryId, item])));
    for (const item of this.unexported) known.set(item.accountingEntryId, item);
    const items = accountingEntryIds.flatMap((id) => known.get(id) ?? []);
    if (items.length < accountingEntryIds.length) {
      throw new PlatformRefusal(400, 'VALIDATION_FAILED', 'unknown accounting entries', undefined);
    }
    const job = this.addJob(companyId, items);
    this.calls.push('create-job');
    this.after('create-job', job);
    return toPlatformJob(job);
  }

  /** Every company there may be, without a registration number. */
  override getCompany(_auth: PlatformAuthorization, companyId: string): Promise<PlatformCompany> {
    return Promise.resolve({ id: companyId, name: 'Example ApS' });
  }

  override getExportJob(_auth: PlatformAuthorization, jobId: string): Promise<PlatformExportJob> {
    return this.call('job', jobId, toPlatformJob);
  }

  override async *jobItemPages(
    { requester }: PlatformAuthorization,
    jobId: string,
  ): AsyncGenerator<readonly PlatformJobItem[]> {
    this.requesters.set(jobId, [...(this.requesters.get(jobId) ?? []), requester]);
    const items = await this.call('job-items', jobId, (job) =>
      [...job.statuses].map(([accountingEntryId, status]) => {
        const externalId = job.results.get(accountingEntryId)?.externalId;
        return { accountingEntryId, status, externalId };
      }),
    );
    yield* pagesOf(items);
  }

  override async *exportItemPages(
    { requester }: PlatformAuthorization,
    jobId: string,
  ): AsyncGenerator<readonly FetchedItem[]> {
    this.requesters.set(jobId, [...(this.requesters.get(jobId) ?? []), requester]);
    for (let start = 0; start === 0 || start < this.find(jobId).data.length; start += PAGE) {
      yield await this.call('item-data', jobId, (job) => {
        if (job.status !== 'pending') requireStatus(job, 'in_progress');
        return job.data.slice(start, start + PAGE);
      });
    }
  }

  override async listExportJobs(
    auth: PlatformAuthorization,
    companyId: string,
    statuses: readonly string[],
  ): Promise<readonly ListedJob[]> {
    const jobs: ListedJob[] = [];
    for await (const page of this.exportJobPages(auth, companyId)) {
      jobs.push(...page.filter((listed) => !('job' in listed) || statuses.includes(listed.job.status)));
    }
    return jobs;
  }

  override async *exportJobPages(
    _auth: PlatformAuthorization,
    companyId: string,
  ): AsyncGenerator<readonly ListedJob[]> {
    await Promise.resolve();
    const jobs = [...this.jobs.values()].filter((job) => job.companyId === companyId);
    yield* pagesOf(jobs.map((job) => this.unreadable.get(job.id) ?? { job: toPlatformJob(job) }));
  }

  override updateJobItems(
    { requester }: PlatformAuthorization,
    jobId: string,
    results: readonly ReportedItem[],
  ): Promise<ItemUpdateResponse> {
    this.requesters.set(jobId, [...(this.requesters.get(jobId) ?? []), requester]);
    return this.call('update-items', jobId, (job) => {
      requireStatus(job, 'in_progress');
      if (results.length > ITEM_UPDATE_LIMIT) {
        throw new PlatformRefusal(400, 'TOO_MANY_ITEMS', 'too many items', undefined);
      }
      this.touch(job);
      const isTaken = (result: ReportedItem) => !this.itemErrors.has(result.accountingEntryId);
      job.updates.push(results.length);
      for (const result of results.filter(isTaken)) {
        job.results.set(result.accountingEntryId, result);
        job.statuses.set(result.accountingEntryId, result.status);
      }
      const errors = [...this.itemErrors].map(([accountingEntryId, error]) => ({
        accountingEntryId,
        ...error,
      }));
      return { data: results.filter(isTaken), errors };
    });
  }

  override sendJobEvent(_auth: PlatformAuthorization, jobId: string, event: JobEvent): Promise<void> {
    return this.call(event.event, jobId, (job) => {
      requireStatus(job, ...STATUSES_BEFORE[event.event]);
      this.touch(job);
      job.events.push(event);
      job.status = event.event === 'started' ? 'in_progress' : event.event;
    });
  }

  private touch(job: FakeJob): void {
    if (this.prolongs) {
      job.lastUpdatedAt = this.clock.now();
    }
  }

  private async call<T>(call: PlatformCall, jobId: string, effect: (job: FakeJob) => T): Promise<T> {
    // As over a network: the answer is never there at once, and a refusal is a rejection.
    await Promise.resolve();
    this.calls.push(call);
    const job = this.find(jobId);
    this.before(call, job);
    const answer = effect(job);
    this.after(call, job);
    return answer;
  }

  private find(jobId: string): FakeJob {
    const job = this.jobs.get(jobId);
    if (job === undefined) {
      throw new PlatformRefusal(404, 'NOT_FOUND', 'no such job', undefined);
    }
    return job;
  }
}

function toPlatformJob(job: FakeJob): PlatformExportJob {
  return {
    id: job.id,
    companyId: job.companyId,
    status: job.status,
    numberOfItems: job.statuses.size,
    createdAt: job.createdAt,
    lastUpdatedAt: job.lastUpdatedAt,
    expiresIn: HOUR_SECONDS,
    failureReasonType: job.failureReasonType,
  };
}

function requireStatus(job: FakeJob, ...allowed: readonly string[]): void {
  if (!allowed.includes(job.status)) {
    throw new PlatformRefusal(422, 'INVALID_STATE', `the job is ${job.status}`, undefined);
  }
}

function* pagesOf<T>(all: readonly T[]): Generator<readonly T[]> {
  for (let start = 0; start === 0 || start < all.length; start += PAGE) {
    yield all.slice(start, start + PAGE);
  }
}
