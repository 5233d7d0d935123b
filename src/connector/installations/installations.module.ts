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
import { ConnectionService } from './connection.service.js';
import { ConnectionAttemptRepository } from './connect/connection-attempt.repository.js';
import { CredentialRepository } from './credentials/credential.repository.js';
import { DataKeyRepository } from './credentials/data-key.repository.js';
import { ExportInstallationData } from './uninstall/export-installation-data.js';
import { FinishConnection } from './connect/finish-connection.js';
import { InstallationRepository } from './installation.repository.js';
import { InstallationsService } from './installations.service.js';
import { DataExportRepository } from './uninstall/data-export.repository.js';
import { LinkErpCompany } from './connect/link-erp-company.js';
import { PlatformAccess } from './credentials/platform-access.js';
import { MaintainSubscription } from './subscription/maintain-subscription.js';
import { RewrapKeys } from './credentials/rewrap-keys.js';
import { SignInService } from './connect/sign-in.service.js';
import { StoreConnection } from './connect/store-connection.js';
import { WakeSubscriptionMaintenance } from './subscription/wake-subscription-maintenance.js';
import { SubscriptionRepository } from './subscription/subscription.repository.js';
import { Uninstall } from './uninstall/uninstall.js';

@Module({
  imports: [RunsModule, AccessModule],
  controllers: [ConnectController],
  providers: [
    AttemptCookie,
    AuthorizationResponses,
    BeginAuthorization,
    CompleteAuthorization,
    CompleteConnection,
    CompleteSignIn,
    SignInService,
    StoreConnection,
    FinishConnection,
    LinkErpCompany,
    MaintainSubscription,
    WakeSubscriptionMaintenance,
    ConnectWithApiKey,
    Uninstall,
    RewrapKeys,
    ExportInstallationData,
    PlatformAccess,
    DataKeyRepository,
    DataExportRepository,
    InstallationRepository,
    CredentialRepository,
    SubscriptionRepository,
    ConnectionAttemptRepository,
    InstallationsService,
    ConnectionService,
  ],
  exports: [InstallationsService, ConnectionService, SignInService, FinishConnection],
})
export class InstallationsModule {}
