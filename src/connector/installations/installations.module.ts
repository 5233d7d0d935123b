import { Module } from '@nestjs/common';
import { BeginConnection } from './begin-connection.js';
import { CompleteConnection } from './complete-connection.js';
import { ConnectController } from './connect.controller.js';
import { ConnectionAttemptRepository } from './connection-attempt.repository.js';
import { CredentialRepository } from './credential.repository.js';
import { FinishConnection } from './finish-connection.js';
import { InstallationRepository } from './installation.repository.js';
import { InstallationsService } from './installations.service.js';
import { PlatformAccess } from './platform-access.js';
import { SetUpSubscription } from './set-up-subscription.js';
import { StoreConnection } from './store-connection.js';
import { SubscriptionRepository } from './subscription.repository.js';

@Module({
  controllers: [ConnectController],
  providers: [
    BeginConnection,
    CompleteConnection,
    StoreConnection,
    FinishConnection,
    SetUpSubscription,
    PlatformAccess,
    InstallationRepository,
    CredentialRepository,
    SubscriptionRepository,
    ConnectionAttemptRepository,
    InstallationsService,
  ],
  exports: [InstallationsService],
})
export class InstallationsModule {}
