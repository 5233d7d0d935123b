import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../foundation/database/database.js';
import { OAuthClientRepository } from './authorization/oauth-client.repository.js';
import { PLATFORM_SCOPES } from './authorization/scopes.js';
import { SimulatorClock } from './clock/simulator-clock.js';
import { SimulatorStateRepository } from './clock/simulator-state.repository.js';
import { FailureSwitches } from './failures/failure-switches.js';
import { SimulatorConfig } from './simulator-config.js';

/** Puts the simulator into the state of its configuration. */
@Injectable()
export class ResetSimulator {
  constructor(
    private readonly config: SimulatorConfig,
    private readonly database: Database,
    private readonly states: SimulatorStateRepository,
    private readonly clients: OAuthClientRepository,
    private readonly clock: SimulatorClock,
    private readonly failures: FailureSwitches,
  ) {}

  /** Drops everything anybody did through the API or the control; the keys of the authorization server stay. */
  async reset(): Promise<void> {
    await this.database.inTransaction('drop all', (tx) => this.states.dropAll(tx));
    await this.loadState();
  }

  /** Takes over what the database keeps, and registers the configured client. */
  async loadState(): Promise<void> {
    await this.clock.load();
    await this.failures.load();
    const { clientId, clientSecret, redirectUris } = this.config.client;
    const client = {
      clientId,
      applicationId: randomUUID(),
      clientSecret: clientSecret.reveal(),
      name: 'ERP export connector',
      redirectUris,
      scopes: PLATFORM_SCOPES,
    };
    await this.database.inTransaction('register configured client', (tx) =>
      this.clients.register(tx, client, this.clock.now()),
    );
  }
}
