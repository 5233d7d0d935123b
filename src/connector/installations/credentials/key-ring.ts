import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { Permanent } from '../../../kernel/faults.js';

/** Keys that encrypt credentials at rest. The first one encrypts; all of them decrypt. */
export interface KeyRing {
  readonly primary: string;
  readonly keys: ReadonlyMap<string, Buffer>;
}

/** Where a ciphertext belongs; it cannot be decrypted as any other. */
export interface SealedLocation {
  readonly table: string;
  readonly column: string;
  /** Tenant or row that owns the value. */
  readonly row: string;
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
/** A shorter one is easier to guess, and Node's decipher accepts it by default. */
const TAG_BYTES = 16;

/**
 * Reads `id:base64[,id:base64…]`, each key 32 bytes.
 * @returns the ring, or a sentence that names the mistake (without the key)
 */
export function parseKeyRing(text: string): KeyRing | string {
  const keys = new Map<string, Buffer>();
  for (const entry of text.split(',')) {
    const [id, encoded] = entry.trim().split(':');
    if (id === undefined || encoded === undefined || !/^[a-z0-9-]{1,32}$/i.test(id)) {
      return 'needs entries of the form id:base64, separated by commas';
    }
    const key = Buffer.from(encoded, 'base64');
    if (key.length !== KEY_BYTES) {
      return `key "${id}" has ${key.length.toString()} bytes, needs 32 (openssl rand -base64 32)`;
    }
    if (keys.has(id)) {
      return `key "${id}" is listed twice`;
    }
    keys.set(id, key);
  }
  const [primary] = keys.keys();
  return primary === undefined ? 'needs at least one key' : { primary, keys };
}

/**
 * Encrypts with AES-256-GCM, bound to its location (S25).
 * @returns `v1.<key id>.<iv>.<ciphertext>.<tag>`
 */
export function seal(ring: KeyRing, location: SealedLocation, plaintext: string): string {
  return `v1.${ring.primary}.${encrypt(keyOf(ring, ring.primary), location, plaintext)}`;
}

/** @throws Permanent when the value was encrypted for another location, was changed, or its key is not configured */
export function unseal(ring: KeyRing, location: SealedLocation, sealed: string): string {
  const [version, keyId, ...encrypted] = sealed.split('.');
  if (version !== 'v1' || keyId === undefined) {
    throw notSealed(location);
  }
  return decrypt(keyOf(ring, keyId), location, encrypted.join('.'));
}

/** @returns `<iv>.<ciphertext>.<tag>`, AES-256-GCM with a fresh 96-bit iv, bound to its location */
export function encrypt(key: Buffer, location: SealedLocation, plaintext: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: TAG_BYTES });
  cipher.setAAD(additionalData(location));
  const body = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
  return [iv, body, cipher.getAuthTag()].map((part) => part.toString('base64url')).join('.');
}

/** @throws Permanent when the value was encrypted for another location or with another key, or was changed */
export function decrypt(key: Buffer, location: SealedLocation, encrypted: string): string {
  const [iv, body, tag] = encrypted.split('.');
  const nonce = Buffer.from(iv ?? '', 'base64url');
  const authTag = Buffer.from(tag ?? '', 'base64url');
  if (body === undefined || nonce.length !== IV_BYTES || authTag.length !== TAG_BYTES) {
    throw notSealed(location);
  }
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(additionalData(location));
  decipher.setAuthTag(authTag);
  try {
    return Buffer.concat([decipher.update(Buffer.from(body, 'base64url')), decipher.final()]).toString('utf8');
  } catch (error) {
    throw new Permanent(`${location.table}.${location.column} cannot be decrypted`, { cause: error });
  }
}

function notSealed(location: SealedLocation): Permanent {
  return new Permanent(`${location.table}.${location.column} does not hold a sealed value`);
}

function keyOf(ring: KeyRing, id: string): Buffer {
  const key = ring.keys.get(id);
  if (key === undefined) {
    throw new Permanent(`CREDENTIAL_KEYS has no key "${id}", which stored credentials still need`);
  }
  return key;
}

function additionalData(location: SealedLocation): Buffer {
  return Buffer.from(JSON.stringify([location.table, location.column, location.row]));
}
