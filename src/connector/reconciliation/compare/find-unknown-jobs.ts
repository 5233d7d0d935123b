// Finds jobs of the platform that neither a webhook nor polling has brought.
import { Injectable } from '@nestjs/common';
import { PlatformAccess } from '../../installations/credentials/platform-access.js';
import { PlatformApi } from '../../platform/platform-api.js';
import type { PlatformExportJob } from '../../platform/platform.schema.js';
import type { ReconciliationScope } from './load-reconciliation-scope.js';
import { RecordDiscrepancies, type NewDiscrepancy } from './record-discrepancies.js';
import { ExportRecordReader } from '../../exports/stores/export-record.reader.js';

/** Polling finds a job within ten minutes, whether or not its webhook arrives. */
const USUAL_DELAY_MS = 15 * 60_000;

@Injectable()
export class FindUnknownJobs {
  constructor(
    private readonly exportRecordReader: ExportRecordReader,
    private readonly platformAccess: PlatformAccess,
    private readonly platformApi: PlatformApi,
    private readonly recordDiscrepancies: RecordDiscrepancies,
  ) {}

  /** @throws LeaseLost, PlatformRefusal, NoResponse */
  async findUnknownJobs(scope: ReconciliationScope): Promise<void> {
    const { installationId, companyId, period } = scope.run;
    const latest = Math.min(period.until.getTime(), this.platformApi.platformNow().getTime() - USUAL_DELAY_MS);
    const auth = this.platformAccess.authorizationFor(installationId);
    for await (const page of this.platformApi.exportJobPages(auth, companyId)) {
      const jobs = page.flatMap((listed) => ('job' in listed ? listed.job : []));
      const due = jobs.filter(({ createdAt }) => createdAt >= period.from && createdAt.getTime() < latest);
      const known = await this.exportRecordReader.knownJobs(
        installationId,
        due.map(({ id }) => id),
      );
      await this.recordDiscrepancies.record(scope, due.filter(({ id }) => !known.has(id)).map(unknownJob));
    }
  }
}

function unknownJob(job: PlatformExportJob): NewDiscrepancy {
  const { id, status, numberOfItems, createdAt } = job;
  return {
    class: 'job-not-received',
    subject: id,
    accountingEntryId: undefined,
    exportJobId: id,
    erpCompanyId: undefined,
    evidence: { platform: { status, numberOfItems, createdAt }, record: null, erp: null },
    amount: undefined,
    occurredAt: createdAt,
    repairedAs: undefined,
  };
}
