import { Module } from '@nestjs/common';
import { RunsModule } from '../runs/runs.module.js';
import { AccessModule } from '../access/access.module.js';
import { AttemptCookie } from './connect/attempt-cookie.js';
import { AuthorizationResponses } from './connect/authorization-responses.js';
import { BeginAuthorization } from './connect/begin-authorization.js';
import { CompleteAuthorization } from './connect/complete-authorization.js';
import { CompleteConnection } from './connect/complete-connection.js';
import { CompleteSignIn } from './connect/complete-sign-in.js';
import { ConnectController } from './connect/connect.controller.js';
import { ConnectWithApiKey } from './connect/connect-with-api-key.js';
import { ConnectionAttemptRepository } from './connect/connection-attempt.repository.js';
import { CredentialRepository } from './credentials/credential.repository.js';
import { DataKeyRepository } from './credentials/data-key.repository.js';
import { ExportInstallationData } from './uninstall/export-installation-data.js';
import { FirstAdmin } from './connect/first-admin.js';
import { FinishConnection } from './connect/finish-connection.js';
import { ConnectionReader } from './connect/connection.reader.js';
import { ResealValues } from './credentials/reseal-values.js';
import { RotateKeys } from './credentials/rotate-keys.js';
import { InstallationReader } from './installation.reader.js';
import { RecordIntake } from './record-intake.js';
import { ChangeSubscription } from './subscription/change-subscription.js';
import { RecentEndpoints } from './subscription/recent-endpoints.js';
import { SubscriptionReader } from './subscription/subscription.reader.js';
import { InstallationRepository } from './installation.repository.js';
import { PlatformAccess } from './credentials/platform-access.js';
import { MaintainSubscription } from './subscription/maintain-subscription.js';
import { RewrapKeys } from './credentials/rewrap-keys.js';
import { StoreConnection } from './connect/store-connection.js';
import { WakeSubscriptionMaintenance } from './subscription/wake-subscription-maintenance.js';
import { SubscriptionRepository } from './subscription/subscription.repository.js';
import { PlatformRegistration } from './connect/platform-registration.js';
import { RemoveFromPlatform } from './uninstall/remove-from-platform.js';
import { Uninstall } from './uninstall/uninstall.js';

/** What other rooms may inject. */
const shared = [
  BeginAuthorization,
  FinishConnection,
  FirstAdmin,
  MaintainSubscription,
  WakeSubscriptionMaintenance,
  ConnectWithApiKey,
  Uninstall,
  ExportInstallationData,
  PlatformAccess,
  DataKeyRepository,
  InstallationRepository,
  CredentialRepository,
  SubscriptionRepository,
  InstallationReader,
  ConnectionReader,
  RecentEndpoints,
  SubscriptionReader,
  ChangeSubscription,
  RecordIntake,
  ResealValues,
  RotateKeys,
];

@Module({
  imports: [RunsModule, AccessModule],
  controllers: [ConnectController],
  providers: [
    ...shared,
    AttemptCookie,
    AuthorizationResponses,
    CompleteAuthorization,
    CompleteConnection,
    CompleteSignIn,
    StoreConnection,
    PlatformRegistration,
    RemoveFromPlatform,
    RewrapKeys,
    ConnectionAttemptRepository,
  ],
  exports: [...shared],
})
export class InstallationsModule {}
