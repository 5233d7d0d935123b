import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../clock/settings.reader.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import type { DueDelivery } from './delivery.repository.js';
import { composeMessage, type NotificationMessage } from './notification-message.js';

/** Composes a notification as an attempt sends it now. */
@Injectable()
export class ComposeNotification {
  constructor(
    private readonly settingsReader: SettingsReader,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  async compose(delivery: DueDelivery): Promise<NotificationMessage> {
    const now = { system: this.simulatorClock.systemNow(), simulator: this.simulatorClock.now() };
    return composeMessage(delivery, await this.settingsReader.read(), now);
  }
}
