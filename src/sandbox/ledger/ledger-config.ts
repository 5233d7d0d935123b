import { z } from 'zod';
import { databaseAddress } from '../../foundation/config/database-address.js';
import { httpAddress } from '../../foundation/config/http-address.js';
import { loadConfig } from '../../foundation/config/load-config.js';
import { Secret } from '../../foundation/config/secret.js';
import { loggingVariables, type LoggingConfig } from '../../foundation/logging/logger.js';

/** The program that people may let open their company. */
export interface LedgerClient {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly redirectUri: string;
}

/** The validated configuration, injected by this class. */
export abstract class LedgerConfig {
  /** Interface the server listens on. */
  abstract readonly host: string;
  abstract readonly port: number;
  abstract readonly databaseUrl: string;
  /** Where browsers and the client reach the ledger, without trailing slash. */
  abstract readonly url: string;
  /** The bearer token of every request. */
  abstract readonly apiKey: Secret;
  /** Undefined: no client can sign in here. */
  abstract readonly client: LedgerClient | undefined;
  abstract readonly logging: LoggingConfig;
}

const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  LEDGER_PORT: z.coerce.number('needs a port number').int().min(0).max(65_535).default(3200),
  LEDGER_URL: httpAddress.optional(),
  LEDGER_CLIENT_ID: z.string().max(200).optional(),
  LEDGER_CLIENT_SECRET: z.string().min(16, 'needs at least 16 characters').optional(),
  LEDGER_REDIRECT_URI: httpAddress.optional(),
  LEDGER_DATABASE_URL: z.string('is required').regex(/^postgres(ql)?:\/\//, 'needs a postgres:// address'),
  LEDGER_DATABASE_PASSWORD: z.string().optional(),
  LEDGER_API_KEY: z
    .string('is required')
    .min(16, 'needs at least 16 characters')
    .transform((text) => new Secret(text)),
  ...loggingVariables,
});

/**
 * Reads the ledger's environment.
 * @throws ConfigurationError with every problem at once
 */
export function loadLedgerConfig(environment: Readonly<Record<string, string | undefined>>): LedgerConfig {
  const values = loadConfig(
    {
      schema: variables,
      secrets: ['LEDGER_DATABASE_PASSWORD', 'LEDGER_API_KEY', 'LEDGER_CLIENT_SECRET'],
      prefixes: ['LEDGER_'],
      foreign: ['LEDGER_LEVEL', 'LEDGER_KEY_LIFE_SECONDS', 'LEDGER_SEARCH_LAG_SECONDS'],
    },
    environment,
  );
  const { LEDGER_CLIENT_ID: clientId, LEDGER_CLIENT_SECRET: clientSecret, LEDGER_REDIRECT_URI: redirectUri } = values;
  return Object.freeze({
    host: values.HOST,
    port: values.LEDGER_PORT,
    databaseUrl: databaseAddress(values.LEDGER_DATABASE_URL, values.LEDGER_DATABASE_PASSWORD),
    url: (values.LEDGER_URL ?? `http://localhost:${values.LEDGER_PORT.toString()}`).replace(/\/+$/, ''),
    apiKey: values.LEDGER_API_KEY,
    client:
      clientId === undefined || clientSecret === undefined || redirectUri === undefined
        ? undefined
        : { clientId, clientSecret: new Secret(clientSecret), redirectUri },
    logging: values,
  });
}
