import type { Type } from '@nestjs/common';
import { AlertReader } from '../../../../src/connector/alerts/alert.reader.js';
import { DeleteOldAlerts } from '../../../../src/connector/alerts/delete-old-alerts.js';
import { ProcessDueAlerts } from '../../../../src/connector/alerts/process-due-alerts.js';
import { SaveAlertSettings } from '../../../../src/connector/alerts/save-alert-settings.js';
import { WakeAlerts } from '../../../../src/connector/alerts/wake-alerts.js';

/** The use cases of the room as a test calls them. */
export class AlertUseCases {
  readonly reader: AlertReader;
  readonly saveAlertSettings: SaveAlertSettings;
  readonly processDueAlerts: ProcessDueAlerts;
  readonly wakeAlerts: WakeAlerts;
  readonly deleteOldAlerts: DeleteOldAlerts;

  constructor(app: { get<T>(type: Type<T>): T }) {
    this.reader = app.get(AlertReader);
    this.saveAlertSettings = app.get(SaveAlertSettings);
    this.processDueAlerts = app.get(ProcessDueAlerts);
    this.wakeAlerts = app.get(WakeAlerts);
    this.deleteOldAlerts = app.get(DeleteOldAlerts);
  }
}
