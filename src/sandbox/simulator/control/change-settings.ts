import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import { RequestBudget } from '../access/request-budget.js';
import { parseBody } from '../wire/parse-request.js';
import { settingsSchema, type SimulatorSettings } from '../clock/simulator-settings.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';

@Injectable()
export class ChangeSettings {
  constructor(
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly requestBudget: RequestBudget,
    private readonly database: Database,
  ) {}

  /**
   * @param given settings by name; those left out stay
   * @returns all settings after the change
   * @throws ApiError 400 for a value that a setting does not have; nothing is changed then
   */
  async change(given: Readonly<Record<string, unknown>>): Promise<SimulatorSettings> {
    const changed = await this.database.inTransaction('change settings', async (tx) => {
      const whole = parseBody(settingsSchema, {
        ...(await this.simulatorStateRepository.readSettings(tx)),
        ...given,
      });
      await this.simulatorStateRepository.writeSettings(tx, whole);
      return whole;
    });
    this.requestBudget.setPerMinute(changed.requestsPerMinute);
    return changed;
  }
}
