// Lets a caller who got no answer send a POST again: the same key and request get the stored answer, without a second
// effect (D3.13, D3.14).
import { createHash } from 'node:crypto';
import {
  applyDecorators,
  Injectable,
  UseInterceptors,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, of, type Observable } from 'rxjs';
import { classifyDatabaseError, isDatabaseUnavailable } from '../../../foundation/database/database-error.js';
import { Problem } from '../../../foundation/http/problem.js';
import { Retryable } from '../../../kernel/faults.js';
import { isUuid, toInstallationId } from '../../../kernel/ids.js';
import { InstallationReader } from '../../installations/installation.reader.js';
import { BudgetExhausted } from '../../platform/request-budget.js';
import type { KnownKey } from './idempotency-key.repository.js';
import { IdempotencyKeys, type KeyOwner } from './idempotency-keys.js';
import { findPrincipal } from './principal.js';

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Of the answer's headers, those that say something about what was made. */
const STORED_HEADERS = ['etag', 'location'] as const;

interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when there was none. */
  readonly body?: unknown;
}

/** Whose answer it will be. */
interface IdempotencyRequester {
  readonly owner: KeyOwner;
  readonly name: string;
}

interface Claim {
  readonly owner: KeyOwner;
  readonly key: string;
  readonly attempt: number;
}

@Injectable()
export class IdempotentInterceptor implements NestInterceptor {
  constructor(
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly installationReader: InstallationReader,
  ) {}

  /** @throws Problem 400 for what is no key, 422 for one of another request, 409 while that request is under way */
  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const caller = await this.requesterOf(request);
    const key = keyOf(request);
    if (key === undefined || caller === undefined) {
      return next.handle();
    }
    const fingerprint = fingerprintOf(request, caller);
    const { owner } = caller;
    const attempt = await this.idempotencyKeys.claim(owner, key, fingerprint);
    if (attempt === undefined) {
      return of(await this.replayResponse(owner, key, fingerprint, reply));
    }
    return from(this.handleAndStore({ owner, key, attempt }, next, reply));
  }

  private async requesterOf(request: FastifyRequest): Promise<IdempotencyRequester | undefined> {
    const principal = findPrincipal(request);
    return principal === undefined
      ? this.operatorRequesterOf(request)
      : { owner: principal.installationId, name: principal.name };
  }

  /** The operator does something for an installation that the address names, or for none. */
  private async operatorRequesterOf({ params }: FastifyRequest): Promise<IdempotencyRequester | undefined> {
    const id: unknown = Reflect.get(Object(params), 'id');
    if (id === undefined) {
      return { owner: undefined, name: 'operator' };
    }
    const installation =
      typeof id === 'string' && isUuid(id)
        ? await this.installationReader.find(toInstallationId(id))
        : undefined;
    return installation === undefined || installation.state === 'uninstalled'
      ? undefined
      : { owner: installation.id, name: 'operator' };
  }

  private async replayResponse(
    owner: KeyOwner,
    key: string,
    fingerprint: Buffer,
    reply: FastifyReply,
  ): Promise<unknown> {
    const stored = storedResponseOf(await this.idempotencyKeys.find(owner, key), fingerprint);
    const { status, headers, body } = JSON.parse(stored) as StoredResponse;
    void reply.status(status).headers({ ...headers, 'idempotency-replayed': 'true' });
    return body;
  }

  private async handleAndStore(
    claim: Claim,
    next: CallHandler<unknown>,
    reply: FastifyReply,
  ): Promise<unknown> {
    const { owner, key, attempt } = claim;
    try {
      const body = await lastValueFrom(next.handle(), { defaultValue: undefined });
      const stored: StoredResponse = { status: reply.statusCode, headers: storedHeadersOf(reply), body };
      await this.idempotencyKeys.storeResponse(owner, key, attempt, JSON.stringify(stored));
      return body;
    } catch (error) {
      // After anything else nobody knows, so the key stays taken for as long as it may be running.
      if (hadNoEffect(error)) {
        await this.idempotencyKeys.release(owner, key, attempt);
      }
      throw error;
    }
  }
}

/** For every POST, of an installation, for one, or of the operator: takes an Idempotency-Key, and says so. */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    UseInterceptors(IdempotentInterceptor),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Up to 255 visible characters of the caller’s choice. Sent again within 24 hours with the same request, it gets the first answer and has no second effect; with another request it is refused (422), and while the first is under way too (409).',
      example: '5f0b8a5e-7f8e-4a54-9c1e-6a1f3f1f7b90',
    }),
  );

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || !KEY.test(key))) {
    const detail = 'An Idempotency-Key has 1 to 255 visible characters without blanks, and is sent once.';
    throw new Problem({ status: 400, type: 'invalid-idempotency-key', detail });
  }
  return key;
}

/** The caller too: an answer is for the one who asked. */
function fingerprintOf(
  { method, url, headers, body }: FastifyRequest,
  { name }: IdempotencyRequester,
): Buffer {
  const digest = createHash('sha256').update(
    JSON.stringify([name, method, url, headers['if-match'] ?? null, headers['content-type'] ?? null]),
  );
  return digest.update(Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null)).digest();
}

function storedResponseOf(known: KnownKey | undefined, fingerprint: Buffer): string {
  if (known !== undefined && !known.fingerprint.equals(fingerprint)) {
    const detail = 'This Idempotency-Key was used for another request. Take a new one.';
    throw new Problem({ status: 422, type: 'idempotency-key-reused', detail });
  }
  // Not there any more: the request it was taken by was refused at this moment.
  if (known?.answer == null) {
    const detail =
      'The request with this Idempotency-Key is under way, or nobody knows how it ended. When it ends you get its answer; after Retry-After it is run again.';
    throw new Problem({
      status: 409,
      type: 'idempotency-key-in-use',
      detail,
      headers: { 'retry-after': (known?.secondsLeft ?? 1).toString() },
    });
  }
  return known.answer;
}

/** A refusal; a statement that was rolled back; and what was not asked of others, for want of a token or of a place. */
function hadNoEffect(error: unknown): boolean {
  return (
    error instanceof Problem ||
    error instanceof Retryable ||
    error instanceof BudgetExhausted ||
    (isDatabaseUnavailable(error) && classifyDatabaseError(error) === 'rolled-back')
  );
}

function storedHeadersOf(reply: FastifyReply): Record<string, string> {
  return Object.fromEntries(
    STORED_HEADERS.flatMap((name) => {
      const value = reply.getHeader(name);
      return typeof value === 'string' ? [[name, value]] : [];
    }),
  );
}
