import { afterEach, expect, it } from '@jest/globals';
import { createSocket } from 'node:dgram';
import { Agent, get } from 'node:http';
import { HttpClient, NoResponse } from '../../../src/foundation/http/client/http-client.js';
import { checkPublicAddress, PrivateHost, publicLookupBy } from '../../../src/foundation/http/client/public-hosts.js';
import { resolverOf } from '../../../src/foundation/http/client/resolve-name.js';
import { respondingWith, MisbehavingServer } from '../../support/servers/misbehaving-server.js';
import { NameServer } from '../../support/servers/name-server.js';

const PUBLIC = '93.184.216.34';
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) {
    await close();
  }
});

async function innerServer(): Promise<MisbehavingServer> {
  const server = await MisbehavingServer.start();
  server.always(respondingWith(200, { secret: 'inside' }));
  closing.push(() => server.close());
  return server;
}

async function namesThatAre(...answers: readonly string[]): Promise<NameServer> {
  const names = await NameServer.start(...answers);
  closing.push(() => {
    names.close();
  });
  return names;
}

it('a name that is public when saved and private when called is not called', async () => {
  const inside = await innerServer();
  const names = await namesThatAre(PUBLIC, '127.0.0.1');
  const address = `https://rebind.example.com:${new URL(inside.url).port}/`;
  expect(await checkPublicAddress(address, { production: true, resolve: names.resolve })).toBeUndefined();

  const agent = new Agent({ lookup: publicLookupBy(names.resolve) });
  const failure = await new Promise((settle) => {
    get(address.replace('https', 'http'), { agent }, settle).on('error', settle);
  });
  agent.destroy();
  expect(failure).toBeInstanceOf(PrivateHost);
  expect([names.queries, inside.requests]).toEqual([2, []]);
});

it('a name with a private address is refused when it is saved', async () => {
  const names = await namesThatAre('10.1.2.3');
  expect(await checkPublicAddress('https://inside.example.com/', { production: true, resolve: names.resolve })).toBe(
    'not-public',
  );
});

it('a name server without a response is waited for no longer than the limit', async () => {
  const silent = createSocket('udp4');
  await new Promise<void>((bound) => silent.bind(0, '127.0.0.1', bound));
  closing.push(() => silent.close());
  const servers = [`127.0.0.1:${silent.address().port.toString()}`];
  const resolve = resolverOf({ servers, limitMs: 50 });
  const asked = Array.from({ length: 8 }, (_, index) =>
    checkPublicAddress(`https://silent-${index.toString()}.example.com/`, { production: true, resolve }),
  );
  expect(new Set(await Promise.all(asked))).toEqual(new Set(['unknown-host']));
});

it('a name resolves to addresses of the requested family', async () => {
  const names = await namesThatAre(PUBLIC);
  const found = (family: number) =>
    new Promise((settle) => {
      names.resolve('six.example.com', { family, all: true }, (error, addresses) => {
        settle([error?.code, addresses]);
      });
    });
  const four = [{ address: PUBLIC, family: 4 }];
  expect([await found(0), await found(4), await found(6)]).toEqual([
    [undefined, four],
    [undefined, four],
    ['ENODATA', []],
  ]);
});

it('a client of public hosts sends nothing to a private one, by number or by name', async () => {
  const inside = await innerServer();
  for (const baseUrl of [inside.url, inside.url.replace('127.0.0.1', 'localhost')]) {
    const client = new HttpClient({
      baseUrl,
      timeoutMs: 5_000,
      maxResponseBytes: 1_000,
      maxConnections: 1,
      publicHostsOnly: true,
    });
    const failure = await client.send({ method: 'GET', path: '/' }).catch((error: unknown) => error);
    client.close();
    expect(failure).toBeInstanceOf(NoResponse);
    expect(failure).toMatchObject({ sent: false });
  }
  expect(inside.requests).toEqual([]);
});
