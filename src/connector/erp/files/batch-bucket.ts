// A bucket of an S3-compatible store in which the customer's programs find the batches.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Clock } from '../../../kernel/clock.js';
import { ErpUnavailable } from '../erp-ledger.js';
import type { CallScope } from '../erp-call.js';
import type { ErpHttp, ErpHttpOptions } from '../kit/erp-http.js';
import type { BatchTarget, PlacedFile } from './write-batches.js';
import type { BucketSettings } from './settings/bucket-settings.js';
import { signed } from './s3-signature.js';

/** A client for the bucket; each request is signed separately. */
export function bucketHttp({ address }: BucketSettings): ErpHttpOptions {
  return {
    baseUrl: address,
    name: 'the bucket',
    headers: () => ({}),
    maxConnections: 1,
    maxResponseBytes: 64 * 1024,
    foreignResponse,
  };
}

/**
 * A store that has taken an object responds with its ETag and no body (Amazon S3 API, PutObject). The object is not read back:
 * keys that may only put are usual, and the store has compared the checksum.
 */
function foreignResponse({ headers, text }: { headers: Readonly<Record<string, string>>; text: string }) {
  return text.trim() === '' && (headers['etag'] ?? '') !== ''
    ? undefined
    : 'but not as a store does that has taken an object (with an ETag and without a body): check the address in the connection’s settings, and the proxies before it';
}

const PUT_MS = 60_000;
/** For a batch with all repetitions. */
const CALL_MS = 3 * PUT_MS;

export class BatchBucket implements BatchTarget {
  /** Of another bucket, or another folder of it, nothing is placed yet. */
  readonly name: string;

  /** @param http without credentials of its own; made for the bucket's address */
  constructor(
    private readonly settings: BucketSettings,
    private readonly connectionId: string,
    private readonly http: ErpHttp,
    private readonly clock: Clock,
  ) {
    const { address, bucket, prefix } = settings;
    this.name = `bucket/${createHash('sha256').update([address, bucket, prefix].join('\n')).digest('hex').slice(0, 32)}`;
  }

  /** The same bytes under the same name, however often. @throws ErpUnavailable */
  async put({ batchNumber, name, mediaType, sha256, content }: PlacedFile): Promise<void> {
    const { address, bucket, prefix } = this.settings;
    const path = `/${bucket}/${prefix}${this.connectionId}/${name}`;
    const headers = {
      'content-type': mediaType,
      // The store refuses bytes that have changed on their way.
      'x-amz-checksum-sha256': Buffer.from(sha256, 'hex').toString('base64'),
    };
    const request = { method: 'PUT', url: new URL(address + path), headers, bodySha256: sha256 } as const;
    const sent = await this.http.writeRepeatable(this.scope(), z.unknown(), {
      method: 'PUT',
      path,
      headers: signed(request, this.settings, this.clock.now()),
      body: content,
      timeoutMs: PUT_MS,
    });
    if (sent.kind === 'refused') {
      const message = `${sent.message} for batch ${batchNumber.toString()}: check the bucket’s name and region, and what its access key may do`;
      throw new ErpUnavailable({ kind: 'server-error', message });
    }
    if (sent.kind !== 'responded') {
      throw new ErpUnavailable(sent.failure);
    }
  }

  private scope(): CallScope {
    const deadline = new Date(this.clock.now().getTime() + CALL_MS);
    return { signal: new AbortController().signal, deadline, assertOwner: () => undefined };
  }
}
