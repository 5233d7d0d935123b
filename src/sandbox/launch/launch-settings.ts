// The ports and shared secrets of the programs of `npm start`: fixed and persisted, or new for one run.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Environment } from '../../foundation/config/environment.js';
import { ConfigurationError, loadConfig } from '../../foundation/config/load-config.js';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { loggingVariables } from '../../foundation/logging/logger.js';
import { freePort } from '../../foundation/process/free-port.js';

export interface Ports {
  readonly connector: number;
  readonly connectorInternal: number;
  readonly workerInternal: number;
  readonly simulator: number;
  readonly ledger: number;
}

/** The variable that sets each port. */
export const PORT_VARIABLES: Readonly<Record<keyof Ports, string>> = {
  connector: 'PORT',
  connectorInternal: 'INTERNAL_PORT',
  workerInternal: 'INTERNAL_PORT, which takes the port above it too',
  simulator: 'SIMULATOR_PORT',
  ledger: 'LEDGER_PORT',
};

export interface SharedSecrets {
  readonly clientSecret: string;
  readonly ledgerApiKey: string;
  /** Of the connector, where people sign in to the ledger. */
  readonly ledgerClientSecret: string;
  readonly operatorToken: string;
  /** In the form of CREDENTIAL_KEYS. */
  readonly credentialKeys: string;
}

const port = z.coerce.number('needs a port number').int().min(1).max(65_535);

const variables = z.object({
  PORT: port.default(3000),
  INTERNAL_PORT: port.max(65_534, 'the worker takes the port above it').default(3001),
  SIMULATOR_PORT: port.default(3100),
  LEDGER_PORT: port.default(3200),
  DATABASE_URL: z
    .string()
    .refine((text) => /^postgres(ql)?:$/.test(URL.parse(text)?.protocol ?? ''), 'needs a postgres:// address')
    .optional(),
  ...loggingVariables,
});

export interface LaunchSettings {
  readonly ports: Ports;
  /** A PostgreSQL in place of the embedded one. */
  readonly databaseUrl: string | undefined;
}

/**
 * The defaults, each overridden by its variable.
 * @throws ConfigurationError with all problems
 */
export function readLaunchSettings(environment: Environment): LaunchSettings {
  const config = loadConfig({ schema: variables, prefixes: [] }, environment);
  const ports = {
    connector: config.PORT,
    connectorInternal: config.INTERNAL_PORT,
    workerInternal: config.INTERNAL_PORT + 1,
    simulator: config.SIMULATOR_PORT,
    ledger: config.LEDGER_PORT,
  };
  const entries = Object.entries(ports) as [keyof Ports, number][];
  const twice = entries.filter(([, one], index) => entries.findIndex(([, other]) => other === one) < index);
  if (twice.length > 0) {
    throw new ConfigurationError(
      twice.map(([name, one]) => `${PORT_VARIABLES[name]}: port ${one.toString()} is given twice`),
    );
  }
  return { ports, databaseUrl: config.DATABASE_URL };
}

/** Unused ports, so that a run disturbs no other. */
export async function freePorts(): Promise<Ports> {
  return {
    connector: await freePort(),
    connectorInternal: await freePort(),
    workerInternal: await freePort(),
    simulator: await freePort(),
    ledger: await freePort(),
  };
}

export function newSecrets(): SharedSecrets {
  return {
    clientSecret: newSecretText(),
    ledgerApiKey: newSecretText(),
    ledgerClientSecret: newSecretText(),
    operatorToken: newSecretText(),
    credentialKeys: `development:${randomBytes(32).toString('base64')}`,
  };
}

/** The secrets of the persistent data, created at the first start; those that came later at the first one that needs them. */
export async function persistedSecrets(folder: string): Promise<SharedSecrets> {
  const file = join(folder, 'secrets.json');
  const known = await readFile(file, 'utf8').catch(() => '{}');
  const secrets = { ...newSecrets(), ...(JSON.parse(known) as Partial<SharedSecrets>) };
  const text = JSON.stringify(secrets, undefined, 2);
  if (text !== known) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: 0o600 });
  }
  return secrets;
}
