import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpLedger } from '../erp/erp-ledger.js';
import type { PlatformAuthorisation } from '../platform/platform-http.js';
import { FinishConnection } from './finish-connection.js';
import type { Installation } from './domain/installation.js';
import { InstallationRepository, type InstallationSummary } from './installation.repository.js';
import { PlatformAccess } from './platform-access.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** Whose webhook address was called, and what its messages are verified with. */
export interface WebhookEndpoint {
  readonly installation: Installation;
  readonly secrets: readonly string[];
  readonly timestampMeaning: 'attempt' | 'generation';
}

/** What other features may ask of installations. */
@Injectable()
export class InstallationsService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly installations: InstallationRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly access: PlatformAccess,
    private readonly finish: FinishConnection,
    private readonly erp: ErpLedger,
  ) {}

  async find(installationId: InstallationId): Promise<Installation | undefined> {
    return this.database.inInstallation('find installation', installationId, (tx) =>
      this.installations.find(tx, installationId),
    );
  }

  /** @returns undefined for an address that belongs to no living installation */
  async findWebhookEndpoint(endpointToken: string): Promise<WebhookEndpoint | undefined> {
    const installationId = await this.database.acrossInstallations('find webhook endpoint', (tx) =>
      this.subscriptions.findInstallationByEndpoint(tx, endpointToken),
    );
    if (installationId === undefined) {
      return undefined;
    }
    return this.database.inInstallation('load webhook endpoint', installationId, async (tx) => {
      const installation = await this.installations.find(tx, installationId);
      const subscription = await this.subscriptions.find(tx, installationId);
      if (installation === undefined || subscription === undefined || installation.state === 'uninstalled') {
        return undefined;
      }
      const secrets = subscription.secret === undefined ? [] : [subscription.secret];
      return { installation, secrets, timestampMeaning: subscription.timestampMeaning };
    });
  }

  /** Access tokens for the platform client, refreshed as needed. */
  authorisation(installationId: InstallationId): PlatformAuthorisation {
    return this.access.of(installationId);
  }

  /** @returns false when the ERP has no company with this id */
  async linkErpCompany(installationId: InstallationId, erpCompanyId: string): Promise<boolean> {
    const company = (await this.erp.listCompanies()).find((candidate) => candidate.id === erpCompanyId);
    if (company === undefined) {
      return false;
    }
    await this.database.inInstallation('link ERP company', installationId, (tx) =>
      this.installations.linkErpCompany(tx, installationId, company.id),
    );
    return true;
  }

  async finishConnection(installationId: InstallationId): Promise<void> {
    await this.finish.run(installationId);
  }

  /**
   * Takes the active installations that have not been polled for a while; each is given out once per turn.
   * @param seconds until the next turn of those taken
   */
  async takeDueForPolling(seconds: number, limit: number): Promise<readonly InstallationId[]> {
    return this.database.acrossInstallations('take due for polling', (tx) =>
      this.installations.takeDueForPolling(tx, seconds, limit),
    );
  }

  /** For the operator: at most `limit` installations, newest first. */
  async summaries(limit: number): Promise<readonly InstallationSummary[]> {
    return this.database.acrossInstallations('list installations', (tx) =>
      this.installations.summaries(tx, limit),
    );
  }
}
