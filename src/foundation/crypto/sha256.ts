import { createHash, hash } from 'node:crypto';

/** @returns the SHA-256 digest of bytes, or of a text in UTF-8 */
export function sha256(content: string | Uint8Array): Buffer {
  return createHash('sha256').update(content).digest();
}

/** @returns as `sha256`, in lower-case hex */
export function sha256Hex(content: string | Uint8Array): string {
  return hash('sha256', content, 'hex');
}

/**
 * The hash of one link of a hash chain, which covers the link and, through the hash before it, all earlier ones.
 * @param hashBefore in hex
 * @param text the link's own content
 * @returns in lower-case hex
 */
export function chainHash(hashBefore: string, text: string): string {
  return createHash('sha256').update(hashBefore, 'hex').update(text, 'utf8').digest('hex');
}
