import { Module, type DynamicModule } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { KnownRoutes } from '../../foundation/http/plugins/known-routes.plugin.js';
import { requestValidation } from '../../foundation/http/validation.js';
import type { Logger } from '../../foundation/logging/logger.js';
import { AccessGuard } from './access/access.guard.js';
import { AccessModule } from './access/access.module.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuthorizationModule } from './authorization/authorization.module.js';
import { BackgroundModule } from './background/background.module.js';
import { ClockModule } from './clock/clock.module.js';
import { CompaniesModule } from './companies/companies.module.js';
import { ControlModule } from './control/control.module.js';
import { DeliveriesModule } from './deliveries/deliveries.module.js';
import { EmployeesModule } from './employees/employees.module.js';
import { ExportsModule } from './exports/exports.module.js';
import { FailuresModule } from './failures/failures.module.js';
import { FilesModule } from './files/files.module.js';
import { HttpModule } from './http/http.module.js';
import { InstallationsModule } from './installations/installations.module.js';
import { PageModule } from './page/page.module.js';
import { RequestLogModule } from './request-log/request-log.module.js';
import { SubscriptionsModule } from './subscriptions/subscriptions.module.js';
import { TagsModule } from './tags/tags.module.js';
import { TaxCodesModule } from './tax-codes/tax-codes.module.js';
import { VendorsModule } from './vendors/vendors.module.js';
import { RuntimeModule } from './runtime.module.js';
import type { SimulatorConfig } from './simulator-config.js';
import { SimulatorLifecycle } from './simulator-lifecycle.js';
import { ExceptionInfoFilter } from './wire/exception-info.filter.js';

const FEATURES = [
  AccessModule,
  AccountsModule,
  AuthorizationModule,
  BackgroundModule,
  ClockModule,
  CompaniesModule,
  ControlModule,
  DeliveriesModule,
  EmployeesModule,
  ExportsModule,
  FailuresModule,
  FilesModule,
  HttpModule,
  InstallationsModule,
  PageModule,
  RequestLogModule,
  SubscriptionsModule,
  TagsModule,
  TaxCodesModule,
  VendorsModule,
];

/** The platform's Integration API as a server: features, and what holds for every route. */
@Module({})
export class SimulatorModule {
  static register(config: SimulatorConfig, logger: Logger): DynamicModule {
    return {
      module: SimulatorModule,
      imports: [RuntimeModule.register(config, logger), ...FEATURES],
      providers: [
        SimulatorLifecycle,
        { provide: KnownRoutes, useFactory: () => new KnownRoutes('/openapi.json') },
        { provide: APP_FILTER, useClass: ExceptionInfoFilter },
        { provide: APP_PIPE, useFactory: requestValidation },
        { provide: APP_GUARD, useClass: AccessGuard },
      ],
    };
  }
}
