import { Module } from '@nestjs/common';
import { BeginConnection } from './begin-connection.js';
import { CompleteConnection } from './complete-connection.js';
import { ConnectController } from './connect.controller.js';
import { ConnectWithApiKey } from './connect-with-api-key.js';
import { ConnectionService } from './connection.service.js';
import { ConnectionAttemptRepository } from './connection-attempt.repository.js';
import { CredentialRepository } from './credential.repository.js';
import { DataKeyRepository } from './data-key.repository.js';
import { ExportKeptData } from './export-kept-data.js';
import { FinishConnection } from './finish-connection.js';
import { InstallationRepository } from './installation.repository.js';
import { InstallationsService } from './installations.service.js';
import { KeptDataRepository } from './kept-data.repository.js';
import { PlatformAccess } from './platform-access.js';
import { CareForSubscription } from './care-for-subscription.js';
import { RewrapKeys } from './rewrap-keys.js';
import { StoreConnection } from './store-connection.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { Uninstall } from './uninstall.js';

@Module({
  controllers: [ConnectController],
  providers: [
    BeginConnection,
    CompleteConnection,
    StoreConnection,
    FinishConnection,
    CareForSubscription,
    ConnectWithApiKey,
    Uninstall,
    RewrapKeys,
    ExportKeptData,
    PlatformAccess,
    DataKeyRepository,
    KeptDataRepository,
    InstallationRepository,
    CredentialRepository,
    SubscriptionRepository,
    ConnectionAttemptRepository,
    InstallationsService,
    ConnectionService,
  ],
  exports: [InstallationsService, ConnectionService],
})
export class InstallationsModule {}
