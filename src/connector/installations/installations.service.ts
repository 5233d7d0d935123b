import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '../../foundation/database/tenant-database.js';
import type { Tx } from '../../foundation/database/transaction.js';
import type { CompanyId, InstallationId } from '../../kernel/ids.js';
import type { PlatformAuthorization } from '../platform/platform-http.js';
import { CareForSubscription } from './subscription/care-for-subscription.js';
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
import { countCare } from './installations.metrics.js';
import { LinkErpCompany, type ErpCompanyLink } from './connect/link-erp-company.js';
import { PlatformAccess } from './credentials/platform-access.js';
import { RewrapKeys } from './credentials/rewrap-keys.js';
import { SubscriptionRepository, type StoredSubscription } from './subscription/subscription.repository.js';
import { Uninstall } from './uninstall/uninstall.js';

export type { DataKey } from './credentials/data-key.js';
export type { ErpCompanyLink } from './connect/link-erp-company.js';

/** From here on a webhook may have come in vain; its next attempt is minutes or hours away. */
const LONGEST_INTAKE_GAP_SECONDS = 30;
/** Leaves half a minute of the two for the queue and the request budget. */
const POLL_ALL_WITHIN_SECONDS = 90;

/** After as long an outage the platform may have given our address up. */
const LONG_INTAKE_GAP_SECONDS = 600;
const CARE_FOR_ALL_WITHIN_SECONDS = 900;
/** As long as an uninstalling tells the platform: before, the one that is at it destroys the key itself. */
const LEFTOVER_AFTER_SECONDS = 16;
/** Most interrupted uninstallings that one run ends. */
const LEFTOVERS = 100;

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
    private readonly database: TenantDatabase,
    private readonly installations: InstallationRepository,
    private readonly subscriptions: SubscriptionRepository,
    private readonly access: PlatformAccess,
    private readonly finish: FinishConnection,
    private readonly care: CareForSubscription,
    private readonly dataKeys: DataKeyRepository,
    private readonly rewrap: RewrapKeys,
    private readonly uninstalling: Uninstall,
    private readonly attempts: ConnectionAttemptRepository,
    private readonly linking: LinkErpCompany,
  ) {}

  async find(installationId: InstallationId): Promise<Installation | undefined> {
    return this.database.inInstallation('find installation', installationId, (tx) =>
      this.installations.find(tx, installationId),
    );
  }

  /** @returns undefined for an address that belongs to nobody; without secrets for one of an uninstalled installation */
  async findWebhookEndpoint(endpointToken: string): Promise<WebhookEndpoint | undefined> {
    const installationId = await this.database.acrossInstallations('find webhook endpoint', (tx) =>
      this.subscriptions.findInstallationByEndpoint(tx, endpointToken),
    );
    if (installationId === undefined) {
      return undefined;
    }
    return this.database.inInstallation('load webhook endpoint', installationId, async (tx) => {
      const installation = await this.installations.find(tx, installationId);
      if (installation === undefined || installation.state === 'uninstalled') {
        return installation && { installation, secrets: [], timestampMeaning: 'attempt', key: undefined };
      }
      const subscription = await this.subscriptions.find(tx, installationId);
      return subscription && endpointOf(installation, subscription);
    });
  }

  /** Over all tenants: whose a company is that some living installation connects; null where we were never told. */
  async organizationOf(companyId: CompanyId): Promise<string | null | undefined> {
    return this.database.acrossInstallations('find company', (tx) =>
      this.installations.findOrganizationOf(tx, companyId),
    );
  }

  /** In the caller's transaction: what seals and opens the installation's secrets, one column of one table each. */
  async dataKeyOf(tx: Tx, installationId: InstallationId): Promise<DataKey> {
    return this.dataKeys.findOrCreate(tx, installationId);
  }

  /** In the caller's transaction: uninstalling waits for it. @returns whether it is there and not uninstalled */
  async holdLiving(tx: Tx, installationId: InstallationId): Promise<boolean> {
    return this.installations.holdLiving(tx, installationId);
  }

  /**
   * Access tokens for the platform client, refreshed as needed.
   * @param asker whose share of the request budget is used
   */
  authorization(
    installationId: InstallationId,
    asker: 'connector' | 'long-exports' = 'connector',
  ): PlatformAuthorization {
    return { ...this.access.of(installationId), asker };
  }

  /** As `authorization`, for requests that somebody waits for: they have a share of the budget, and no more. */
  authorizationForPeople(installationId: InstallationId): PlatformAuthorization {
    return { ...this.access.of(installationId), asker: 'people' };
  }

  /** @throws ErpUnavailable; for an admin also what keeps the platform from being asked */
  async linkErpCompany(
    installationId: InstallationId,
    erpCompanyId: string,
    by: 'admin' | 'operator',
  ): Promise<ErpCompanyLink> {
    return this.linking.run(installationId, erpCompanyId, by);
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

  /**
   * Does what is left of connecting: ERP company, subscription, activation. Repeatable; each step looks before it acts.
   * @throws what the platform or the ERP throws; the steps that are done stay done
   */
  async finishConnection(installationId: InstallationId): Promise<void> {
    await this.finish.run(installationId);
  }

  /** Makes the platform's subscription what we want it to be. */
  async careForSubscription(installationId: InstallationId): Promise<void> {
    try {
      await this.care.run(installationId);
      countCare('done');
    } catch (error) {
      countCare('failed');
      throw error;
    }
  }

  /** Takes at most `limit` installations whose subscription has to be looked after. */
  async takeCareDue(limit: number): Promise<readonly InstallationId[]> {
    return this.database.acrossInstallations('take subscriptions due', (tx) =>
      this.subscriptions.takeCareDue(tx, limit),
    );
  }

  /**
   * Brings every data key under the first key of the ring, and ends what interrupted uninstallings left. What waits for a
   * person to pick a company is forgotten when nobody did in time.
   */
  async careForKeys(stopping: AbortSignal): Promise<void> {
    await this.database.withoutInstallation('forget abandoned attempts', (tx) =>
      this.attempts.forgetAbandoned(tx),
    );
    const leftovers = await this.database.acrossInstallations('find leftover data keys', (tx) =>
      this.dataKeys.findLeftover(tx, LEFTOVER_AFTER_SECONDS, LEFTOVERS),
    );
    for (const installationId of leftovers) {
      await this.uninstalling.finish(installationId);
    }
    await this.rewrap.run(stopping);
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
      if (gap !== undefined && gap > LONG_INTAKE_GAP_SECONDS) {
        await this.subscriptions.careForAllWithin(tx, CARE_FOR_ALL_WITHIN_SECONDS);
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

function endpointOf(installation: Installation, subscription: StoredSubscription): WebhookEndpoint {
  const { secret, previousSecret, timestampMeaning, headerConfirmed, headerValue } = subscription;
  return {
    installation,
    secrets: [secret, previousSecret].filter((one) => one !== undefined),
    timestampMeaning,
    key: headerConfirmed ? headerValue : undefined,
  };
}
