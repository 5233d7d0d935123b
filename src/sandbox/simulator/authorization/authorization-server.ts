import { Injectable } from '@nestjs/common';
import { Provider } from 'oidc-provider';
import { SettingsReader } from '../clock/settings.reader.js';
import { SimulatorClock } from '../clock/simulator-clock.js';
import { SimulatorConfig } from '../simulator-config.js';
import { OAuthRecordAdapters } from './oauth-record.adapter.js';
import { providerConfiguration } from './provider-configuration.js';
import { ServerKeyStore } from './server-key-store.js';
import { TokenContents } from './token-contents.js';

/** The platform's authorization server (P3.1): code flow with PKCE, rotating refresh tokens. */
@Injectable()
export class AuthorizationServer {
  readonly provider: Provider;

  constructor(
    simulatorConfig: SimulatorConfig,
    simulatorClock: SimulatorClock,
    settingsReader: SettingsReader,
    serverKeyStore: ServerKeyStore,
    oAuthRecordAdapters: OAuthRecordAdapters,
    tokenContents: TokenContents,
  ) {
    const { publicUrl } = simulatorConfig;
    this.provider = new Provider(
      publicUrl,
      providerConfiguration({
        adapters: oAuthRecordAdapters,
        clock: simulatorClock,
        rotates: async () => (await settingsReader.read()).refreshRotation !== 'none',
        keys: serverKeyStore.keys,
        resource: publicUrl,
        claimsOf: (grantId) => tokenContents.claimsOf(grantId),
        scopesOf: (clientId) => tokenContents.scopesOf(clientId),
      }),
    );
    this.provider.proxy = publicUrl.startsWith('https:');
  }
}
