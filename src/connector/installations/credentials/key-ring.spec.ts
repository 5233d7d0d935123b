import { describe, expect, it } from '@jest/globals';
import { parseKeyRing, seal, unseal, type KeyRing } from './key-ring.js';

const location = { table: 'credential', column: 'access_token', row: 'tenant-1' };

function ring(text: string): KeyRing {
  const parsed = parseKeyRing(text);
  if (typeof parsed === 'string') {
    throw new Error(parsed);
  }
  return parsed;
}

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const old = ring(`old:${key(1)}`);
const rotated = ring(`new:${key(2)},old:${key(1)}`);

describe('a sealed value', () => {
  it('decrypts with its key, at its location', () => {
    expect(unseal(old, location, seal(old, location, 'a token'))).toBe('a token');
  });

  it('decrypts after a new first key was added, which encrypts new values', () => {
    expect(unseal(rotated, location, seal(old, location, 'a token'))).toBe('a token');
    expect(seal(rotated, location, 'a token')).toMatch(/^v1\.new\./);
  });

  it('differs each time', () => {
    expect(seal(old, location, 'a token')).not.toBe(seal(old, location, 'a token'));
  });

  it.each([
    ['another row', { ...location, row: 'tenant-2' }],
    ['another column', { ...location, column: 'refresh_token' }],
    ['another table', { ...location, table: 'subscription' }],
  ])('does not decrypt in %s', (_, other) => {
    expect(() => unseal(old, other, seal(old, location, 'a token'))).toThrow('cannot be decrypted');
  });

  it('does not decrypt with a changed character, without its key, or when it is not encrypted', () => {
    const sealed = seal(old, location, 'a token');
    const [, , , body = ''] = sealed.split('.');
    const changed = sealed.replace(body, `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`);
    expect(() => unseal(old, location, changed)).toThrow('cannot be decrypted');
    expect(() => unseal(ring(`other:${key(3)}`), location, sealed)).toThrow('CREDENTIAL_KEYS has no key "old"');
    expect(() => unseal(old, location, 'plain text')).toThrow('does not hold a sealed value');
  });
});

it.each([0, 4, 8, 12, 13, 14, 15])('sealed secrets with an authentication tag of %d bytes are refused', (bytes) => {
  const sealed = seal(old, location, 'a token');
  const [tag = ''] = sealed.split('.').slice(-1);
  expect(Buffer.from(tag, 'base64url')).toHaveLength(16);
  const shortened = sealed.replace(tag, Buffer.from(tag, 'base64url').subarray(0, bytes).toString('base64url'));
  expect(() => unseal(old, location, shortened)).toThrow('does not hold a sealed value');
});

describe('CREDENTIAL_KEYS', () => {
  it.each([
    ['', 'needs entries of the form id:base64, separated by commas'],
    ['no-colon', 'needs entries of the form id:base64, separated by commas'],
    ['a:c2hvcnQ=', 'key "a" has 5 bytes, needs 32 (openssl rand -base64 32)'],
    [`a:${key(1)},a:${key(2)}`, 'key "a" is listed twice'],
  ])('%j is refused', (text, reason) => {
    expect(parseKeyRing(text)).toBe(reason);
  });
});
