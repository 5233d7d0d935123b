import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { newSigningSecret } from './signing-secret.js';
import { subscriptionNotFound } from './subscription.reader.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** Replaces the secret that signs a subscription's notifications. */
@Injectable()
export class RotateSecret {
  constructor(
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /**
   * @param overlapSeconds how long the previous secret signs as well
   * @throws ApiError 404 for an unknown or deleted subscription
   */
  async rotate(id: string, overlapSeconds: number) {
    const secret = newSigningSecret();
    const previousSecretUntil = new Date(this.simulatorClock.now().getTime() + overlapSeconds * 1000);
    const isRotated = await this.database.inTransaction('rotate secret', (tx) =>
      this.subscriptionRepository.rotateSecret(tx, id, secret, previousSecretUntil),
    );
    if (!isRotated) {
      throw subscriptionNotFound();
    }
    return { secretKey: secret, previousSecretUntil };
  }
}
