import { Injectable } from '@nestjs/common';
import { RequestBudget } from '../access/request-budget.js';
import { RegisterClient } from '../authorization/register-client.js';
import { PLATFORM_SCOPES } from '../authorization/scopes.js';
import { SettingsReader } from '../clock/settings.reader.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { FailureSwitches } from '../failures/failure-switches.js';
import { SimulatorConfig } from '../simulator-config.js';

/** Brings the program into the state that the database and the configuration describe. */
@Injectable()
export class LoadState {
  constructor(
    private readonly simulatorConfig: SimulatorConfig,
    private readonly simulatorClock: SimulatorClock,
    private readonly settingsReader: SettingsReader,
    private readonly failureSwitches: FailureSwitches,
    private readonly requestBudget: RequestBudget,
    private readonly registerClient: RegisterClient,
  ) {}

  /** Loads clock, failure switches and settings, and registers the configured client. */
  async load(): Promise<void> {
    await this.simulatorClock.load();
    await this.failureSwitches.load();
    this.requestBudget.setPerMinute((await this.settingsReader.read()).requestsPerMinute);
    const { clientId, clientSecret, redirectUris } = this.simulatorConfig.client;
    await this.registerClient.register({
      clientId,
      clientSecret: clientSecret.reveal(),
      name: 'ERP export connector',
      redirectUris,
      scopes: PLATFORM_SCOPES,
    });
  }
}
