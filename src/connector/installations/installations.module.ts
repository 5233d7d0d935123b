import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { AttemptCookie } from './attempt-cookie.js';
import { AuthorisationAnswers } from './authorisation-answers.js';
import { BeginAuthorisation } from './begin-authorisation.js';
import { CompleteAuthorisation } from './complete-authorisation.js';
import { CompleteConnection } from './complete-connection.js';
import { CompleteSignIn } from './complete-sign-in.js';
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
import { LinkErpCompany } from './link-erp-company.js';
import { PlatformAccess } from './platform-access.js';
import { CareForSubscription } from './care-for-subscription.js';
import { RewrapKeys } from './rewrap-keys.js';
import { SignInService } from './sign-in.service.js';
import { StoreConnection } from './store-connection.js';
import { SubscriptionRepository } from './subscription.repository.js';
import { Uninstall } from './uninstall.js';

@Module({
  imports: [AccessModule],
  controllers: [ConnectController],
  providers: [
    AttemptCookie,
    AuthorisationAnswers,
    BeginAuthorisation,
    CompleteAuthorisation,
    CompleteConnection,
    CompleteSignIn,
    SignInService,
    StoreConnection,
    FinishConnection,
    LinkErpCompany,
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
  exports: [InstallationsService, ConnectionService, SignInService],
})
export class InstallationsModule {}
