import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import { Clock } from '../../kernel/clock.js';
import { Bug } from '../../kernel/faults.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpUnavailable } from '../erp/erp-ledger.js';
import type { Installation } from '../installations/domain/installation.js';
import { InstallationsService } from '../installations/installations.service.js';
import type { SavedSettings } from './domain/mapping.js';
import { targetsIn } from './domain/targets.js';
import { NO_SETTINGS, setupSteps, type ErpState } from './domain/setup.js';
import type { SetupStep } from './domain/setup-step.js';
import { LoadBooks } from './load-books.js';
import { MappingRuleRepository } from './mapping-rule.repository.js';
import { MappingVersionRepository } from './mapping-version.repository.js';

/** Looks at everything the first export needs, in our tables and in the ERP. */
@Injectable()
export class CheckSetup {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationsService,
    private readonly books: LoadBooks,
    private readonly versions: MappingVersionRepository,
    private readonly rules: MappingRuleRepository,
    private readonly clock: Clock,
  ) {}

  async run(installationId: InstallationId): Promise<readonly SetupStep[]> {
    const installation = await this.installations.find(installationId);
    if (installation === undefined) {
      throw new Bug('the caller of a route has no installation');
    }
    const isSubscribed = (await this.installations.timestampMeaning(installationId)) !== undefined;
    const { latest, rules } = await this.database.inInstallation(
      'read mapping',
      installationId,
      async (tx) => {
        const saved = await this.versions.findLatest(tx, installationId);
        return {
          latest: saved,
          rules: saved === undefined ? [] : await this.rules.ofVersion(tx, installationId, saved.version),
        };
      },
    );
    return setupSteps({
      connection: installation.state,
      isSubscribed,
      erp: await this.askErp(installation, latest),
      settings: latest?.settings,
      rules,
      now: this.clock.now(),
    });
  }

  private async askErp(installation: Installation, latest: SavedSettings | undefined): Promise<ErpState> {
    if (installation.erpCompanyId === undefined) {
      return { state: 'not-linked' };
    }
    try {
      const books = await this.books.run(installation.id);
      return books === undefined
        ? { state: 'company-gone' }
        : { state: 'answered', targets: targetsIn(books, latest?.settings ?? NO_SETTINGS) };
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { state: 'unreachable', kind: error.failure.kind };
      }
      throw error;
    }
  }
}
