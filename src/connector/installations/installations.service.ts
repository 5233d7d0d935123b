import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { CompanyId, InstallationId } from '../../kernel/ids.js';
import type { PlatformAuthorization } from '../platform/platform-http.js';
import { MaintainSubscription } from './subscription/maintain-subscription.js';
import { ConnectionAttemptRepository } from './connect/connection-attempt.repository.js';
import type { DataKey } from './credentials/data-key.js';
import { DataKeyRepository } from './credentials/data-key.repository.js';
import { FinishConnection } from './connect/finish-connection.js';
import type { Installation } from './domain/installation.js';
import {
  InstallationRepository,
  type DueInstallation,
  type InstallationSummary,
} from './installation.repository.js';
import { countSubscriptionMaintenance } from './installations.metrics.js';
import { LinkErpCompany, type ErpCompanyLink } from './connect/link-erp-company.js';
import { PlatformAccess } from './credentials/platform-access.js';
import { RewrapKeys } from './credentials/rewrap-keys.js';
import { SubscriptionRepository, type StoredSubscription } from './subscription/subscription.repository.js';
import { Uninstall } from './uninstall/uninstall.js';

export type { DataKey } from './credentials/data-key.js';
export type { ErpCompanyLink } from './connect/link-erp-company.js';

/** From here on a webhook may have come in vain; its next attempt is minutes or hours away. */
const MAX_INTAKE_GAP_SECONDS = 30;
/** Leaves half a minute of the two for the queue and the request budget. */
const POLL_ALL_WITHIN_SECONDS = 90;

/** After as long an outage the platform may have given our address up. */
const LONG_INTAKE_GAP_SECONDS = 600;
const MAINTAIN_ALL_WITHIN_SECONDS = 900;
/** As long as an uninstalling tells the platform: before, the one that is at it destroys the key itself. */
const LEFTOVER_AFTER_SECONDS = 16;
/** Most interrupted uninstallings that one run ends. */
const MAX_LEFTOVERS = 100;

/** Whose webhook address was called, and what its messages are verified with. */
export interface WebhookEndpoint {
  readonly installation: Installation;
  readonly secrets: readonly string[];
  readonly timestampMeaning: 'attempt' | 'generation';
  /** What our own header has to say; undefined while the platform was not told of it. */
  readonly key: string | undefined;
}

/** What other features may ask of installations. */
@Injectable()
export class InstallationsService {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly platformAccess: PlatformAccess,
    private readonly finish: FinishConnection,
    private readonly care: MaintainSubscription,
    private readonly dataKeyRepository: DataKeyRepository,
    private readonly rewrapKeys: RewrapKeys,
    private readonly uninstall: Uninstall,
    private readonly connectionAttemptRepository: ConnectionAttemptRepository,
    private readonly linking: LinkErpCompany,
  ) {}

  async find(installationId: InstallationId): Promise<Installation | undefined> {
    return this.tenantDatabase.inInstallation('find installation', installationId, (tx) =>
      this.installationRepository.find(tx, installationId),
    );
  }

  /** @returns undefined for an address that belongs to nobody; without secrets for one of an uninstalled installation */
  async findWebhookEndpoint(endpointToken: string): Promise<WebhookEndpoint | undefined> {
    const installationId = await this.tenantDatabase.acrossInstallations('find webhook endpoint', (tx) =>
      this.subscriptionRepository.findInstallationByEndpoint(tx, endpointToken),
    );
    if (installationId === undefined) {
      return undefined;
    }
    return this.tenantDatabase.inInstallation('load webhook endpoint', installationId, async (tx) => {
      const installation = await this.installationRepository.find(tx, installationId);
      if (installation === undefined || installation.state === 'uninstalled') {
        return installation && { installation, secrets: [], timestampMeaning: 'attempt', key: undefined };
      }
      const subscription = await this.subscriptionRepository.find(tx, installationId);
      return subscription && endpointOf(installation, subscription);
    });
  }

  /** Over all tenants: whose a company is that some living installation connects; null where we were never told. */
  async organizationOf(companyId: CompanyId): Promise<string | null | undefined> {
    return this.tenantDatabase.acrossInstallations('find company', (tx) =>
      this.installationRepository.findOrganizationOf(tx, companyId),
    );
  }

  /** In the caller's transaction: what seals and opens the installation's secrets, one column of one table each. */
  async dataKeyOf(tx: Tx, installationId: InstallationId): Promise<DataKey> {
    return this.dataKeyRepository.findOrCreate(tx, installationId);
  }

  /** In the caller's transaction: uninstalling waits for it. @returns whether it is there and not uninstalled */
  async lockActive(tx: Tx, installationId: InstallationId): Promise<boolean> {
    return this.installationRepository.lockActive(tx, installationId);
  }

  /**
   * Access tokens for the platform client, refreshed as needed.
   * @param asker whose share of the request budget is used
   */
  authorization(
    installationId: InstallationId,
    asker: 'connector' | 'long-exports' = 'connector',
  ): PlatformAuthorization {
    return { ...this.platformAccess.authorizationFor(installationId), requester: asker };
  }

  /** As `authorization`, for requests that somebody waits for: they have a share of the budget, and no more. */
  interactiveAuthorization(installationId: InstallationId): PlatformAuthorization {
    return { ...this.platformAccess.authorizationFor(installationId), requester: 'people' };
  }

  /** @throws ErpUnavailable; for an admin also what keeps the platform from being asked */
  async linkErpCompany(
    installationId: InstallationId,
    erpCompanyId: string,
    by: 'admin' | 'operator',
  ): Promise<ErpCompanyLink> {
    return this.linking.linkCompany(installationId, erpCompanyId, by);
  }

  /** @returns undefined when nothing is subscribed yet */
  async timestampMeaning(
    installationId: InstallationId,
  ): Promise<WebhookEndpoint['timestampMeaning'] | undefined> {
    const subscription = await this.tenantDatabase.inInstallation('read subscription', installationId, (tx) =>
      this.subscriptionRepository.find(tx, installationId),
    );
    return subscription?.timestampMeaning;
  }

  /**
   * From the next message on `webhook-timestamp` is taken for this (F2).
   * @returns false when nothing is subscribed yet
   */
  async setTimestampMeaning(
    installationId: InstallationId,
    meaning: WebhookEndpoint['timestampMeaning'],
  ): Promise<boolean> {
    return this.tenantDatabase.inInstallation('set timestamp meaning', installationId, (tx) =>
      this.subscriptionRepository.setTimestampMeaning(tx, installationId, meaning),
    );
  }

  /**
   * Does what is left of connecting: ERP company, subscription, activation. Repeatable; each step looks before it acts.
   * @throws what the platform or the ERP throws; the steps that are done stay done
   */
  async finishConnection(installationId: InstallationId): Promise<void> {
    await this.finish.finishConnection(installationId);
  }

  /** Makes the platform's subscription what we want it to be. */
  async maintainSubscription(installationId: InstallationId): Promise<void> {
    try {
      await this.care.maintain(installationId);
      countSubscriptionMaintenance('done');
    } catch (error) {
      countSubscriptionMaintenance('failed');
      throw error;
    }
  }

  /** Takes at most `limit` installations whose subscription has to be looked after. */
  async claimSubscriptionsDue(limit: number): Promise<readonly InstallationId[]> {
    return this.tenantDatabase.acrossInstallations('take subscriptions due', (tx) =>
      this.subscriptionRepository.claimMaintenanceDue(tx, limit),
    );
  }

  /**
   * Brings every data key under the first key of the ring, and ends what interrupted uninstallings left. What waits for a
   * person to pick a company is forgotten when nobody did in time.
   */
  async rotateKeys(stopping: AbortSignal): Promise<void> {
    await this.tenantDatabase.withoutInstallation('forget abandoned attempts', (tx) =>
      this.connectionAttemptRepository.deleteAbandoned(tx),
    );
    const leftovers = await this.tenantDatabase.acrossInstallations('find leftover data keys', (tx) =>
      this.dataKeyRepository.findUndestroyed(tx, LEFTOVER_AFTER_SECONDS, MAX_LEFTOVERS),
    );
    for (const installationId of leftovers) {
      await this.uninstall.resumeInterrupted(installationId);
    }
    await this.rewrapKeys.rewrapAll(stopping);
  }

  /** Takes at most `limit` installations whose turn to be polled, or to be finished, has come. */
  async claimDue(limit: number): Promise<readonly DueInstallation[]> {
    return this.tenantDatabase.acrossInstallations('take due installations', (tx) =>
      this.installationRepository.claimDue(tx, limit),
    );
  }

  /** In the caller's transaction: lets this installation be polled soon, whatever becomes of any task. */
  async schedulePollSoon(tx: Tx, installationId: InstallationId): Promise<void> {
    await this.installationRepository.schedulePollSoon(tx, installationId);
  }

  /**
   * Runs one look at the platform and sets the next turn: soon when the look fails or its process dies, else as the look
   * says. A hint that arrives meanwhile stands.
   * @param look returns the seconds until the next turn
   */
  async poll(installationId: InstallationId, look: () => Promise<number>): Promise<void> {
    const begun = await this.tenantDatabase.inInstallation('begin poll', installationId, (tx) =>
      this.installationRepository.beginPoll(tx, installationId),
    );
    const seconds = await look();
    await this.tenantDatabase.inInstallation('end poll', installationId, (tx) =>
      this.installationRepository.endPoll(tx, installationId, begun, seconds),
    );
  }

  /** Says that the webhook intake is there; after a gap every company is polled (F1). */
  async recordIntake(): Promise<void> {
    await this.tenantDatabase.acrossInstallations('note intake', async (tx) => {
      const gap = await this.installationRepository.recordIntakeHeartbeat(tx);
      if (gap !== undefined && gap > MAX_INTAKE_GAP_SECONDS) {
        await this.installationRepository.schedulePollsWithin(tx, POLL_ALL_WITHIN_SECONDS);
      }
      if (gap !== undefined && gap > LONG_INTAKE_GAP_SECONDS) {
        await this.subscriptionRepository.scheduleMaintenanceWithin(tx, MAINTAIN_ALL_WITHIN_SECONDS);
      }
    });
  }

  /** For the operator: at most `limit` installations, newest first. */
  async summaries(limit: number): Promise<readonly InstallationSummary[]> {
    return this.tenantDatabase.acrossInstallations('list installations', (tx) =>
      this.installationRepository.summaries(tx, limit),
    );
  }
}

function endpointOf(installation: Installation, subscription: StoredSubscription): WebhookEndpoint {
  const { secret, previousSecret, timestampMeaning, headerConfirmed, headerValue } = subscription;
  return {
    installation,
    secrets: [secret, previousSecret].filter((one) => one !== undefined),
    timestampMeaning,
    key: headerConfirmed ? headerValue : undefined,
  };
}
