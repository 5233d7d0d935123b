// The bytes of receipts in the store of a file connection: each once, whatever it is called and however often it is sent.
import { createHash, randomUUID, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Clock } from '../../../../kernel/clock.js';
import type { ErpCall } from '../../erp-call.js';
import type { ErpDocument, ErpFailure, StoreDocumentOutcome } from '../../erp-ledger.js';
import type { ErpContext } from '../../kit/define-erp.js';
import type { ErpStore, StoreChange } from '../../kit/erp-store.js';
import {
  looseKey,
  pieceKey,
  piecePrefix,
  receiptKey,
  receiptOf,
  uploadKey,
  type StoredReceipt,
} from './stored-receipts.js';

const LIMIT_BYTES = 30 * 1024 * 1024;
/** Of a stored piece; an upload and a download hold one or two of them in memory. */
const PIECE_BYTES = 512 * 1024;
const MAX_ATTEMPTS = 5;

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

class StoreFailed extends Error {
  constructor(readonly failure: ErpFailure) {
    super(failure.message);
  }
}

export class ReceiptFiles {
  constructor(
    private readonly store: ErpStore,
    private readonly clock: Clock,
    private readonly log: ErpContext['log'],
  ) {}

  /** @throws the error of the content, after which nothing is stored; the signal's reason */
  async keep(call: ErpCall, { mediaType, content }: ErpDocument): Promise<StoreDocumentOutcome> {
    if (!MEDIA_TYPES.has(mediaType)) return { outcome: 'unsupported-type' };
    const upload = new Upload(mediaType, this.clock.now());
    let isComplete = false;
    try {
      for await (const chunk of content as AsyncIterable<Buffer>) {
        upload.add(chunk);
        if (upload.sizeBytes > LIMIT_BYTES) {
          await this.giveUp(upload);
          return { outcome: 'too-large', limitBytes: LIMIT_BYTES };
        }
        for (let piece = upload.fullPiece(); piece !== undefined; piece = upload.fullPiece()) {
          await this.commit(call, upload.changesOf(piece));
        }
      }
      isComplete = true;
      return { outcome: 'stored', documentId: await this.finish(call, upload) };
    } catch (error) {
      // The pieces may be those of a receipt by now: a last commit without a response may have been made.
      if (!isComplete) await this.giveUp(upload);
      if (error instanceof StoreFailed) return { outcome: 'unavailable', failure: error.failure };
      throw error;
    }
  }

  private async finish(call: ErpCall, upload: Upload): Promise<string> {
    const sha256 = upload.sha256();
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const key = receiptKey(sha256);
      const stored = (await this.using(() => this.store.read([key]))).get(key);
      const known = receiptOf(stored);
      if (known !== undefined && known.looseSince === undefined) {
        await this.giveUp(upload);
        return sha256;
      }
      // One that no entry has is kept from now on for as long as a new one.
      const value = known ?? upload.receipt();
      const receipt: StoredReceipt = { ...value, looseSince: this.clock.now().toISOString() };
      const changes: StoreChange[] = [{ key, value: { ...receipt }, expectedVersion: stored?.version ?? 0 }];
      if (known === undefined) {
        changes.push({ key: looseKey(sha256), value: true, expectedVersion: 0 }, ...upload.lastChanges());
      }
      if (await this.commit(call, changes)) {
        if (known !== undefined) await this.giveUp(upload);
        return sha256;
      }
    }
    throw new StoreFailed({ kind: 'server-error', message: 'the receipt is being stored by others' });
  }

  private async commit(call: ErpCall, changes: readonly StoreChange[]): Promise<boolean> {
    call.signal.throwIfAborted();
    call.assertOwner();
    if (this.clock.now() >= call.deadline) {
      throw new StoreFailed({ kind: 'timeout', message: 'the time for this request is over' });
    }
    return this.using(() => this.store.commit(changes));
  }

  /** What stays after a failure is removed with what is left over (`ReceiptLeftovers`). */
  private async giveUp({ id, isBegun }: Upload): Promise<void> {
    if (!isBegun) return;
    await this.using(() => removePieces(this.store, id)).catch(() => undefined);
  }

  private async using<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const reason = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 200) : typeof error;
      this.log('error', 'files-store-failed', { reason });
      throw new StoreFailed({
        kind: 'server-error',
        message: 'the store of the file connection did not respond',
      });
    }
  }
}

/** The pieces of an upload that no receipt has, and then the note of it. */
export async function removePieces(store: ErpStore, upload: string): Promise<void> {
  for (;;) {
    const pieces = await store.list(piecePrefix(upload), undefined, 10);
    if (pieces.length === 0) break;
    await store.commit(pieces.map(({ key, version }) => ({ key, value: undefined, expectedVersion: version })));
  }
  const key = uploadKey(upload);
  const noted = (await store.read([key])).get(key);
  if (noted !== undefined) await store.commit([{ key, value: undefined, expectedVersion: noted.version }]);
}

/** What has come of a receipt so far. The note of an upload is written with its first piece, and removed with the last. */
class Upload {
  readonly id = randomUUID();
  sizeBytes = 0;
  private readonly hash: Hash = createHash('sha256');
  private crc = 0;
  private waiting: Buffer[] = [];
  private waitingBytes = 0;
  private pieces = 0;

  constructor(
    private readonly mediaType: string,
    private readonly begunAt: Date,
  ) {}

  get isBegun(): boolean {
    return this.pieces > 0;
  }

  add(chunk: Buffer): void {
    this.hash.update(chunk);
    this.crc = crc32(chunk, this.crc);
    this.sizeBytes += chunk.length;
    this.waiting.push(chunk);
    this.waitingBytes += chunk.length;
  }

  fullPiece(): Buffer | undefined {
    if (this.waitingBytes < PIECE_BYTES) return undefined;
    const all = Buffer.concat(this.waiting);
    this.waiting = [all.subarray(PIECE_BYTES)];
    this.waitingBytes = all.length - PIECE_BYTES;
    return all.subarray(0, PIECE_BYTES);
  }

  changesOf(piece: Buffer): readonly StoreChange[] {
    const noted: StoreChange = { key: uploadKey(this.id), value: this.begunAt.toISOString(), expectedVersion: 0 };
    const changes = [...(this.isBegun ? [] : [noted]), this.pieceChange(this.pieces, piece)];
    this.pieces += 1;
    return changes;
  }

  sha256(): string {
    return this.hash.digest('hex');
  }

  receipt(): StoredReceipt {
    const pieces = this.pieces + (this.waitingBytes > 0 ? 1 : 0);
    return { upload: this.id, mediaType: this.mediaType, sizeBytes: this.sizeBytes, crc32: this.crc, pieces };
  }

  /** The last piece, and that the pieces belong to a receipt now. */
  lastChanges(): readonly StoreChange[] {
    return [
      ...(this.waitingBytes > 0 ? [this.pieceChange(this.pieces, Buffer.concat(this.waiting))] : []),
      ...(this.isBegun ? [{ key: uploadKey(this.id), value: undefined, expectedVersion: 1 }] : []),
    ];
  }

  private pieceChange(number: number, piece: Buffer): StoreChange {
    return { key: pieceKey(this.id, number), value: piece.toString('base64'), expectedVersion: 0 };
  }
}
