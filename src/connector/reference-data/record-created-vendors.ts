import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { isUuid, type CompanyKey } from '../../kernel/ids.js';
import { RequestSyncs } from './request-syncs.js';
import { VendorMatchRepository } from './vendor-match.repository.js';

/** As an item names it: that may be no id of the platform, and then nothing can be written back for it. */
interface NamedVendor {
  readonly id: string;
  readonly name: string;
}

const DECIDED_BY = 'export';
/** Long enough for the export itself to record the outcome. */
const UNKNOWN_AFTER_SECONDS = 20;

/** Has the numbers of vendors that an export creates in the ERP written back to the platform by a run. */
@Injectable()
export class RecordCreatedVendors {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly vendorMatchRepository: VendorMatchRepository,
    private readonly requestSyncs: RequestSyncs,
  ) {}

  /**
   * Before the ERP is asked to create the vendor. Should its response be lost, a run asks again under the same key, learns the
   * number and writes it back.
   * @returns the number of the ERP's vendor that it was linked to before, by a person or another export
   */
  async recordIntent(company: CompanyKey, { id, name }: NamedVendor): Promise<string | undefined> {
    if (!isUuid(id)) return undefined;
    return this.tenantDatabase.inInstallation('vendor to be created', company.installationId, async (tx) => {
      await this.vendorMatchRepository.intendCreation(tx, company, { id, name }, DECIDED_BY);
      await this.requestSyncs.request(tx, company, ['vendor-drafts'], 'export', { inSeconds: UNKNOWN_AFTER_SECONDS });
      const decided = (await this.vendorMatchRepository.listDecisions(tx, company)).get(id);
      return decided?.decision === 'link' ? decided.number : undefined;
    });
  }

  /** The ERP has refused the vendor: there is nothing to be written back. */
  async withdrawIntent(company: CompanyKey, { id }: NamedVendor): Promise<void> {
    if (isUuid(id)) {
      await this.tenantDatabase.inInstallation('vendor refused', company.installationId, (tx) =>
        this.vendorMatchRepository.withdrawCreation(tx, company, id, DECIDED_BY),
      );
    }
  }

  /** @param number as the ERP has it */
  async record(company: CompanyKey, { id, name }: NamedVendor, number: string): Promise<void> {
    if (isUuid(id)) {
      await this.tenantDatabase.inInstallation('vendor created', company.installationId, async (tx) => {
        const decision = { decision: 'link', number } as const;
        await this.vendorMatchRepository.decide(tx, company, { id, name }, decision, DECIDED_BY);
        await this.requestSyncs.request(tx, company, ['vendor-drafts'], 'export');
      });
    }
  }
}
