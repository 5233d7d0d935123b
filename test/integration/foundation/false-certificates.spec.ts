import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { callScope, openLedgerAdapter } from '../../support/one-erp.js';
import { FileClient } from '../../../src/foundation/http/client/file-client.js';
import { HttpClient } from '../../../src/foundation/http/client/http-client.js';
import { WebhookClient } from '../../../src/foundation/http/client/webhook-client.js';

// Nothing is said to a server that cannot prove who it is (S36). The certificates are made by
// test/support/certificates/make.sh.

const FOLDER = join(process.cwd(), 'test/support/certificates');
const pem = (name: string) => readFile(join(FOLDER, `${name}.pem`), 'utf8');

let server: Server | undefined;
let url: string;
/** Of requests that got through the handshake. */
let heard: string[];
const trusted = getCACertificates('default');

beforeAll(async () => {
  setDefaultCACertificates([...trusted, await pem('authority')]);
});
afterAll(() => {
  setDefaultCACertificates(trusted);
});
beforeEach(() => {
  heard = [];
});
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((closed) => server?.close(closed));
});

async function serve(certificate: string): Promise<void> {
  const made = createServer({ key: await pem('server-key'), cert: await pem(certificate) }, (request, answer) => {
    heard.push(request.url ?? '');
    answer.setHeader('content-type', 'application/json');
    answer.end('{"data":[],"nextCursor":null}');
  });
  await new Promise<void>((listening) => made.listen(0, '127.0.0.1', listening));
  server = made;
  const address = made.address();
  url = `https://localhost:${typeof address === 'object' && address !== null ? address.port.toString() : ''}`;
}

/** Each of the connector's ways out. @returns how the request ended: a refusal is the same as no connection at all */
const WAYS_OUT: readonly (readonly [string, string, () => Promise<unknown>])[] = [
  [
    'the platform and its authorization server',
    'NoResponse',
    async () => {
      const http = new HttpClient({
        baseUrl: url,
        timeoutMs: 10_000,
        maxResponseBytes: 1_000,
        maxConnections: 1,
      });
      return http.send({ method: 'GET', path: '/', headers: { authorization: 'Bearer a-token' } }).finally(() => {
        http.close();
      });
    },
  ],
  [
    'the ledger',
    'ErpUnavailable',
    async () => {
      const adapter = openLedgerAdapter(url, 'the key of the ledger');
      return adapter.listCompanies(callScope()).finally(() => {
        adapter.close();
      });
    },
  ],
  [
    'a host of files',
    'FileNotFetched',
    async () => {
      const files = new FileClient({
        connectMs: 10_000,
        idleMs: 10_000,
        totalMs: 10_000,
        maxBytes: 1_000,
        publicHostsOnly: false,
        circuit: { failuresToOpen: 5, openMs: 1_000 },
      });
      const request = { url: `${url}/receipt`, signal: AbortSignal.timeout(10_000) };
      return files
        .read(request, ({ content }) => content.toArray())
        .finally(() => {
          files.close();
        });
    },
  ],
  [
    'a webhook of alerts',
    'delivery.no-answer',
    async () => {
      const client = new WebhookClient({ production: false });
      const webhook = {
        id: 'msg',
        address: `${url}/hook`,
        secret: 'whsec_AAAA',
        at: new Date(0),
        body: '{}',
      };
      return (await client.send(webhook))?.code;
    },
  ],
];

/** The name of what was thrown, or what was returned. */
async function endOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return error instanceof Error ? error.name : error;
  }
}

describe.each(WAYS_OUT)('a request to %s', (_, refused, send) => {
  it('succeeds when the certificate of the server is valid', async () => {
    await serve('right');
    expect(await endOf(send)).not.toBe(refused);
    expect(heard).toHaveLength(1);
  });

  it.each(['self-signed', 'other-host', 'expired'])('fails when the certificate is %s', async (certificate) => {
    await serve(certificate);
    expect(await endOf(send)).toBe(refused);
    expect(heard).toEqual([]);
  });

  it('fails when the certificate is of an unknown authority', async () => {
    setDefaultCACertificates(trusted);
    try {
      await serve('right');
      expect(await endOf(send)).toBe(refused);
      expect(heard).toEqual([]);
    } finally {
      setDefaultCACertificates([...trusted, await pem('authority')]);
    }
  });
});
