import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/companies.module.js';
import { ControlModule } from '../control/control.module.js';
import { DeliveriesModule } from '../deliveries/deliveries.module.js';
import { EmployeesModule } from '../employees/employees.module.js';
import { ExportsModule } from '../exports/exports.module.js';
import { FailuresModule } from '../failures/failures.module.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { CreateCompany } from './create-company.js';
import { LoadExportsView } from './load-exports-view.js';
import { LoadFailuresView } from './load-failures-view.js';
import { LoadJobsView } from './load-jobs-view.js';
import { LoadSignInView } from './load-sign-in-view.js';
import { PageActions } from './page-actions.js';
import { PageSession } from './page-session.js';
import { DeliveriesPageController } from './deliveries-page.controller.js';
import { ExpenseActionsController } from './expense-actions.controller.js';
import { ExportActionsController } from './export-actions.controller.js';
import { ExportsPageController } from './exports-page.controller.js';
import { FailuresPageController } from './failures-page.controller.js';
import { SettingsActionsController } from './settings-actions.controller.js';
import { SignInPageController } from './sign-in-page.controller.js';

/** The page of a bookkeeper at `/`. */
@Module({
  imports: [
    CompaniesModule,
    ControlModule,
    DeliveriesModule,
    EmployeesModule,
    ExportsModule,
    FailuresModule,
    InstallationsModule,
  ],
  controllers: [
    DeliveriesPageController,
    ExpenseActionsController,
    ExportActionsController,
    ExportsPageController,
    FailuresPageController,
    SettingsActionsController,
    SignInPageController,
  ],
  providers: [CreateCompany, LoadExportsView, LoadFailuresView, LoadJobsView, LoadSignInView, PageActions, PageSession],
})
export class PageModule {}
