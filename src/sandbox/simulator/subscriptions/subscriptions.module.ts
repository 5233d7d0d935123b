import { Module } from '@nestjs/common';
import { PagingModule } from '../paging/paging.module.js';
import { ChangeSubscription } from './change-subscription.js';
import { RotateSecret } from './rotate-secret.js';
import { SubscriptionReader } from './subscription.reader.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { SubscriptionController } from './subscription.controller.js';

/** Webhook subscriptions (P2.1). */
@Module({
  imports: [PagingModule],
  controllers: [SubscriptionController],
  providers: [ChangeSubscription, RotateSecret, SubscriptionReader, SubscriptionRepository],
  exports: [RotateSecret, SubscriptionRepository],
})
export class SubscriptionsModule {}
