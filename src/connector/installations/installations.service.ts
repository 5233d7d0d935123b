import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { InstallationId } from '../../kernel/ids.js';
import { ErpLedger } from '../erp/erp-ledger.js';
import type { PlatformAuthorisation } from '../platform/platform-http.js';
import { FinishConnection } from './finish-connection.js';
import type { Installation } from './domain/installation.js';
import {
  InstallationRepository,
  type DueInstallation,
  type InstallationSummary,
} from './installation.repository.js';
import { PlatformAccess } from './platform-access.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** From here on a webhook may have come in vain; its next attempt is minutes or hours away. */
const LONGEST_INTAKE_GAP_SECONDS = 30;
/** Leaves half a minute of the two for the queue and the request budget. */
const POLL_ALL_WITHIN_SECONDS = 90;

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

  /** @returns undefined when nothing is subscribed yet */
  async timestampMeaning(
    installationId: InstallationId,
  ): Promise<WebhookEndpoint['timestampMeaning'] | undefined> {
    const subscription = await this.database.inInstallation('read subscription', installationId, (tx) =>
      this.subscriptions.find(tx, installationId),
    );
    return subscription?.timestampMeaning;
  }

  /**
   * From the next message on `webhook-timestamp` is taken for this (spec: reliability §0 finding 2).
   * @returns false when nothing is subscribed yet
   */
  async setTimestampMeaning(
    installationId: InstallationId,
    meaning: WebhookEndpoint['timestampMeaning'],
  ): Promise<boolean> {
    return this.database.inInstallation('set timestamp meaning', installationId, (tx) =>
      this.subscriptions.setTimestampMeaning(tx, installationId, meaning),
    );
  }

  async finishConnection(installationId: InstallationId): Promise<void> {
    await this.finish.run(installationId);
  }

  /** Takes at most `limit` installations whose turn to be polled, or to be finished, has come. */
  async takeDue(limit: number): Promise<readonly DueInstallation[]> {
    return this.database.acrossInstallations('take due installations', (tx) =>
      this.installations.takeDue(tx, limit),
    );
  }

  /** In the caller's transaction: lets this installation be polled soon, whatever becomes of any task. */
  async pollSoon(tx: Tx, installationId: InstallationId): Promise<void> {
    await this.installations.pollSoon(tx, installationId);
  }

  /**
   * Runs one look at the platform and sets the next turn: soon when the look fails or its process dies, else as the look
   * says. A hint that arrives meanwhile stands.
   * @param look returns the seconds until the next turn
   */
  async poll(installationId: InstallationId, look: () => Promise<number>): Promise<void> {
    const begun = await this.database.inInstallation('begin poll', installationId, (tx) =>
      this.installations.beginPoll(tx, installationId),
    );
    const seconds = await look();
    await this.database.inInstallation('end poll', installationId, (tx) =>
      this.installations.endPoll(tx, installationId, begun, seconds),
    );
  }

  /** Says that the webhook intake is there; after a gap every company is polled (spec: reliability §0 finding 1). */
  async noteIntake(): Promise<void> {
    await this.database.acrossInstallations('note intake', async (tx) => {
      const gap = await this.installations.beatIntake(tx);
      if (gap !== undefined && gap > LONGEST_INTAKE_GAP_SECONDS) {
        await this.installations.pollAllWithin(tx, POLL_ALL_WITHIN_SECONDS);
      }
    });
  }

  /** For the operator: at most `limit` installations, newest first. */
  async summaries(limit: number): Promise<readonly InstallationSummary[]> {
    return this.database.acrossInstallations('list installations', (tx) =>
      this.installations.summaries(tx, limit),
    );
  }
}
