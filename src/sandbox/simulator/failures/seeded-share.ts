import { createHash } from 'node:crypto';

const BYTES = 6;
const VALUES = 2 ** (8 * BYTES);

/**
 * A number that looks like chance and is the same at every run.
 * @param seed chooses the sequence
 * @param place what the number is for, different for every use
 * @returns 0 or more and less than 1
 */
export function seededShare(seed: number, place: string): number {
  const digest = createHash('sha256').update(`${seed.toString()} ${place}`).digest();
  return digest.readUIntBE(0, BYTES) / VALUES;
}
