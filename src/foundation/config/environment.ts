import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The environment of the process, and of the file `.env` in the folder what the environment does not say.
 * @param folder the working directory unless told otherwise
 * @throws the file system's error when there is a `.env` that cannot be read
 */
export function readEnvironment(environment: Environment = process.env, folder = '.'): Environment {
  const file = join(folder, '.env');
  return existsSync(file) ? { ...parseEnv(readFileSync(file, 'utf8')), ...environment } : environment;
}
