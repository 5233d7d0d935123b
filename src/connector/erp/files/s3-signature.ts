// AWS Signature Version 4 of a request without query to an S3-compatible store, as AWS publishes it.
import { createHash, createHmac } from 'node:crypto';

export interface BucketKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly region: string;
}

export interface SignedRequest {
  readonly method: 'PUT' | 'GET';
  /** As it is sent: host, and path with everything encoded that the store would encode. */
  readonly url: URL;
  /** To be signed besides host and time; names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body, in hex. */
  readonly bodySha256: string;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';

/** @returns all headers to send, but `host` */
export function signed(
  { method, url, headers, bodySha256 }: SignedRequest,
  { accessKeyId, secretAccessKey, region }: BucketKeys,
  now: Date,
): Readonly<Record<string, string>> {
  const time = now.toISOString().replace(/[-:]|\.\d{3}/g, '');
  const sent = { ...headers, 'x-amz-content-sha256': bodySha256, 'x-amz-date': time };
  const fields = Object.entries({ ...sent, host: url.host }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = fields.map(([name]) => name).join(';');
  const lines = fields.map(([name, value]) => `${name}:${value.trim()}\n`).join('');
  const request = [method, url.pathname, '', lines, names, bodySha256].join('\n');
  const scope = [time.slice(0, 8), region, 's3', 'aws4_request'];
  const text = [ALGORITHM, time, scope.join('/'), createHash('sha256').update(request).digest('hex')].join('\n');
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`);
  const credential = `Credential=${accessKeyId}/${scope.join('/')}`;
  const signature = `Signature=${hmac(key, text).toString('hex')}`;
  return { ...sent, authorization: `${ALGORITHM} ${credential},SignedHeaders=${names},${signature}` };
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
