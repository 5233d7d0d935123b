import { Injectable } from '@nestjs/common';
import { WakeDue } from '../../runs/wake-due.js';
import { maintainSubscriptionTask } from '../installations.tasks.js';
import { SubscriptionRepository } from './subscription.repository.js';

/** Most subscriptions of one tick: three requests each, which leaves request budget for the exports. */
const MAINTENANCE_LIMIT = 20;

@Injectable()
export class WakeSubscriptionMaintenance {
  constructor(
    private readonly subscriptionRepository: SubscriptionRepository,
    private readonly wakeDue: WakeDue,
  ) {}

  /** Wakes a worker for each installation whose subscription is due for maintenance. */
  async wakeDueInstallations(): Promise<void> {
    await this.wakeDue.wakeInstallations(
      'subscriptions',
      (tx, limit) => this.subscriptionRepository.claimMaintenanceDue(tx, limit),
      maintainSubscriptionTask,
      MAINTENANCE_LIMIT,
    );
  }
}
