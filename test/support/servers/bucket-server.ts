// An S3-compatible store as far as batches need one: it takes and shows objects of one bucket for a client that signs with its key,
// and believes no signature, digest or checksum that it has not computed.
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { signed, type BucketKeys } from '../../../src/connector/erp/files/s3-signature.js';

type Response = readonly [status: number, code: string, headers?: Readonly<Record<string, string>>];

const SKEW_MS = 15 * 60_000;

export interface HeldObject {
  readonly mediaType: string;
  readonly content: Buffer;
}

export class BucketServer {
  static readonly keys: BucketKeys = {
    accessKeyId: 'AKIATESTOFBATCHES',
    secretAccessKey: 'secret/of+the+test+bucket',
    region: 'eu-north-1',
  };
  readonly objects = new Map<string, HeldObject>();
  /** Statuses of all responses. */
  readonly statuses: number[] = [];
  /** What the next requests get, without effect; undefined: what they have to get. */
  readonly script: (Response | undefined)[] = [];

  private constructor(
    private readonly server: Server,
    private readonly bucket: string,
  ) {}

  static async start(bucket: string): Promise<BucketServer> {
    const server = createServer();
    const started = new BucketServer(server, bucket);
    server.on('request', (request, response) => void started.answer(request, response));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return started;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port.toString()}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  restore(): void {
    this.objects.clear();
    this.statuses.length = 0;
    this.script.length = 0;
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const pieces: Buffer[] = [];
    for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
    const body = Buffer.concat(pieces);
    const done = [200, '', { etag: `"${createHash('md5').update(body).digest('hex')}"` }] as const;
    const [status, code, headers] = this.script.shift() ?? this.serve(request, body) ?? done;
    this.statuses.push(status);
    response.writeHead(status, { 'content-type': 'application/xml', ...headers });
    response.end(code === '' ? '' : `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`);
  }

  /** @returns undefined where all is well */
  private serve(request: IncomingMessage, body: Buffer): Response | undefined {
    const url = new URL(request.url ?? '', this.url);
    const refused = refusalOf(request, url, body);
    if (refused !== undefined) {
      return [403, refused];
    }
    const [, bucket, ...key] = url.pathname.split('/');
    if (bucket !== this.bucket) {
      return [404, 'NoSuchBucket'];
    }
    if (request.method !== 'PUT') {
      return [405, 'MethodNotAllowed'];
    }
    const sha256 = createHash('sha256').update(body);
    if (request.headers['x-amz-checksum-sha256'] !== sha256.digest('base64')) {
      return [400, 'BadDigest'];
    }
    this.objects.set(key.join('/'), { mediaType: request.headers['content-type'] ?? '', content: body });
    return undefined;
  }
}

function refusalOf({ method, headers }: IncomingMessage, url: URL, body: Buffer): string | undefined {
  const time = String(headers['x-amz-date']).replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z');
  const at = new Date(time);
  if (!(Math.abs(at.getTime() - Date.now()) < SKEW_MS)) {
    return 'RequestTimeTooSkewed';
  }
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  if (headers['x-amz-content-sha256'] !== bodySha256) {
    return 'XAmzContentSHA256Mismatch';
  }
  const names = /SignedHeaders=([^,]+),/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const own = ['host', 'x-amz-content-sha256', 'x-amz-date'];
  // A header changed on the way changes what was signed.
  const isComplete = [...own, 'x-amz-checksum-sha256'].every((name) => names.includes(name));
  const others = names.filter((name) => !own.includes(name)).map((name) => [name, String(headers[name])] as const);
  const request = { method: method as 'PUT', url, headers: Object.fromEntries(others), bodySha256 };
  const expected = signed(request, BucketServer.keys, at)['authorization'];
  return isComplete && headers.authorization === expected ? undefined : 'SignatureDoesNotMatch';
}
