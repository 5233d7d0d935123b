import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { insideTransactionScope } from '../../../src/foundation/database/transaction.js';
import {
  FileClient,
  type FetchedFile,
  type FileClientOptions,
} from '../../../src/foundation/http/client/file-client.js';
import { newWebhookSecret, WebhookClient } from '../../../src/foundation/http/client/webhook-client.js';
import { inSpan, sendSpansTo, type EndedSpan } from '../../../src/foundation/tracing/tracing.js';
import { Bug } from '../../../src/kernel/faults.js';
import {
  respondWith,
  cut,
  file,
  FileHost,
  generated,
  hangUp,
  silent,
  stalled,
  type FileBehavior,
} from '../../support/servers/file-host.js';
import { startedOnce } from '../../support/started-once.js';

const LIMIT = 200_000;
const OPTIONS: FileClientOptions = {
  connectMs: 200,
  idleMs: 200,
  totalMs: 600,
  maxBytes: LIMIT,
  publicHostsOnly: false,
  circuit: { failuresToOpen: 3, openMs: 60_000 },
};

const host = startedOnce(() => FileHost.start());
let client: FileClient;

beforeEach(() => {
  host.reset();
  client = new FileClient(OPTIONS);
});
afterEach(() => {
  client.close();
});

const never = new AbortController().signal;
const sizeOf = async ({ content }: FetchedFile) => {
  let bytes = 0;
  for await (const piece of content) {
    bytes += (piece as Buffer).length;
  }
  return bytes;
};

/** What a fetch of such a file ends with. */
async function fetched(behavior: FileBehavior, expectedBytes?: number): Promise<unknown> {
  const url = host.put('/file', behavior);
  return client.read({ url, expectedBytes, signal: never }, sizeOf).catch((error: unknown) => error);
}

const problem = (name: string, status?: number) =>
  expect.objectContaining({ name: 'FileNotFetched', problem: name, ...(status && { status }) });

describe('a file download', () => {
  it('returns the bytes, with the type', async () => {
    const url = host.put('/a/receipt.pdf', file('%PDF Bäckerei', 'application/pdf; x=1'));
    const taken = await client.read({ url, signal: never }, async ({ contentType, content }) => [
      contentType,
      await text(content),
    ]);
    expect(taken).toEqual(['application/pdf; x=1', '%PDF Bäckerei']);
  });

  it('sends no credentials', async () => {
    await fetched(file('x'));
    expect(Object.keys(host.headers[0] ?? {}).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host']);
  });

  it('accepts as many bytes as the limit, and not one more', async () => {
    expect(await fetched(generated(LIMIT))).toBe(LIMIT);
    expect(await fetched(generated(LIMIT + 1))).toEqual(problem('too-large'));
  });

  it('of a declared length over the limit is refused at once', async () => {
    const announced: FileBehavior = (response) => {
      response.writeHead(200, { 'content-length': (LIMIT + 1).toString() });
      response.flushHeaders();
    };
    expect(await fetched(announced)).toEqual(problem('too-large'));
  });

  it.each([
    [undefined, 100],
    [100, 100],
    [99, problem('connection')],
  ])('without a declared length, announced with %p bytes', async (expected, result) => {
    const ending = generated(100, { connection: 'close', 'content-type': 'application/pdf' });
    const withoutLength: FileBehavior = (response, at) => {
      response.useChunkedEncodingByDefault = false;
      return ending(response, at);
    };
    expect(await fetched(withoutLength, expected)).toEqual(result);
  });

  it('with a declared length may be announced with another one', async () => {
    expect(await fetched(file('1234'), 2_084)).toBe(4);
  });

  it.each([
    ['that is cut', cut, 'connection', undefined],
    ['whose host hangs up', hangUp, 'connection', undefined],
    ['that never begins', silent, 'timeout', undefined],
    ['that stops coming', stalled, 'timeout', undefined],
    ['that is somewhere else', respondWith(302, { location: '/elsewhere' }), 'status', 302],
    ['whose address has expired', respondWith(403), 'status', 403],
    ['that comes compressed', respondWith(200, { 'content-encoding': 'gzip' }), 'status', 200],
  ])('%s is refused', async (_, behavior, name, status) => {
    expect(await fetched(behavior)).toEqual(problem(name, status));
    expect(host.requests).toEqual(['/file']);
  });

  it('that trickles is aborted when its time is over', async () => {
    const dripping: FileBehavior = async (response) => {
      response.writeHead(200, { 'content-type': 'application/pdf' });
      while (!response.destroyed) {
        response.write('x');
        await delay(50);
      }
    };
    expect(await fetched(dripping)).toEqual(problem('timeout'));
  });

  it('gives its consumer all the time it needs', async () => {
    const url = host.put('/file', generated(LIMIT));
    const slowly = async (taken: FetchedFile) => {
      await delay(OPTIONS.totalMs * 1.5);
      return sizeOf(taken);
    };
    expect(await client.read({ url, signal: never }, slowly)).toBe(LIMIT);
  });

  it('that its consumer abandons is not read to the end', async () => {
    const url = host.put('/file', stalled);
    expect(await client.read({ url, signal: never }, () => Promise.resolve('left'))).toBe('left');
  });

  it('that fails counts as failed whatever its consumer returns', async () => {
    const url = host.put('/file', cut);
    const unmoved = (taken: FetchedFile) => sizeOf(taken).catch(() => 0);
    await expect(client.read({ url, signal: never }, unmoved)).rejects.toEqual(problem('connection'));
    const confused = (taken: FetchedFile) =>
      sizeOf(taken).catch(() => {
        throw new Error('the ERP did not answer');
      });
    await expect(client.read({ url, signal: never }, confused)).rejects.toEqual(problem('connection'));
  });

  it('is aborted with the reason of the signal', async () => {
    const url = host.put('/file', stalled);
    const stop = new AbortController();
    const reason = new Error('the worker stops');
    const taking = client.read({ url, signal: stop.signal }, async (taken) => {
      stop.abort(reason);
      return sizeOf(taken);
    });
    await expect(taking).rejects.toBe(reason);
  });

  it('is refused inside a transaction', async () => {
    const url = host.put('/file', file('x'));
    await expect(
      insideTransactionScope('test', () => client.read({ url, signal: never }, sizeOf)),
    ).rejects.toBeInstanceOf(Bug);
  });
});

it('a host that does not finish the handshake times out', async () => {
  const server = createServer((socket) => {
    socket.once('close', () => server.close()).resume();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `https://127.0.0.1:${port.toString()}/file`;
  const closed = once(server, 'close');
  await expect(client.read({ url, signal: never }, sizeOf)).rejects.toEqual(problem('timeout'));
  await closed;
});

describe('the address of a download', () => {
  it.each(['no address', 'file:///etc/passwd', 'ftp://files.example/x', `http://x.example/${'y'.repeat(8_192)}`])(
    '%s is not called',
    async (url) => {
      await expect(client.read({ url, signal: never }, sizeOf)).rejects.toEqual(problem('address'));
    },
  );

  it('with credentials is not called', async () => {
    const url = host.put('/file', file('x')).replace('http://', 'http://user:word@');
    await expect(client.read({ url, signal: never }, sizeOf)).rejects.toEqual(problem('address'));
    expect(host.requests).toEqual([]);
  });

  it.each([
    'http://files.example/x',
    'https://127.0.0.1/x',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://2130706433/x',
    'https://localhost/x',
  ])('%s is not called where only public hosts are allowed', async (url) => {
    const careful = new FileClient({ ...OPTIONS, publicHostsOnly: true });
    await expect(careful.read({ url, signal: never }, sizeOf)).rejects.toEqual(problem('address'));
    careful.close();
  });
});

describe('a host with repeated failures', () => {
  it.each([
    ['hangs up', hangUp],
    ['answers 503', respondWith(503)],
    ['cuts files', cut],
  ])('and %s is paused for a moment', async (_, behavior) => {
    const ends = [];
    for (let count = 0; count < 5; count += 1) {
      ends.push(await fetched(behavior));
    }
    expect(ends.slice(3)).toEqual([problem('left-alone'), problem('left-alone')]);
    expect(host.requests).toHaveLength(3);
  });

  it('does not block calls to any other host', async () => {
    for (let count = 0; count < 3; count += 1) {
      await fetched(hangUp);
    }
    const other = await FileHost.start();
    const url = other.put('/file', file('1234'));
    expect(await client.read({ url, signal: never }, sizeOf)).toBe(4);
    await other.close();
  });

  it.each([
    ['files that are gone', respondWith(404)],
    ['files that are too large', generated(LIMIT + 1)],
  ])('is not paused for %s', async (_, behavior) => {
    for (let count = 0; count < 5; count += 1) {
      expect(await fetched(behavior)).not.toEqual(problem('left-alone'));
    }
  });

  it('is not paused for a consumer that fails', async () => {
    const url = host.put('/file', file('1234'));
    for (let count = 0; count < 5; count += 1) {
      const failing = () => Promise.reject(new Error('the ERP is away'));
      await expect(client.read({ url, signal: never }, failing)).rejects.toThrow('the ERP is away');
    }
    expect(await client.read({ url, signal: never }, sizeOf)).toBe(4);
  });
});

it('a file download or webhook is a span of its trace, without the secret address', async () => {
  const spans: EndedSpan[] = [];
  sendSpansTo({ nowMs: () => 0, samples: () => true, add: (span) => spans.push(span) });
  try {
    const url = host.put('/opens-it', file('content'));
    await inSpan('work', {}, async () => {
      await client.read({ url, signal: never }, sizeOf);
      const webhook = { id: 'msg_1', address: url, secret: newWebhookSecret(), at: new Date(0), body: '{}' };
      await new WebhookClient({ production: false }).send(webhook);
    });
    expect(spans.map(({ name, kind }) => [name, kind])).toEqual([
      ['GET file', 'client'],
      ['POST alert-webhook', 'client'],
      ['work', 'internal'],
    ]);
    expect(JSON.stringify(spans)).not.toContain('opens-it');
  } finally {
    sendSpansTo(undefined);
  }
});
