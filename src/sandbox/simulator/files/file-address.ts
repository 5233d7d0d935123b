import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ItemFile } from './item-file.repository.js';

/** An address is good for 24 hours from the fetch of the item (P1.8). */
const LIFE_SECONDS = 86_400;

/** Path and query of a file, which need no other credential. */
export function signedPath(file: ItemFile, now: Date): string {
  const expires = (Math.floor(now.getTime() / 1_000) + LIFE_SECONDS).toString();
  const query = new URLSearchParams({ expires, signature: signatureOf(file, expires).toString('hex') });
  return `/files/${file.id}/${encodeURIComponent(file.name)}?${query.toString()}`;
}

/** @returns whether the query of an address is what `signedPath` has made, not more than 24 hours ago */
export function isValid(file: ItemFile, expires: string, signature: string, now: Date): boolean {
  const expected = signatureOf(file, expires);
  const given = Buffer.from(signature, 'hex');
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected);
  return isOurs && now.getTime() < Number(expires) * 1_000;
}

function signatureOf({ id, addressKey }: ItemFile, expires: string): Buffer {
  return createHmac('sha256', addressKey).update(`${id}.${expires}`).digest();
}
