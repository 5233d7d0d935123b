import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ExportsModule } from '../exports/exports.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { MappingModule } from '../mapping/mapping.module.js';
import { AccessGuard } from './access.guard.js';
import { ApiTokenRepository } from './api-token.repository.js';
import { JobsController } from './jobs.controller.js';
import { OperatorController } from './operator.controller.js';
import { SettingsController } from './settings.controller.js';

@Module({
  imports: [ExportsModule, InstallationsModule, MappingModule],
  controllers: [JobsController, SettingsController, OperatorController],
  providers: [ApiTokenRepository, { provide: APP_GUARD, useClass: AccessGuard }],
})
export class AdminModule {}
