import { Injectable } from '@nestjs/common';
import { Database } from '../../../foundation/database/database.js';
import type { SimulatorSettings } from './simulator-settings.js';
import { SimulatorStateRepository } from './simulator-state.repository.js';

/** Reads the settings in a transaction of its own. */
@Injectable()
export class SettingsReader {
  constructor(
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly database: Database,
  ) {}

  async read(): Promise<SimulatorSettings> {
    return this.database.inTransaction('read settings', (tx) => this.simulatorStateRepository.readSettings(tx));
  }
}
