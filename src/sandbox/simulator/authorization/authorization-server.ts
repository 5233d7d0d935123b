import { Injectable } from '@nestjs/common';
import { Provider } from 'oidc-provider';
import { Database } from '../../../foundation/database/database.js';
import { Bug } from '../../../kernel/faults.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorStateRepository } from '../clock/simulator-state.repository.js';
import { SimulatorConfig } from '../simulator-config.js';
import { ConsentRepository } from './consent.repository.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import { OAuthRecordRepository } from './oauth-record.repository.js';
import { providerConfiguration } from './provider-configuration.js';
import { ServerKeyStore } from './server-key-store.js';

/** Repositories of the authorization server. */
@Injectable()
export class AuthorizationRepositories {
  constructor(
    readonly oAuthRecordRepository: OAuthRecordRepository,
    readonly oAuthClientRepository: OAuthClientRepository,
    readonly consentRepository: ConsentRepository,
  ) {}
}

/** The platform's authorization server (P3.1): code flow with PKCE, rotating refresh tokens. */
@Injectable()
export class AuthorizationServer {
  private built: Provider | undefined;

  constructor(
    private readonly simulatorConfig: SimulatorConfig,
    private readonly database: Database,
    private readonly simulatorClock: SimulatorClock,
    private readonly simulatorStateRepository: SimulatorStateRepository,
    private readonly serverKeyStore: ServerKeyStore,
    private readonly authorizationRepositories: AuthorizationRepositories,
  ) {}

  /** Builds the server once its keys are loaded. */
  start(): void {
    const { publicUrl } = this.simulatorConfig;
    const provider = new Provider(
      publicUrl,
      providerConfiguration({
        database: this.database,
        clock: this.simulatorClock,
        states: this.simulatorStateRepository,
        rotates: () => this.rotates(),
        records: this.authorizationRepositories.oAuthRecordRepository,
        clients: this.authorizationRepositories.oAuthClientRepository,
        keys: this.serverKeyStore.keys,
        resource: publicUrl,
        claimsOf: (grantId) => this.claimsOf(grantId),
        scopesOf: (clientId) => this.scopesOf(clientId),
      }),
    );
    provider.proxy = publicUrl.startsWith('https:');
    this.built = provider;
  }

  /** @throws Bug before `start` */
  get provider(): Provider {
    if (this.built === undefined) {
      throw new Bug('the authorization server is used before it was started');
    }
    return this.built;
  }

  private async rotates(): Promise<boolean> {
    const { refreshRotation } = await this.database.inTransaction('read rotation', (tx) =>
      this.simulatorStateRepository.readSettings(tx),
    );
    return refreshRotation !== 'none';
  }

  private async claimsOf(grantId: string): Promise<Readonly<Record<string, string>>> {
    const consent = await this.database.inTransaction('find consent', (tx) =>
      this.authorizationRepositories.consentRepository.find(tx, grantId),
    );
    return consent === undefined
      ? {}
      : {
          grant_id: grantId,
          subject_urn: consent.resource,
          installation_id: consent.installationId,
        };
  }

  private async scopesOf(clientId: string): Promise<readonly string[]> {
    const client = await this.database.inTransaction('find client scopes', (tx) =>
      this.authorizationRepositories.oAuthClientRepository.find(tx, clientId),
    );
    return client?.scopes ?? [];
  }
}
