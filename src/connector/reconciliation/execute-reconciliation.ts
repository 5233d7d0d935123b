// One run: the jobs of the period one after the other, then what the platform and the ERP have that we do not.
import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { ErpLedger, type ErpMasterData } from '../erp/erp-ledger.js';
import { InstallationReader } from '../installations/installation.reader.js';
import { MappingReader } from '../mapping/mapping.reader.js';
import { CertifyJob, type CertificateDraft } from './certificates/certify-job.js';
import { CompareJob } from './compare/compare-job.js';
import { DiscrepancyRepository } from './compare/discrepancy.repository.js';
import type { ReconciliationLease, RunProgress } from './domain/reconciliation-run.js';
import { dimensionKey, type KnownCodes } from './domain/compared-sources.js';
import { FindOrphans } from './compare/find-orphans.js';
import { FindUnknownJobs } from './compare/find-unknown-jobs.js';
import { ReconciliationRunRepository } from './reconciliation-run.repository.js';
import { ReconciliationScheduleRepository } from './reconciliation-schedule.repository.js';
import { RunPostponed, RunStopped } from '../runs/run-interruptions.js';
import type { ReconciliationScope } from './compare/reconciliation-scope.js';
import { ResumeReversals } from './compare/resume-reversals.js';
import { ExportRecordReader } from '../exports/stores/export-record.reader.js';
import type { JobRecord } from '../exports/stores/export-record.repository.js';

const JOBS_AT_ONCE = 50;

@Injectable()
export class ExecuteReconciliation {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly exportRecordReader: ExportRecordReader,
    private readonly installationReader: InstallationReader,
    private readonly erpLedger: ErpLedger,
    private readonly mappingReader: MappingReader,
    private readonly compareJob: CompareJob,
    private readonly findUnknownJobs: FindUnknownJobs,
    private readonly findOrphans: FindOrphans,
    private readonly certifyJob: CertifyJob,
    private readonly resumeReversals: ResumeReversals,
    private readonly reconciliationRunRepository: ReconciliationRunRepository,
    private readonly reconciliationScheduleRepository: ReconciliationScheduleRepository,
    private readonly discrepancyRepository: DiscrepancyRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Goes on where an earlier attempt was. What it has covered and not seen again is closed at its end; a job that was compared
   * for the first time since it ended is certified then.
   * @throws RunPostponed, RunStopped, LeaseLost, ErpUnavailable, PlatformRefusal, NoResponse, AuthorizationLost
   */
  async reconcile(run: ReconciliationLease, stopping: AbortSignal): Promise<void> {
    const scope = await this.prepare(run, stopping);
    await this.resumeReversals.resumeBegun(scope);
    if (run.exportJobId === undefined) {
      await this.comparePeriod(scope);
    }
    const facts = run.exportJobId === undefined ? undefined : await this.compareOne(scope, run.exportJobId);
    await this.tenantDatabase.inInstallation('end reconciliation', run.installationId, async (tx) => {
      await this.reconciliationRunRepository.advance(tx, run, {});
      await this.discrepancyRepository.closeUnseen(tx, run, this.clock.now());
      await this.discrepancyRepository.closeReexported(tx, run, this.clock.now());
      if (facts !== undefined) {
        await this.certifyJob.write(tx, run, facts);
      }
      await this.reconciliationRunRepository.finish(tx, run, undefined);
    });
  }

  private async prepare(run: ReconciliationLease, stopping: AbortSignal): Promise<ReconciliationScope> {
    const installation = await this.installationReader.find(run.installationId);
    const erpCompanyId = installation?.erpCompanyId;
    const books = erpCompanyId === undefined ? undefined : await this.erpLedger.loadMasterData(erpCompanyId);
    if (books !== undefined) {
      await this.tenantDatabase.inInstallation('store time zone', run.installationId, (tx) =>
        this.reconciliationScheduleRepository.setTimeZone(tx, run.installationId, books.timeZone),
      );
    }
    const settings = (await this.mappingReader.latestSettings(run.installationId))?.settings;
    const realizedFx = activeCode(books, settings?.accounts.realizedFx);
    return { run, erpCompanyId, codes: codesOf(books), realizedFx, stopping };
  }

  /** @returns what is to be certified of the job at the end of its run */
  private async compareOne(scope: ReconciliationScope, id: string): Promise<CertificateDraft | undefined> {
    const job = await this.exportRecordReader.job(scope.run.installationId, id);
    if (job === undefined) {
      return undefined;
    }
    await this.compareJob.compare(scope, job);
    await this.advance(scope, { jobs: 1 }, { jobsDone: true });
    const facts = await this.certifyJob.prepare(scope, job);
    if (facts === 'too-early') {
      throw new RunPostponed('the accounting system may not show yet what was posted last');
    }
    return facts;
  }

  private async comparePeriod(scope: ReconciliationScope): Promise<void> {
    let { progress } = scope.run;
    if (progress.jobsDone !== true) {
      progress = await this.compareJobs(scope, progress);
    }
    if (progress.platformDone !== true) {
      await this.findUnknownJobs.findUnknownJobs(scope);
      progress = { ...progress, platformDone: true };
      await this.advance(scope, {}, progress);
    }
    await this.findOrphans.findOrphans(scope, progress);
  }

  private async compareJobs(scope: ReconciliationScope, begun: RunProgress): Promise<RunProgress> {
    let progress = begun;
    for (;;) {
      const page = await this.nextJobs(scope, progress);
      if (page.length === 0) {
        const done: RunProgress = { ...progress, jobsDone: true };
        await this.advance(scope, {}, done);
        return done;
      }
      for (const job of page) {
        if (scope.stopping.aborted) {
          throw new RunStopped('the worker stops');
        }
        await this.compareJob.compare(scope, job);
        await this.certifyUncertified(scope, job);
        progress = { afterJob: { createdAt: job.createdAt.toISOString(), id: job.id } };
        await this.advance(scope, { jobs: 1 }, progress);
      }
    }
  }

  /** A job whose own run failed or was never requested. */
  private async certifyUncertified(scope: ReconciliationScope, job: JobRecord): Promise<void> {
    const facts = await this.certifyJob.prepare(scope, job);
    if (facts !== undefined && facts !== 'too-early') {
      await this.tenantDatabase.inInstallation('certify job', scope.run.installationId, async (tx) => {
        await this.reconciliationRunRepository.advance(tx, scope.run, {});
        await this.certifyJob.write(tx, scope.run, facts);
      });
    }
  }

  private nextJobs({ run }: ReconciliationScope, { afterJob }: RunProgress): Promise<readonly JobRecord[]> {
    const after = afterJob && { createdAt: new Date(afterJob.createdAt), id: afterJob.id };
    return this.exportRecordReader.jobs(run.installationId, run.companyId, run.period, after, JOBS_AT_ONCE);
  }

  private async advance(
    { run }: ReconciliationScope,
    counts: { readonly jobs?: number },
    progress: RunProgress,
  ): Promise<void> {
    await this.tenantDatabase.inInstallation('advance reconciliation', run.installationId, (tx) =>
      this.reconciliationRunRepository.advance(tx, run, counts, progress),
    );
  }
}

/** @param reference external id or code, as settings name accounts */
function activeCode(books: ErpMasterData | undefined, reference: string | undefined): string | undefined {
  const active = books?.accounts.filter((account) => account.active) ?? [];
  const found =
    active.find(({ externalId }) => externalId === reference) ?? active.find(({ code }) => code === reference);
  return found?.code;
}

function codesOf(books: ErpMasterData | undefined): KnownCodes {
  return {
    vendors: new Set(books?.vendors.map(({ code }) => code)),
    dimensionValues: new Set(
      books?.dimensions.flatMap(({ code, values }) => values.map((value) => dimensionKey(code, value.code))),
    ),
  };
}
