import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Database } from '../../../foundation/database/database.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { OAuthClientRepository, type OAuthClient } from './oauth-client.repository.js';

/** Registers an OAuth client (P3.3). */
@Injectable()
export class RegisterClient {
  constructor(
    private readonly oAuthClientRepository: OAuthClientRepository,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
  ) {}

  /** A client that is registered already gets the new values and keeps its application id. */
  async register(client: Omit<OAuthClient, 'applicationId'>): Promise<OAuthClient> {
    const fresh = { ...client, applicationId: randomUUID() };
    return this.database.inTransaction('register client', (tx) =>
      this.oAuthClientRepository.register(tx, fresh, this.simulatorClock.now()),
    );
  }
}
