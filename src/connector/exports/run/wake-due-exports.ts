// Called by the schedule: each method finds due work of all tenants and wakes workers for it.
import { Injectable } from '@nestjs/common';
import { WakeDue } from '../../runs/wake-due.js';
import { InDoubtPostingRepository } from '../in-doubt/in-doubt-posting.repository.js';
import { lookUpInDoubtPostingsTask } from '../in-doubt/in-doubt-postings.tasks.js';
import { ReexportRepository } from '../reexport/reexport.repository.js';
import { requestReexportTask } from '../reexport/reexports.tasks.js';
import { CompanyLeaseRepository } from '../stores/company-lease.repository.js';
import { WakeCompany } from './wake-company.js';

/** Companies woken by one sweep; the next one follows within seconds. */
const MAX_WOKEN_COMPANIES = 500;

@Injectable()
export class WakeDueExports {
  constructor(
    private readonly wakeDue: WakeDue,
    private readonly wakeCompany: WakeCompany,
    private readonly companyLeaseRepository: CompanyLeaseRepository,
    private readonly inDoubtPostingRepository: InDoubtPostingRepository,
    private readonly reexportRepository: ReexportRepository,
  ) {}

  /** Companies with due jobs and no owner, whose worker died or whose wake-up was lost. */
  async wakeIdleCompanies(): Promise<void> {
    await this.wakeDue.forEach(
      'companies',
      (tx, limit) => this.companyLeaseRepository.findIdle(tx, limit),
      (tx, { installationId, companyId }) => this.wakeCompany.wakeIfDueIn(tx, installationId, companyId),
      MAX_WOKEN_COMPANIES,
    );
  }

  /** Companies with a due look-up. */
  async wakeLookUps(): Promise<void> {
    await this.wakeDue.wakeEach(
      'look-ups',
      (tx, limit) => this.inDoubtPostingRepository.findDueCompanies(tx, limit),
      lookUpInDoubtPostingsTask,
      ({ installationId, companyId }) => `${installationId}/${companyId}`,
    );
  }

  /** Re-exports whose job has to be requested from the platform. */
  async wakeReexports(): Promise<void> {
    await this.wakeDue.wakeEach(
      're-exports',
      (tx, limit) => this.reexportRepository.findDue(tx, limit),
      requestReexportTask,
      ({ id }) => id,
    );
  }
}
