import { z } from 'zod';
import { databaseAddress } from '../../foundation/config/database-address.js';
import { httpAddress } from '../../foundation/config/http-address.js';
import { loadConfig } from '../../foundation/config/load-config.js';
import { Secret } from '../../foundation/config/secret.js';
import { loggingVariables, type LoggingConfig } from '../../foundation/logging/logger.js';

export interface RegisteredClient {
  readonly clientId: string;
  readonly clientSecret: Secret;
  readonly redirectUris: readonly string[];
}

/** The validated configuration, injected by this class. */
export abstract class SimulatorConfig {
  /** Interface the server listens on. */
  abstract readonly host: string;
  abstract readonly port: number;
  /** Public address of the simulator, without trailing slash; the issuer of its tokens. */
  abstract readonly publicUrl: string;
  abstract readonly databaseUrl: string;
  /** The client that is registered at every start; more are registered through /control. */
  abstract readonly client: RegisteredClient;
  /** Where a person begins to connect the application, on its own pages (P3.3). */
  abstract readonly initiationUrl: string;
  /** True: /control also answers callers of other machines. */
  abstract readonly controlOpen: boolean;
  abstract readonly logging: LoggingConfig;
}

const variables = z.object({
  HOST: z.string().default('127.0.0.1'),
  SIMULATOR_PORT: z.coerce.number('needs a port number').int().min(0).max(65_535).default(3100),
  SIMULATOR_URL: httpAddress.transform((text) => text.replace(/\/+$/, '')).optional(),
  SIMULATOR_DATABASE_URL: z.string('is required').regex(/^postgres(ql)?:\/\//, 'needs a postgres:// address'),
  SIMULATOR_DATABASE_PASSWORD: z.string().optional(),
  SIMULATOR_CLIENT_ID: z.string().default('erp-export-connector'),
  SIMULATOR_CLIENT_SECRET: z
    .string()
    .min(16, 'needs at least 16 characters')
    .default('development-client-secret')
    .transform((text) => new Secret(text)),
  SIMULATOR_REDIRECT_URIS: z
    .string()
    .default('http://localhost:3000/oauth/callback')
    .transform((text) => text.split(/[\s,]+/).filter((uri) => uri !== ''))
    .pipe(z.array(z.url('needs addresses, separated by spaces')).min(1)),
  SIMULATOR_INITIATION_URL: httpAddress.default('http://localhost:3000/connect'),
  SIMULATOR_CONTROL_OPEN: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true'),
  ...loggingVariables,
});

/**
 * Reads the simulator's environment.
 * @throws ConfigurationError with every problem at once
 */
export function loadSimulatorConfig(environment: Readonly<Record<string, string | undefined>>): SimulatorConfig {
  const values = loadConfig(
    {
      schema: variables,
      secrets: ['SIMULATOR_DATABASE_PASSWORD', 'SIMULATOR_CLIENT_SECRET'],
      prefixes: ['SIMULATOR_'],
    },
    environment,
  );
  return Object.freeze({
    host: values.HOST,
    port: values.SIMULATOR_PORT,
    publicUrl: values.SIMULATOR_URL ?? `http://localhost:${values.SIMULATOR_PORT.toString()}`,
    databaseUrl: databaseAddress(values.SIMULATOR_DATABASE_URL, values.SIMULATOR_DATABASE_PASSWORD),
    client: {
      clientId: values.SIMULATOR_CLIENT_ID,
      clientSecret: values.SIMULATOR_CLIENT_SECRET,
      redirectUris: values.SIMULATOR_REDIRECT_URIS,
    },
    initiationUrl: values.SIMULATOR_INITIATION_URL,
    controlOpen: values.SIMULATOR_CONTROL_OPEN,
    logging: values,
  });
}
