import { Injectable } from '@nestjs/common';
import { SettingsReader } from '../clock/settings.reader.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { WebhookSwitches } from '../deliveries/webhook-switches.js';
import { FailureSwitches } from '../failures/failure-switches.js';
import type { FailuresView } from './views/failures.page.js';

/** Reads the contents of the page with clock, settings and failures. */
@Injectable()
export class LoadFailuresView {
  constructor(
    private readonly settingsReader: SettingsReader,
    private readonly webhookSwitches: WebhookSwitches,
    private readonly failureSwitches: FailureSwitches,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  async loadView(): Promise<Omit<FailuresView, 'visitor' | 'notice'>> {
    return {
      settings: await this.settingsReader.read(),
      webhookFailures: await this.webhookSwitches.all(),
      now: this.simulatorClock.now(),
      offsetSeconds: this.simulatorClock.offsetSeconds,
      failures: this.failureSwitches.all(),
    };
  }
}
