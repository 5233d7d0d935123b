import { Global, Module, type DynamicModule, type Provider } from '@nestjs/common';
import { SystemClock } from '../foundation/clock/system-clock.js';
import { ConfigurationModule } from '../foundation/config/configuration.module.js';
import { FileClient } from '../foundation/http/client/file-client.js';
import { WebhookClient } from '../foundation/http/client/webhook-client.js';
import { AppLogger } from '../foundation/logging/app-logger.js';
import { Mailer } from '../foundation/mail/mailer.js';
import { Clock } from '../kernel/clock.js';
import { ConnectorSite } from './access/connector-site.js';
import { AddressRetention } from './audit/clear-old-addresses.js';
import { OperatorToken } from './api/http/operator-token.js';
import { ConnectorConfig, ConnectorProgram, MEGABYTE } from './connector-config.js';
import { DATABASE_PROVIDERS } from './database.providers.js';
import { ERP_PROVIDERS } from './erp.providers.js';
import { ItemRetention } from './exports/items/clear-old-items.js';
import { KeyRingService } from './installations/credentials/key-ring.service.js';
import { PublicAddress } from './installations/public-address.js';
import { RequestLimits } from './limits/request-limits.js';
import { PLATFORM_PROVIDERS } from './platform.providers.js';

/** A provider that is made from the configuration alone. */
const configured = <T extends object>(
  provide: Extract<Provider, { provide: unknown }>['provide'],
  make: (config: ConnectorConfig) => T,
): Extract<Provider, { provide: unknown }> => ({ provide, inject: [ConnectorConfig], useFactory: make });

const CONFIGURED_PROVIDERS = [
  configured(KeyRingService, ({ credentialKeys }) => new KeyRingService(credentialKeys)),
  configured(PublicAddress, ({ publicUrl, issuePages }) => new PublicAddress(publicUrl, issuePages)),
  configured(ConnectorSite, ({ publicUrl }) => new ConnectorSite(publicUrl)),
  configured(RequestLimits, ({ limits }) => limits),
  configured(ItemRetention, ({ itemDays }) => new ItemRetention(itemDays)),
  configured(AddressRetention, ({ addressDays }) => new AddressRetention(addressDays)),
  configured(OperatorToken, ({ operatorToken }) => new OperatorToken(operatorToken)),
  configured(Mailer, ({ mail }) => new Mailer(mail)),
  configured(WebhookClient, ({ production }) => new WebhookClient({ production })),
  configured(FileClient, fileClient),
];

/**
 * The singletons that every feature may use. The only global module of the connector: these are the technical rooms. Each
 * instance with connections closes them when the application shuts down.
 */
@Global()
@Module({})
export class CoreModule {
  /** @param replacements providers instead of those here, by the same tokens, for tests and benchmarks */
  static register(program: ConnectorProgram, replacements: readonly Provider[] = []): DynamicModule {
    const providers = [
      { provide: ConnectorProgram, useFactory: () => program },
      { provide: AppLogger, useFactory: () => new AppLogger(program.logger) },
      { provide: Clock, useClass: SystemClock },
      ...CONFIGURED_PROVIDERS,
      ...DATABASE_PROVIDERS,
      ...PLATFORM_PROVIDERS,
      ...ERP_PROVIDERS,
      ...replacements,
    ];
    return {
      module: CoreModule,
      imports: [ConfigurationModule.register(ConnectorConfig, program.config)],
      providers,
      exports: providers.map((provider) => (typeof provider === 'function' ? provider : provider.provide)),
    };
  }
}

/** A file host that is down must not delay a job of thousands of items: it is left alone sooner, and for longer. */
function fileClient({ production }: ConnectorConfig): FileClient {
  return new FileClient({
    connectMs: 5_000,
    idleMs: 15_000,
    totalMs: 120_000,
    maxBytes: 30 * MEGABYTE,
    publicHostsOnly: production,
    circuit: { failuresToOpen: 5, openMs: 30_000 },
  });
}
