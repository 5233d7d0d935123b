import type { Provider } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpProgram } from '../foundation/http/http-program.js';
import { AppModule } from './app.module.js';
import type { ConnectorProgram } from './connector-program.js';

const BODY_LIMIT_BYTES = 256 * 1_024;

/**
 * The connector's public HTTP server, before it listens.
 * @param replacements see `CoreModule`
 */
export async function createConnectorHttp(
  program: ConnectorProgram,
  replacements: readonly Provider[] = [],
): Promise<NestFastifyApplication> {
  const { config, logger } = program;
  return createHttpProgram({
    module: AppModule.register(program, replacements),
    logger,
    bodyLimit: BODY_LIMIT_BYTES,
    storableTexts: true,
    overHttps: config.publicUrl.startsWith('https://'),
    trustedProxies: config.trustedProxies,
    openApi: {
      title: 'ERP export connector',
      description: 'Administration of one installation, by API token; and of the hosted service, by operator token.',
      path: 'api/docs',
      jsonPath: 'api/openapi.json',
    },
  });
}
