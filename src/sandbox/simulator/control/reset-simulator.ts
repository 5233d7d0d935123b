import { Injectable } from '@nestjs/common';
import { sqlState } from '../../../foundation/database/database-error.js';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { RequestLog } from '../request-log/request-log.js';
import { LoadState } from './load-state.js';
import { RequestGate } from './request-gate.plugin.js';

/** SQLSTATE `lock_not_available`. */
const LOCK_TIMEOUT = '55P03';
const MAX_TRIES = 50;

/** Brings the simulator back into the state of its configuration. */
@Injectable()
export class ResetSimulator {
  constructor(
    private readonly loadState: LoadState,
    private readonly requestLog: RequestLog,
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly database: Database,
    private readonly requestGate: RequestGate,
  ) {}

  /**
   * Drops everything that came through the API or the control, while no request is under way; the keys of the authorization
   * server stay.
   */
  async reset(): Promise<void> {
    await this.requestGate.alone(async () => {
      await this.requestLog.settled();
      await this.dropAll(MAX_TRIES);
      await this.loadState.load();
    });
  }

  /**
   * Dropping locks every table, one after the other, and work in the background holds some of them. It gives way before the database
   * looks for a deadlock and has one of both fail.
   */
  private async dropAll(triesLeft: number): Promise<void> {
    try {
      await this.database.inTransaction('drop all', (tx) => this.simulatorStateRepository.dropAll(tx));
    } catch (error) {
      if (sqlState(error) !== LOCK_TIMEOUT || triesLeft === 1) {
        throw error;
      }
      await this.dropAll(triesLeft - 1);
    }
  }
}
