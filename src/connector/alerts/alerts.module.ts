import { Module } from '@nestjs/common';
import { TimeOrderedIds } from '../../foundation/clock/time-ordered-ids.js';
import { Clock } from '../../kernel/clock.js';
import { InstallationsModule } from '../installations/installations.module.js';
import { ReconciliationModule } from '../reconciliation/reconciliation.module.js';
import { RunsModule } from '../runs/runs.module.js';
import { AlertFactsRepository } from './alert-facts.repository.js';
import { AlertRepository } from './alert.repository.js';
import { AlertSettingRepository } from './alert-setting.repository.js';
import { AlertReader } from './alert.reader.js';
import { CallAlertWebhook } from './call-alert-webhook.js';
import { CheckRecipient } from './check-recipient.js';
import { DeleteOldAlerts } from './delete-old-alerts.js';
import { DeliverMessage } from './deliver-message.js';
import { ProcessDueAlerts } from './process-due-alerts.js';
import { RaiseAlerts } from './raise-alerts.js';
import { SaveAlertSettings } from './save-alert-settings.js';
import { SendAlerts } from './send-alerts.js';
import { SendTestAlert } from './send-test-alert.js';
import { WakeAlerts } from './wake-alerts.js';

@Module({
  imports: [RunsModule, InstallationsModule, ReconciliationModule],
  providers: [
    AlertReader,
    CheckRecipient,
    SaveAlertSettings,
    SendTestAlert,
    ProcessDueAlerts,
    WakeAlerts,
    DeleteOldAlerts,
    CallAlertWebhook,
    RaiseAlerts,
    SendAlerts,
    DeliverMessage,
    AlertFactsRepository,
    AlertRepository,
    AlertSettingRepository,
    { provide: TimeOrderedIds, inject: [Clock], useFactory: (clock: Clock) => new TimeOrderedIds(clock) },
  ],
  exports: [AlertReader, SaveAlertSettings, SendTestAlert, ProcessDueAlerts, WakeAlerts, DeleteOldAlerts],
})
export class AlertsModule {}
