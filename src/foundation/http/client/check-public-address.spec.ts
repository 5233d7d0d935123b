import { describe, expect, it } from '@jest/globals';
import { checkPublicAddress } from './public-hosts.js';
import type { ResolveName } from './resolve-name.js';

// Hostile addresses for whatever a person may let us call (D3.15, S34).

const DNS_RECORDS: Readonly<Record<string, readonly string[]>> = {
  'hooks.example.com': ['93.184.216.34'],
  'six.example.com': ['2606:4700::1111'],
  'inside.example.com': ['10.0.0.5'],
  'loop.example.com': ['127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'both.example.com': ['93.184.216.34', '192.168.1.1'],
  'six-inside.example.com': ['fd00::1'],
  'mapped.example.com': ['::ffff:10.0.0.1'],
  'nat64.example.com': ['64:ff9b::a00:1'],
  '127.0.0.1.nip.io': ['127.0.0.1'],
};

const resolve: ResolveName = (hostname, _, callback) => {
  const found = DNS_RECORDS[hostname];
  callback(
    found === undefined ? new Error('ENOTFOUND') : null,
    (found ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
};

const check = (address: string, production = true) => checkPublicAddress(address, { production, resolve });

const HOST = 'not-public';
const FORM = 'no-address';
const SCHEME = 'not-https';
const USER = 'with-password';
const PORT = 'unusual-port';
const NAME = 'unknown-host';

const HOSTILE: readonly (readonly [address: string, problem: string])[] = [
  ['http://hooks.example.com/', SCHEME],
  ['HTTP://hooks.example.com/', SCHEME],
  ['file:///etc/passwd', SCHEME],
  ['gopher://hooks.example.com/', SCHEME],
  ['ftp://hooks.example.com/', SCHEME],
  ['data:text/plain,x', SCHEME],
  ['javascript:alert(1)', SCHEME],
  ['ws://hooks.example.com/', SCHEME],
  ['jar:https://hooks.example.com!/', SCHEME],
  ['https://user:word@hooks.example.com/', USER],
  ['https://user@hooks.example.com/', USER],
  ['https://hooks.example.com@127.0.0.1/', USER],
  ['https://hooks.example.com:x@10.0.0.1/', USER],
  ['https://hooks.example.com:22/', PORT],
  ['https://hooks.example.com:25/', PORT],
  ['https://hooks.example.com:0/', PORT],
  ['https://hooks.example.com:1023/', PORT],
  ['https://hooks.example.com:99999/', FORM],
  ['https://localhost/', HOST],
  ['https://LOCALHOST/', HOST],
  ['https://localhost./', HOST],
  ['https://a.localhost/', HOST],
  ['https://127.0.0.1/', HOST],
  ['https://127.0.0.1./', HOST],
  ['https://127.1/', HOST],
  ['https://127.255.255.254/', HOST],
  ['https://0/', HOST],
  ['https://0.0.0.0/', HOST],
  ['https://0x7f000001/', HOST],
  ['https://0x7f.1/', HOST],
  ['https://0177.0.0.1/', HOST],
  ['https://2130706433/', HOST],
  ['https://10.0.0.1/', HOST],
  ['https://100.64.0.1/', HOST],
  ['https://172.16.0.1/', HOST],
  ['https://192.168.0.1/', HOST],
  ['https://169.254.169.254/latest/meta-data', HOST],
  ['https://2852039166/', HOST],
  ['https://224.0.0.1/', HOST],
  ['https://255.255.255.255/', HOST],
  ['https://[::1]/', HOST],
  ['https://[::]/', HOST],
  ['https://[::ffff:10.0.0.1]/', HOST],
  ['https://[::ffff:7f00:1]/', HOST],
  ['https://[fd12:3456::1]/', HOST],
  ['https://[fe80::1]/', HOST],
  ['https://[64:ff9b::7f00:1]/', HOST],
  ['https://[2002:7f00:1::]/', HOST],
  ['https://[fe80::1%25eth0]/', FORM],
  ['https://metadata.google.internal/', HOST],
  ['https://printer.local/', HOST],
  ['https://erp.corp/', HOST],
  ['https://router.home.arpa/', HOST],
  ['https://ledger/', HOST],
  ['https://inside.example.com/', HOST],
  ['https://loop.example.com/', HOST],
  ['https://metadata.example.com/', HOST],
  ['https://both.example.com/', HOST],
  ['https://six-inside.example.com/', HOST],
  ['https://mapped.example.com/', HOST],
  ['https://nat64.example.com/', HOST],
  ['https://127.0.0.1.nip.io/', HOST],
  ['https://nobody.example.com/', NAME],
  ['https://hοoks.example.com/', FORM],
  ['https://１２７.0.0.1/', FORM],
  ['https://127。0。0。1/', FORM],
  ['https:\\\\127.0.0.1\\', FORM],
  ['https://hooks.example.com\\@127.0.0.1/', FORM],
  ['https://hooks.example.com/\r\nhost: inside', FORM],
  ['https://hooks.example.com/\t', FORM],
  [' https://hooks.example.com/', FORM],
  ['//127.0.0.1/', FORM],
  ['', FORM],
  ['https://', FORM],
  [`https://hooks.example.com/${'x'.repeat(2_048)}`, FORM],
];

describe('an address set by a person', () => {
  it('is tested in more than sixty hostile forms', () => {
    expect(HOSTILE.length).toBeGreaterThanOrEqual(60);
  });

  it.each(HOSTILE)('%j is refused', async (address, problem) => {
    expect(await check(address)).toBe(problem);
  });

  it.each([
    'https://hooks.example.com/',
    'https://hooks.example.com./x?y=z',
    'https://hooks.example.com:8443/',
    'https://six.example.com/',
    'https://93.184.216.34/',
    'https://[2606:4700::1111]/',
  ])('%s is accepted', async (address) => {
    expect(await check(address)).toBeUndefined();
  });
});

describe('outside production', () => {
  it.each(['http://localhost:3000/', 'http://127.0.0.1:8080/x', 'http://[::1]:8080/', 'http://hooks.example.com/'])(
    '%s is accepted too',
    async (address) => {
      expect(await check(address, false)).toBeUndefined();
    },
  );

  it.each([
    ['http://10.0.0.1/', HOST],
    ['http://169.254.169.254/', HOST],
    ['http://user:word@localhost:3000/', USER],
    ['http://localhost:22/', PORT],
    ['ftp://localhost:3000/', SCHEME],
  ])('%s is refused', async (address, problem) => {
    expect(await check(address, false)).toBe(problem);
  });
});
