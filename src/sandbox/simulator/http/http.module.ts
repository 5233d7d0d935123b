import { Module } from '@nestjs/common';
import { AuthorizationModule } from '../authorization/authorization.module.js';
import { FailuresModule } from '../failures/failures.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { RequestLogModule } from '../request-log/request-log.module.js';
import { DatePlugin } from './date.plugin.js';
import { FailurePlugin } from './failure.plugin.js';
import { OAuthPlugin } from './oauth.plugin.js';
import { RequestLogPlugin } from './request-log.plugin.js';

/** Hooks and routes beside Nest's; `plugins.ts` registers them in their order. */
@Module({
  imports: [AuthorizationModule, FailuresModule, InstallationsModule, RequestLogModule],
  providers: [DatePlugin, FailurePlugin, OAuthPlugin, RequestLogPlugin],
})
export class HttpModule {}
