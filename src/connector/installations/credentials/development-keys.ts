import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseKeyRing, type KeyRing } from './key-ring.js';

/**
 * One generated key that stays with the development data, so that stored tokens survive a restart.
 * @throws Error when the file holds another thing than a key
 */
export function loadDevelopmentKeys(folder: string, keyId: string): KeyRing {
  const file = join(folder, 'credential-keys');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(file, `${keyId}:${randomBytes(32).toString('base64')}`, {
      mode: 0o600,
      flag: 'wx',
    });
  } catch {
    // An earlier start, or the other process of this one, has created it.
  }
  const parsed = parseKeyRing(readFileSync(file, 'utf8').trim());
  if (typeof parsed === 'string') {
    throw new Error(`${file}: ${parsed}; remove the file to get a new development key`);
  }
  return parsed;
}
