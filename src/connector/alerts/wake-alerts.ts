import { Injectable } from '@nestjs/common';
import { WakeDue } from '../runs/wake-due.js';
import { AlertSettingRepository } from './alert-setting.repository.js';
import { raiseAlertsTask } from './alerts.tasks.js';

@Injectable()
export class WakeAlerts {
  constructor(
    private readonly alertSettingRepository: AlertSettingRepository,
    private readonly wakeDue: WakeDue,
  ) {}

  /** Wakes a worker for each installation with alerts switched on whose next check is due. */
  async wake(): Promise<void> {
    await this.wakeDue.wakeInstallations(
      'alerts',
      (tx, limit) => this.alertSettingRepository.claimDue(tx, limit),
      raiseAlertsTask,
    );
  }
}
