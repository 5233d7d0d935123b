// Stores documents in the ledger, which names them by the digest of their bytes.
import { pipeline, Transform, type Readable, type TransformCallback } from 'node:stream';
import type { ErpCall } from '../erp-call.js';
import type { ErpDocument, StoreDocumentOutcome } from '../erp-ledger.js';
import type { ErpHttp } from '../kit/erp-http.js';
import { companyPath } from './ledger-http.js';
import { storedDocumentSchema } from './ledger-wire.schema.js';

/** The documented limits of the ledger, checked before sending: an early refusal may be lost while the body is sent. */
const LIMIT_BYTES = 30 * 1024 * 1024;
const MEDIA_TYPES: ReadonlySet<string> = new Set([
  'application/pdf',
  'image/jpeg',
  'image/png',
  'image/heic',
  'application/xml',
  'text/plain',
  'text/csv',
  'application/msword',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
]);
const TOO_LARGE: StoreDocumentOutcome = { outcome: 'too-large', limitBytes: LIMIT_BYTES };

export class LedgerDocuments {
  constructor(
    private readonly http: ErpHttp,
    private readonly timeoutMs: number,
  ) {}

  /** @throws the error of the content when it fails */
  async store(call: ErpCall, { mediaType, content }: ErpDocument): Promise<StoreDocumentOutcome> {
    if (!MEDIA_TYPES.has(mediaType)) {
      return { outcome: 'unsupported-type' };
    }
    const limited = limitSize(LIMIT_BYTES, content);
    try {
      return await this.send(call, mediaType, limited);
    } catch (error) {
      if (error instanceof LimitExceeded) {
        return TOO_LARGE;
      }
      throw error;
    } finally {
      limited.destroy();
    }
  }

  private async send(call: ErpCall, mediaType: string, body: Readable): Promise<StoreDocumentOutcome> {
    const result = await this.http.write(call, storedDocumentSchema, {
      method: 'POST',
      path: `${companyPath(call)}/attachments`,
      headers: { 'content-type': mediaType },
      body,
      timeoutMs: this.timeoutMs,
    });
    switch (result.kind) {
      case 'responded':
        return { outcome: 'stored', documentId: result.value.digest };
      case 'refused':
        return refusalOf(result.status, result.message);
      case 'not-sent':
      case 'unknown':
        return { outcome: 'unavailable', failure: result.failure };
    }
  }
}

function refusalOf(status: number, message: string): StoreDocumentOutcome {
  switch (status) {
    case 413:
      return TOO_LARGE;
    case 415:
      return { outcome: 'unsupported-type' };
    default:
      return { outcome: 'refused', message };
  }
}

class LimitExceeded extends Error {}

/** Passes the content on unchanged and fails once it exceeds the limit. */
function limitSize(limitBytes: number, content: Readable): Readable {
  let bytes = 0;
  const limit = new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      bytes += chunk.length;
      if (bytes > limitBytes) {
        done(new LimitExceeded('the document is too large'));
      } else {
        done(null, chunk);
      }
    },
  });
  return pipeline(content, limit, () => undefined);
}
