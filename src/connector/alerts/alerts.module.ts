import { Module } from '@nestjs/common';
import { TimeOrderedIds } from '../../foundation/clock/time-ordered-ids.js';
import { Clock } from '../../kernel/clock.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { AlertFactsRepository } from './alert-facts.repository.js';
import { AlertRepository } from './alert.repository.js';
import { AlertSettingRepository } from './alert-setting.repository.js';
import { AlertsService } from './alerts.service.js';
import { DeliverMessage } from './deliver-message.js';
import { RaiseAlerts } from './raise-alerts.js';
import { SaveAlertSettings } from './save-alert-settings.js';
import { SendAlerts } from './send-alerts.js';

@Module({
  imports: [RunsModule, InstallationsModule, ReconciliationModule],
  providers: [
    AlertsService,
    SaveAlertSettings,
    RaiseAlerts,
    SendAlerts,
    DeliverMessage,
    AlertFactsRepository,
    AlertRepository,
    AlertSettingRepository,
    { provide: TimeOrderedIds, inject: [Clock], useFactory: (clock: Clock) => new TimeOrderedIds(clock) },
  ],
  exports: [AlertsService],
})
export class AlertsModule {}
