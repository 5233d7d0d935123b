import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TenantDatabase } from '../foundation/database/tenant-database.js';
import { FileClient } from '../foundation/http/client/file-client.js';
import { WebhookClient } from '../foundation/http/client/webhook-client.js';
import { AppLogger } from '../foundation/logging/app-logger.js';
import { Mailer } from '../foundation/mail/mailer.js';
import { Clock } from '../kernel/clock.js';
import { ErpLedger } from './erp/erp-ledger.js';
import { ErpReferenceData } from './erp/erp-reference-data.js';
import { KeyRingService } from './installations/credentials/key-ring.service.js';
import { PublicAddress } from './installations/public-address.js';
import { SettingsSite } from './access/settings-site.service.js';
import { OperatorToken } from './api/http/operator-token.js';
import { RequestLimits } from './limits/request-limits.js';
import { PlatformApi } from './platform/platform-api.js';
import { PlatformOAuth } from './platform/platform-oauth.js';
import { ReferenceDataApi } from './platform/reference-data-api.js';
import { ConnectorConfig } from './connector-config.js';
import type { ConnectorRuntime } from './connector-runtime.js';
import { TaskQueue } from './tasks/task-queue.js';

/**
 * What every feature stands on, built once by `connector-runtime.ts`. The only global module: these are the technical
 * rooms, which each feature may use.
 */
@Global()
@Module({})
export class ConnectorCoreModule {
  static register(runtime: ConnectorRuntime): DynamicModule {
    // Factories, not values: Nest would walk through large objects to make a key of them.
    const providers = [
      { provide: ConnectorConfig, useFactory: () => runtime.config },
      { provide: TenantDatabase, useFactory: () => runtime.database },
      { provide: TaskQueue, useFactory: () => runtime.tasks },
      { provide: Clock, useFactory: () => runtime.clock },
      { provide: AppLogger, useFactory: () => runtime.logger },
      { provide: PlatformApi, useFactory: () => runtime.platform },
      { provide: ReferenceDataApi, useFactory: () => runtime.referenceData },
      { provide: PlatformOAuth, useFactory: () => runtime.oauth },
      { provide: FileClient, useFactory: () => runtime.files },
      { provide: ErpLedger, useFactory: () => runtime.erp },
      { provide: ErpReferenceData, useFactory: () => runtime.erpReferenceData },
      { provide: WebhookClient, useFactory: () => runtime.webhooks },
      { provide: Mailer, useFactory: () => runtime.mailer },
      { provide: KeyRingService, useFactory: () => runtime.keys },
      { provide: PublicAddress, useFactory: () => runtime.address },
      { provide: SettingsSite, useFactory: () => new SettingsSite(runtime.address.toString()) },
      { provide: RequestLimits, useFactory: () => runtime.limits },
      { provide: OperatorToken, useFactory: () => runtime.operatorToken },
    ];
    return { module: ConnectorCoreModule, providers, exports: providers.map(({ provide }) => provide) };
  }
}
