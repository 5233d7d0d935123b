import { Module } from '@nestjs/common';
import { AuthorizationModule } from '../authorization/authorization.module.js';
import { AuthenticateCaller } from './authenticate-caller.js';
import { CallerRepository } from './caller.repository.js';
import { ControlGuard } from './control.guard.js';
import { CreateApiKey } from './create-api-key.js';
import { PlatformAccessGuard } from './platform-access.guard.js';
import { RequestBudget } from './request-budget.js';
import { IntrospectController } from './introspect.controller.js';

/** Who calls: access tokens, API keys, scopes, request budgets (P3). */
@Module({
  imports: [AuthorizationModule],
  controllers: [IntrospectController],
  providers: [AuthenticateCaller, CallerRepository, ControlGuard, CreateApiKey, PlatformAccessGuard, RequestBudget],
  exports: [ControlGuard, CreateApiKey, PlatformAccessGuard, RequestBudget],
})
export class AccessModule {}
