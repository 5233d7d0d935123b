import { describe, expect, it } from '@jest/globals';
import { checkPublicAddress, isPublicAddress } from './public-hosts.js';
import type { ResolveName } from './resolve-name.js';

describe('an IP address', () => {
  it.each([
    '8.8.8.8',
    '100.63.255.255',
    '172.15.255.255',
    '172.32.0.1',
    '192.167.255.255',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001:830::200e',
  ])('%s is public', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:8.8.8.8',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'fc00::1',
    'fd12:3456::1',
    'fe80::1',
    'ff02::1',
    'localhost',
    '',
  ])('%s is not public', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

describe('a host name', () => {
  const [PUBLIC, INNER] = ['93.184.216.34', '10.1.2.3'];
  it.each([
    [[PUBLIC], undefined],
    [[PUBLIC, '2606:4700::1111'], undefined],
    [[INNER], 'not-public'],
    [[INNER, PUBLIC], 'not-public'],
    [[PUBLIC, INNER], 'not-public'],
    [[PUBLIC, 'fd12:3456::1'], 'not-public'],
    [[], 'unknown-host'],
  ])('with the addresses %j is public: %s', async (addresses, problem) => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const resolve: ResolveName = (_, __, callback) => {
      callback(null, found);
    };
    expect(await checkPublicAddress('https://name.example.com/', { production: true, resolve })).toBe(problem);
  });
});
