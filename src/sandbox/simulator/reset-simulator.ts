import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { sqlState } from '../../foundation/database/database-error.js';
import { Database } from '../../foundation/database/database.js';
import { RequestBudget } from './access/request-budget.js';
import { OAuthClientRepository } from './authorization/oauth-client.repository.js';
import { PLATFORM_SCOPES } from './authorization/scopes.js';
import { SimulatorClock } from './clock/simulator-clock.js';
import { SimulatorStateRepository } from './clock/simulator-state.repository.js';
import { FailureSwitches } from './failures/failure-switches.js';
import { RequestLog } from './request-log/request-log.js';
import { SimulatorConfig } from './simulator-config.js';

/** SQLSTATE `deadlock_detected`. */
const DEADLOCK = '40P01';
const MAX_TRIES = 5;

/** Puts the simulator into the state of its configuration. */
@Injectable()
export class ResetSimulator {
  constructor(
    private readonly simulatorConfig: SimulatorConfig,
    private readonly database: Database,
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly oAuthClientRepository: OAuthClientRepository,
    private readonly simulatorClock: SimulatorClock,
    private readonly failureSwitches: FailureSwitches,
    private readonly requestBudget: RequestBudget,
    private readonly requestLog: RequestLog,
  ) {}

  /** Drops everything anybody did through the API or the control; the keys of the authorization server stay. */
  async reset(): Promise<void> {
    await this.requestLog.settled();
    await this.dropAll(MAX_TRIES);
    await this.loadState();
  }

  /** Dropping wants every table, so it can end in a deadlock with a request or an attempt that is under way. */
  private async dropAll(triesLeft: number): Promise<void> {
    try {
      await this.database.inTransaction('drop all', (tx) => this.simulatorStateRepository.dropAll(tx));
    } catch (error) {
      if (sqlState(error) !== DEADLOCK || triesLeft === 1) {
        throw error;
      }
      await this.dropAll(triesLeft - 1);
    }
  }

  /** Takes over what the database keeps, and registers the configured client. */
  async loadState(): Promise<void> {
    await this.simulatorClock.load();
    await this.failureSwitches.load();
    const { requestsPerMinute } = await this.database.inTransaction('load settings', (tx) =>
      this.simulatorStateRepository.readSettings(tx),
    );
    this.requestBudget.setPerMinute(requestsPerMinute);
    const { clientId, clientSecret, redirectUris } = this.simulatorConfig.client;
    const client = {
      clientId,
      applicationId: randomUUID(),
      clientSecret: clientSecret.reveal(),
      name: 'ERP export connector',
      redirectUris,
      scopes: PLATFORM_SCOPES,
    };
    await this.database.inTransaction('register configured client', (tx) =>
      this.oAuthClientRepository.register(tx, client, this.simulatorClock.now()),
    );
  }
}
