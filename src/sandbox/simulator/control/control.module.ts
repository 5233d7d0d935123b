import { Module } from '@nestjs/common';
import { AccessModule } from '../access/access.module.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { AuthorizationModule } from '../authorization/authorization.module.js';
import { CompaniesModule } from '../companies/companies.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EmployeesModule } from '../employees/employees.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { FailuresModule } from '../failures/failures.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { PagingModule } from '../paging/paging.module.js';
import { RequestLogModule } from '../request-log/request-log.module.js';
import { SubscriptionsModule } from '../subscriptions/subscriptions.module.js';
import { TagsModule } from '../tags/tags.module.js';
import { TaxCodesModule } from '../tax-codes/tax-codes.module.js';
import { VendorsModule } from '../vendors/vendors.module.js';
import { ChangeCategories } from './change-categories.js';
import { ChangeSettings } from './change-settings.js';
import { LoadState } from './load-state.js';
import { ReadReferenceData } from './read-reference-data.js';
import { RequestGate } from './request-gate.plugin.js';
import { ResetSimulator } from './reset-simulator.js';
import { SeedReferenceData } from './seed-reference-data.js';
import { SeedTags } from './seed-tags.js';
import { ControlAccessController } from './control-access.controller.js';
import { ControlBehaviorController } from './control-behavior.controller.js';
import { ControlCompanyController } from './control-company.controller.js';
import { ControlDocsController } from './docs/control-docs.controller.js';
import { ControlExportController } from './control-export.controller.js';
import { ControlFileController } from './control-file.controller.js';
import { ControlInstallationController } from './control-installation.controller.js';
import { ControlItemController } from './control-item.controller.js';
import { ControlLogController } from './control-log.controller.js';
import { ControlReferenceController } from './control-reference.controller.js';
import { ControlTagController } from './control-tag.controller.js';
import { ControlWebhookController } from './control-webhook.controller.js';

/** The routes under /control: everything that tests and people need besides the API. */
@Module({
  imports: [
    AccessModule,
    AccountsModule,
    AuthorizationModule,
    CompaniesModule,
    DeliveriesModule,
    EmployeesModule,
    ExportsModule,
    FailuresModule,
    InstallationsModule,
    PagingModule,
    RequestLogModule,
    SubscriptionsModule,
    TagsModule,
    TaxCodesModule,
    VendorsModule,
  ],
  controllers: [
    ControlAccessController,
    ControlBehaviorController,
    ControlCompanyController,
    ControlDocsController,
    ControlExportController,
    ControlFileController,
    ControlInstallationController,
    ControlItemController,
    ControlLogController,
    ControlReferenceController,
    ControlTagController,
    ControlWebhookController,
  ],
  providers: [
    ChangeCategories,
    ChangeSettings,
    LoadState,
    ReadReferenceData,
    RequestGate,
    ResetSimulator,
    SeedReferenceData,
    SeedTags,
  ],
  exports: [ChangeSettings, LoadState],
})
export class ControlModule {}
