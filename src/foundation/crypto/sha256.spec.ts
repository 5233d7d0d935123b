import { expect, it } from '@jest/globals';
import { chainHash, sha256, sha256Hex } from './sha256.js';

/** FIPS 180-2, appendix B.1. */
const OF_ABC = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

it('the digest of a text is that of its bytes', () => {
  expect(sha256Hex('abc')).toBe(OF_ABC);
  expect(sha256(Buffer.from('abc')).toString('hex')).toBe(OF_ABC);
});

it('the hash of a link covers the hash before it as bytes, then its text', () => {
  // Of the bytes 61 62 63, written half as a hash and half as a text.
  expect(chainHash('6162', 'c')).toBe(OF_ABC);
});
