// The platform is to have exactly one subscription, at our address, with our header, in the wanted status, and its secret
// stored here. Each step reads the state before it acts, so it can be repeated from any point, daily and after any crash.
import { Injectable } from '@nestjs/common';
import { newSecretText } from '../../../foundation/crypto/secret-text.js';
import { TenantDatabase } from '../../../foundation/database/tenant-database.js';
import { Retryable } from '../../../kernel/faults.js';
import type { InstallationId } from '../../../kernel/ids.js';
import { PlatformApi, type SubscriptionRequest } from '../../platform/platform-api.js';
import { InvalidPlatformResponse, PlatformRefusal } from '../../platform/platform-error.js';
import type { PlatformAuthorization } from '../../platform/platform-http.js';
import type { PlatformSubscription } from '../../platform/platform.schema.js';
import { newEndpointToken } from './endpoint-token.js';
import { InstallationRepository } from '../installation.repository.js';
import { countSubscriptionMaintenance } from '../installations.metrics.js';
import { PlatformAccess } from '../credentials/platform-access.js';
import { PublicAddress } from '../public-address.js';
import { SubscriptionRepository, type StoredSubscription } from './subscription.repository.js';
import { WEBHOOK_KEY_HEADER } from '../domain/webhook-key-header.js';

/** Required. */
const EXPORT_JOB_CREATED = 'v1.export-job.created';
/** Optional: the platform refuses it without the scope to read vendors. */
const VENDOR_CREATED = 'v1.vendor.created';
/** Responses to a subscription to an event for which the scope is missing, or which the platform does not know. */
const NOT_ALLOWED: ReadonlySet<number> = new Set([400, 403, 422]);
/** `whsec_` and the Base64 of 24 to 64 bytes (Standard Webhooks 1.0.0); 16 bytes and more are accepted. */
const SECRET = /^whsec_[A-Za-z0-9+/]{22,}={0,2}$/;
const HEADER_BYTES = 24;
/** The task and the schedule may come together; more than two runs at once do not happen by themselves. */
const MAX_TRIES = 3;

@Injectable()
export class MaintainSubscription {
  constructor(
    private readonly tenantDatabase: TenantDatabase,
    private readonly installationRepository: InstallationRepository,
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly platformApi: PlatformApi,
    private readonly platformAccess: PlatformAccess,
    private readonly publicAddress: PublicAddress,
  ) {}

  /** The task: as `ensure`, counted in `connector_subscription_maintenance_total`. */
  async maintain(installationId: InstallationId): Promise<void> {
    try {
      await this.ensure(installationId);
      countSubscriptionMaintenance('done');
    } catch (error) {
      countSubscriptionMaintenance('failed');
      throw error;
    }
  }

  /**
   * Does nothing for an installation that is neither authorized nor active. Of two runs at the same time the one that comes
   * second to confirm looks again, and deletes what it has created.
   * @throws PlatformRefusal, InvalidPlatformResponse, NoResponse, AuthorizationLost or Retryable; the steps done so far stay done
   */
  async ensure(installationId: InstallationId): Promise<void> {
    for (let tried = 1; tried <= MAX_TRIES; tried += 1) {
      const wanted = await this.reserve(installationId);
      if (wanted === undefined || (await this.bringAbout(installationId, wanted))) {
        return;
      }
    }
    throw new Retryable('other runs have changed the subscription at the same time');
  }

  /** @returns false when another run has replaced or deleted the subscription meanwhile, or another status is wanted */
  private async bringAbout(installationId: InstallationId, wanted: StoredSubscription): Promise<boolean> {
    const auth = this.platformAccess.authorizationFor(installationId);
    const endpointUrl = this.publicAddress.webhook(wanted.endpointToken);
    const request = {
      endpointUrl,
      eventTypes: [EXPORT_JOB_CREATED, VENDOR_CREATED],
      status: wanted.wantedStatus,
      customHeaders: { [WEBHOOK_KEY_HEADER]: wanted.headerValue ?? '' },
    };
    const before = await this.listStanding(auth);
    // Our address is unique, so it also finds a subscription that an interrupted run created.
    const here = before.filter((one) => one.endpointUrl === endpointUrl);
    const known = ownSubscription(here, wanted);
    const subscription = await this.ensureSubscription(auth, known, request);
    const secret = (await this.secretOf(auth, subscription.id)) ?? storedSecret(subscription, wanted);
    if (secret === undefined) {
      await this.platformApi.deleteSubscription(auth, subscription.id);
      return false;
    }
    if (!SECRET.test(secret)) {
      throw new InvalidPlatformResponse('the platform sent a signing secret that cannot verify a message');
    }
    const isConfirmed = await this.tenantDatabase.inInstallation('confirm subscription', installationId, (tx) =>
      this.subscriptionRepository.confirm(tx, installationId, subscription.id, secret, wanted),
    );
    if (!isConfirmed) {
      return false;
    }
    // A request that the network has delivered twice created two.
    const listed = known === undefined ? await this.listStanding(auth) : before;
    for (const { id } of await this.findSuperfluous(listed, subscription.id, endpointUrl)) {
      await this.platformApi.deleteSubscription(auth, id);
    }
    await this.tenantDatabase.inInstallation('subscription maintained', installationId, (tx) =>
      this.subscriptionRepository.markMaintained(tx, installationId, subscription.status, wanted),
    );
    return true;
  }

  private async listStanding(auth: PlatformAuthorization): Promise<readonly PlatformSubscription[]> {
    return (await this.platformApi.listSubscriptions(auth)).filter((one) => one.deletedAt == null);
  }

  /**
   * No body is declared for this 404 (P0.4), so that any counts.
   * @returns undefined when another run has deleted the subscription meanwhile, or the platform shows a secret once only
   */
  private async secretOf(auth: PlatformAuthorization, subscriptionId: string): Promise<string | undefined> {
    try {
      return await this.platformApi.getSubscriptionSecret(auth, subscriptionId);
    } catch (error) {
      if (error instanceof PlatformRefusal && error.status === 404) {
        return undefined;
      }
      throw error;
    }
  }

  /** Stores the address and the header's value before they are sent to the platform. */
  private async reserve(installationId: InstallationId): Promise<StoredSubscription | undefined> {
    return this.tenantDatabase.inInstallation('reserve endpoint', installationId, async (tx) => {
      const state = (await this.installationRepository.find(tx, installationId))?.state;
      if (state !== 'authorized' && state !== 'active') {
        return undefined;
      }
      await this.subscriptionRepository.reserve(tx, installationId, newEndpointToken());
      const header = newSecretText(HEADER_BYTES);
      await this.subscriptionRepository.reserveHeader(tx, installationId, header);
      return this.subscriptionRepository.find(tx, installationId);
    });
  }

  private async ensureSubscription(
    auth: PlatformAuthorization,
    known: PlatformSubscription | undefined,
    request: SubscriptionRequest,
  ): Promise<PlatformSubscription> {
    try {
      return await this.createOrUpdate(auth, known, request);
    } catch (error) {
      if (!(error instanceof PlatformRefusal && NOT_ALLOWED.has(error.status))) {
        throw error;
      }
      return this.createOrUpdate(auth, known, { ...request, eventTypes: [EXPORT_JOB_CREATED] });
    }
  }

  private async createOrUpdate(
    auth: PlatformAuthorization,
    known: PlatformSubscription | undefined,
    request: SubscriptionRequest,
  ): Promise<PlatformSubscription> {
    return known === undefined
      ? this.platformApi.createSubscription(auth, request)
      : this.platformApi.updateSubscription(auth, known.id, request);
  }

  /**
   * Duplicates at our address, and subscriptions at an address of ours that belongs to no installation any more. Never
   * those of another host or of another installation of the same organization.
   */
  private async findSuperfluous(
    listed: readonly PlatformSubscription[],
    keep: string,
    endpointUrl: string,
  ): Promise<readonly PlatformSubscription[]> {
    const superfluous: PlatformSubscription[] = [];
    for (const one of listed.filter(({ id }) => id !== keep)) {
      const token = this.publicAddress.endpointTokenOf(one.endpointUrl);
      if (one.endpointUrl === endpointUrl || (token !== undefined && !(await this.hasOwner(token)))) {
        superfluous.push(one);
      }
    }
    return superfluous;
  }

  private async hasOwner(endpointToken: string): Promise<boolean> {
    const owner = await this.tenantDatabase.acrossInstallations('find endpoint owner', (tx) =>
      this.subscriptionRepository.findInstallationByEndpoint(tx, endpointToken),
    );
    return owner !== undefined;
  }
}

/** Of the subscription that is ours already; of another one at our address, the secret was shown to a run that has not stored it. */
function storedSecret({ id }: PlatformSubscription, wanted: StoredSubscription): string | undefined {
  return id.toLowerCase() === wanted.platformSubscriptionId ? wanted.secret : undefined;
}

/**
 * The subscription to keep. The platform has no call that changes a secret, so a rotation creates a second subscription at
 * the same address and deletes the first.
 */
function ownSubscription(
  here: readonly PlatformSubscription[],
  wanted: StoredSubscription,
): PlatformSubscription | undefined {
  const isKnown = (one: PlatformSubscription) => one.id.toLowerCase() === wanted.platformSubscriptionId;
  return wanted.rotationRequested ? here.find((one) => !isKnown(one)) : (here.find(isKnown) ?? here[0]);
}
