import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { ExportAccess } from '../exports/export-access.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { SimulatorConfig } from '../simulator-config.js';
import { resourceUrn } from '../wire/resource-urn.js';
import type { ExportsView } from './views/exports.page.js';
import { LoadJobsView } from './load-jobs-view.js';
import type { Visitor } from './page-session.js';

/** Reads the contents of the bookkeeper's page. */
@Injectable()
export class LoadExportsView {
  constructor(
    private readonly exportAccess: ExportAccess,
    private readonly loadJobsView: LoadJobsView,
    private readonly installationRepository: InstallationRepository,
    private readonly simulatorConfig: SimulatorConfig,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  async loadView(visitor: Visitor, notice: string | undefined): Promise<ExportsView> {
    const { id: companyId } = visitor.company;
    const resource = resourceUrn('company', companyId);
    return this.database.inTransaction('read exports for the page', async (tx) => {
      await this.exportAccess.expireDue(tx);
      return {
        visitor,
        notice,
        now: this.simulatorClock.now(),
        ...(await this.loadJobsView.waiting(tx, companyId)),
        jobs: await this.loadJobsView.newest(tx, companyId),
        installations: await this.installationRepository.findByResource(tx, resource),
        initiationUrl: this.simulatorConfig.initiationUrl,
      };
    });
  }
}
