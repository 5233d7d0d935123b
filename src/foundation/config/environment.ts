import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ConfigurationError } from './load-config.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of the process, and of the file `.env` in the folder what the environment does not say. An empty variable
 * counts as unset, and keeps the one of the file away.
 * @param folder by default the working directory
 * @throws ConfigurationError when there is a `.env` that cannot be read
 */
export function readEnvironment(environment: Environment = process.env, folder = '.'): Environment {
  const all = Object.entries({ ...readFileOf(folder), ...environment });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined && value !== ''));
}

function readFileOf(folder: string): Environment {
  const file = join(folder, '.env');
  try {
    return existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  } catch (error) {
    throw new ConfigurationError([`.env: cannot be read (${(error as NodeJS.ErrnoException).code ?? 'no text'})`]);
  }
}
