// The ports and shared secrets of the programs of `npm start`: fixed and persisted, or new for one run.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { newSecretText } from '../../foundation/crypto/secret-text.js';
import { freePort } from '../../foundation/process/free-port.js';

export interface Ports {
  readonly connector: number;
  readonly connectorInternal: number;
  readonly workerInternal: number;
  readonly simulator: number;
  readonly ledger: number;
}

export interface SharedSecrets {
  readonly clientSecret: string;
  readonly ledgerApiKey: string;
  readonly operatorToken: string;
  /** In the form of CREDENTIAL_KEYS. */
  readonly credentialKeys: string;
}

/** Default ports, each overridden by its variable. */
export function fixedPorts(environment: Readonly<Record<string, string | undefined>>): Ports {
  const port = (name: string, otherwise: number): number => {
    const text = environment[name];
    if (text !== undefined && !/^\d{1,5}$/.test(text)) {
      throw new Error(`${name}: needs a port number`);
    }
    return text === undefined ? otherwise : Number(text);
  };
  const connectorInternal = port('INTERNAL_PORT', 3001);
  return {
    connector: port('PORT', 3000),
    connectorInternal,
    workerInternal: connectorInternal + 1,
    simulator: port('SIMULATOR_PORT', 3100),
    ledger: port('LEDGER_PORT', 3200),
  };
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
    operatorToken: newSecretText(),
    credentialKeys: `development:${randomBytes(32).toString('base64')}`,
  };
}

/** The secrets of the persistent data, created at the first start. */
export async function persistedSecrets(folder: string): Promise<SharedSecrets> {
  const file = join(folder, 'secrets.json');
  const known = await readFile(file, 'utf8').catch(() => undefined);
  if (known !== undefined) {
    return JSON.parse(known) as SharedSecrets;
  }
  const secrets = newSecrets();
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(secrets, undefined, 2), { mode: 0o600 });
  return secrets;
}
