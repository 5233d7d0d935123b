import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpProgram } from '../foundation/http/http-program.js';
import type { Logger } from '../foundation/logging/logger.js';
import { AppModule } from './app.module.js';
import type { ConnectorConfig } from './connector-config.js';
import type { ConnectorRuntime } from './connector-runtime.js';

const BODY_LIMIT_BYTES = 256 * 1_024;

/** The connector's public door, before it listens. */
export async function createConnectorHttp(
  runtime: ConnectorRuntime,
  config: Pick<ConnectorConfig, 'publicUrl' | 'trustedProxies'>,
  logger: Logger,
): Promise<NestFastifyApplication> {
  return createHttpProgram({
    module: AppModule.register(runtime),
    logger,
    bodyLimit: BODY_LIMIT_BYTES,
    storableTexts: true,
    overHttps: config.publicUrl.startsWith('https://'),
    trustedProxies: config.trustedProxies,
    openApi: {
      title: 'ERP export connector',
      description:
        'Administration of one installation, by API token; and of the hosted service, by operator token.',
      path: 'api/docs',
      jsonPath: 'api/openapi.json',
    },
  });
}
