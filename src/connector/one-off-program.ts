// What a program that does one thing and ends is made of: the connector's configuration, its features, no port and no task.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Module, type DynamicModule, type INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { z } from 'zod';
import { configOrExit, exitOverConfiguration } from '../foundation/config/config-or-exit.js';
import type { Environment } from '../foundation/config/environment.js';
import { createLogger } from '../foundation/logging/logger.js';
import { NestLogger } from '../foundation/logging/nest-logger.js';
import { DEVELOPMENT_DATA, loadConnectorConfig, type ConnectorConfig } from './connector-config.js';
import { CoreModule } from './core.module.js';
import { findDirectUrl } from './database.providers.js';
import { ErpUnavailable } from './erp/erp-ledger.js';
import { ReconciliationModule } from './reconciliation/reconciliation.module.js';

/** Exit status when the question could not be answered, whatever the answer would have been. */
const EXIT_UNDETERMINED = 2;

@Module({})
class OneOffModule {}

const storedSecrets = z.object({ ledgerApiKey: z.string(), credentialKeys: z.string() });

/**
 * Without an environment of its own it works on what `npm start` keeps in `.data`: the embedded database, and the ledger as
 * long as that is running.
 * @param work what is done; its result is the exit status. What it throws is never taken for a finding: the exit status is 2 then
 */
export async function runOnce(
  name: string,
  environment: Environment,
  work: (app: INestApplicationContext, config: ConnectorConfig) => Promise<number>,
): Promise<void> {
  const config = configOrExit(() => loadConnectorConfig({ ...secretsStoredByStart(environment), ...environment }));
  // Standard output is for results; the log has problems only.
  const logger = createLogger(name, { ...config.logging, LOG_LEVEL: 'fatal' });
  const features = {
    module: OneOffModule,
    imports: [CoreModule.register({ config, logger, role: 'api' }), ReconciliationModule],
  };
  const app = await open(config, features, new NestLogger(logger));
  try {
    process.exitCode = await work(app, config);
  } catch (error) {
    process.exitCode = EXIT_UNDETERMINED;
    if (error instanceof ErpUnavailable) {
      process.stderr.write(`${name}: ${error.message}\n`);
      sayWhereLedgerIs(config);
    } else {
      logger.fatal({ err: error }, 'command.failed');
    }
  } finally {
    await app.close();
  }
}

/** After a ledger could not be asked; in production there is no ledger of the sandbox. */
export function sayWhereLedgerIs({ erp: { ledger } }: ConnectorConfig): void {
  if (ledger !== undefined) {
    process.stderr.write(
      `The sandbox’s ledger is asked at ${ledger.url}; \`npm run ledger\` starts the one of npm start.\n`,
    );
  }
}

async function open(config: ConnectorConfig, features: DynamicModule, logger: NestLogger) {
  try {
    await findDirectUrl(config);
    return await NestFactory.createApplicationContext(features, { logger, abortOnError: false });
  } catch (error) {
    exitOverConfiguration(error);
    throw error;
  }
}

/** The keys that belong to the kept data; nothing when there are none, or when the environment brings its own. */
function secretsStoredByStart(environment: Environment): Environment {
  if (environment['NODE_ENV'] === 'production' || environment['LEDGER_API_KEY'] !== undefined) {
    return {};
  }
  try {
    const text = readFileSync(join(DEVELOPMENT_DATA, 'secrets.json'), 'utf8');
    const { ledgerApiKey, credentialKeys } = storedSecrets.parse(JSON.parse(text));
    return { LEDGER_API_KEY: ledgerApiKey, CREDENTIAL_KEYS: credentialKeys };
  } catch {
    // Never started here: the defaults of development hold.
    return {};
  }
}
