import type { Provider } from '@nestjs/common';
import { TenantDatabase } from '../foundation/database/tenant-database.js';
import { HttpClient } from '../foundation/http/client/http-client.js';
import { Clock } from '../kernel/clock.js';
import { ConnectorConfig, CIRCUIT, MEGABYTE } from './connector-config.js';
import { PublicAddress } from './installations/public-address.js';
import { PlatformApi } from './platform/platform-api.js';
import { PlatformHttp } from './platform/platform-http.js';
import { PlatformOAuth } from './platform/platform-oauth.js';
import { ReferenceDataApi } from './platform/reference-data-api.js';
import { ServerMetadata } from './platform/server-metadata.js';
import { SharedRequestBudget } from './platform/shared-request-budget.js';

const PLATFORM_CLIENT = Symbol('HTTP client of the Integration API');
const AUTHORIZATION_CLIENT = Symbol('HTTP client of the authorization server');

export const PLATFORM_PROVIDERS: readonly Provider[] = [
  {
    provide: PLATFORM_CLIENT,
    inject: [ConnectorConfig],
    useFactory: ({ platform }: ConnectorConfig) =>
      new HttpClient({
        peer: 'platform',
        baseUrl: platform.apiUrl,
        timeoutMs: 30_000,
        maxResponseBytes: 10 * MEGABYTE,
        maxConnections: 20,
        circuit: CIRCUIT,
      }),
  },
  {
    provide: AUTHORIZATION_CLIENT,
    inject: [ConnectorConfig],
    useFactory: ({ platform }: ConnectorConfig) =>
      new HttpClient({
        peer: 'authorization-server',
        baseUrl: platform.authUrl,
        timeoutMs: 10_000,
        maxResponseBytes: 64 * 1_024,
        maxConnections: 10,
        circuit: CIRCUIT,
      }),
  },
  {
    provide: SharedRequestBudget,
    inject: [TenantDatabase, Clock, ConnectorConfig],
    useFactory: (database: TenantDatabase, clock: Clock, { platform }: ConnectorConfig) =>
      new SharedRequestBudget(database, clock, {
        clientId: platform.clientId,
        perMinute: platform.requestsPerMinute,
      }),
  },
  {
    provide: PlatformHttp,
    inject: [PLATFORM_CLIENT, Clock, SharedRequestBudget],
    useFactory: (client: HttpClient, clock: Clock, budget: SharedRequestBudget) =>
      new PlatformHttp(client, clock, budget),
  },
  {
    provide: PlatformApi,
    inject: [PlatformHttp],
    useFactory: (http: PlatformHttp) => new PlatformApi(http),
  },
  {
    provide: ReferenceDataApi,
    inject: [PlatformHttp],
    useFactory: (http: PlatformHttp) => new ReferenceDataApi(http),
  },
  {
    provide: PlatformOAuth,
    inject: [AUTHORIZATION_CLIENT, ConnectorConfig, PublicAddress, Clock],
    useFactory: (client: HttpClient, { platform }: ConnectorConfig, address: PublicAddress, clock: Clock) =>
      new PlatformOAuth(
        { ...platform, redirectUri: address.oauthCallback() },
        client,
        new ServerMetadata(client, platform.issuer, clock),
      ),
  },
];
