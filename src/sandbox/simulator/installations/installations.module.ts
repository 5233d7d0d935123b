import { Module } from '@nestjs/common';
import { OAuthRecordsModule } from '../authorization/oauth-records.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { ChangeInstallation } from './change-installation.js';
import { EndInstallation } from './end-installation.js';
import { InstallationRepository } from './installation.repository.js';
import { InstallationController } from './installation.controller.js';

/** Installations of applications for companies and organizations (P3.6). */
@Module({
  imports: [OAuthRecordsModule, SubscriptionsModule],
  controllers: [InstallationController],
  providers: [ChangeInstallation, EndInstallation, InstallationRepository],
  exports: [ChangeInstallation, EndInstallation, InstallationRepository],
})
export class InstallationsModule {}
