// Lets a caller that got no response repeat a POST: the same key and request get the stored response, without a second
// effect (D3.13, D3.14).
import { createHash } from 'node:crypto';
import {
  applyDecorators,
  Injectable,
  SetMetadata,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiHeader } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { from, lastValueFrom, of, type Observable } from 'rxjs';
import { classifyDatabaseError, isDatabaseUnavailable } from '../../../../foundation/database/database-error.js';
import { notingCommits, type Commits } from '../../../../foundation/database/transaction.js';
import { Problem } from '../../../../foundation/http/problem.js';
import { AppLogger } from '../../../../foundation/logging/app-logger.js';
import { Retryable } from '../../../../kernel/faults.js';
import { isUuid, toInstallationId } from '../../../../kernel/ids.js';
import { message } from '../../../../kernel/message.js';
import { InstallationReader } from '../../../installations/installation.reader.js';
import { BudgetExhausted } from '../../../platform/request-budget.js';
import type { KnownKey } from './idempotency-key.repository.js';
import { IdempotencyKeys, type KeyOwner } from './idempotency-keys.js';
import { findOperator } from '../identify-operator.js';
import { findPrincipal } from '../principal.js';
import { problem } from '../problems.js';

const IDEMPOTENT = 'idempotent';
const KEY = /^[\x21-\x7e]{1,255}$/;
/** Headers of the response that describe what was created. */
const STORED_HEADERS = ['etag', 'location'] as const;

interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Absent for a response without a body. */
  readonly body?: unknown;
}

/** Who receives the response. */
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
    private readonly reflector: Reflector,
    private readonly idempotencyKeys: IdempotencyKeys,
    private readonly installationReader: InstallationReader,
    private readonly appLogger: AppLogger,
  ) {}

  /** @throws Problem 400 for an invalid key, 422 for a key of another request, 409 while that request is under way */
  async intercept(context: ExecutionContext, next: CallHandler<unknown>): Promise<Observable<unknown>> {
    if (this.reflector.get(IDEMPOTENT, context.getHandler()) !== true) {
      return next.handle();
    }
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

  /** The operator acts for the installation in the path, or for none. */
  private async operatorRequesterOf(request: FastifyRequest): Promise<IdempotencyRequester | undefined> {
    const name = findOperator(request);
    const id: unknown = Reflect.get(Object(request.params), 'id');
    if (name === undefined || id === undefined) {
      return name === undefined ? undefined : { owner: undefined, name };
    }
    const installation =
      typeof id === 'string' && isUuid(id) ? await this.installationReader.find(toInstallationId(id)) : undefined;
    return installation === undefined || installation.state === 'uninstalled'
      ? undefined
      : { owner: installation.id, name };
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

  private async handleAndStore(claim: Claim, next: CallHandler<unknown>, reply: FastifyReply): Promise<unknown> {
    const { owner, key, attempt } = claim;
    const commits: Commits = { areThere: false };
    const handled = notingCommits(commits, () => lastValueFrom(next.handle(), { defaultValue: undefined }));
    const body = await handled.catch(async (error: unknown) => {
      // After any other error the effect is unknown, so the key stays claimed until the longest duration of a request has passed.
      if (hadNoEffect(error, commits)) {
        await this.idempotencyKeys.release(owner, key, attempt);
      }
      throw error;
    });
    await this.store(claim, { status: reply.statusCode, headers: storedHeadersOf(reply), body });
    return body;
  }

  /** The effect is there, whatever becomes of this: without it the key stays claimed, and a refusal would deny the effect. */
  private async store({ owner, key, attempt }: Claim, response: StoredResponse): Promise<void> {
    try {
      await this.idempotencyKeys.storeResponse(owner, key, attempt, JSON.stringify(response));
    } catch (error) {
      this.appLogger.of('http').error({ err: error, installationId: owner }, 'idempotency.response_not_stored');
    }
  }
}

/** For every POST: accepts an Idempotency-Key, and documents it. */
export const Idempotent = (): MethodDecorator =>
  applyDecorators(
    SetMetadata(IDEMPOTENT, true),
    ApiHeader({
      name: 'Idempotency-Key',
      required: false,
      description:
        'Up to 255 visible characters of the caller’s choice. Sent again within 24 hours with the same request, it gets the first response and has no second effect; with another request it is refused (422), and while the first is under way too (409).',
      example: '5f0b8a5e-7f8e-4a54-9c1e-6a1f3f1f7b90',
    }),
  );

function keyOf(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (key !== undefined && (typeof key !== 'string' || !KEY.test(key))) {
    const detail = message('problem.invalid-idempotency-key.detail');
    throw problem('invalid-idempotency-key', detail);
  }
  return key;
}

/** Includes the caller: a stored response is only for its own requester. */
function fingerprintOf({ method, url, headers, body }: FastifyRequest, { name }: IdempotencyRequester): Buffer {
  const digest = createHash('sha256').update(
    JSON.stringify([name, method, url, headers['if-match'] ?? null, headers['content-type'] ?? null]),
  );
  return digest.update(Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null)).digest();
}

function storedResponseOf(known: KnownKey | undefined, fingerprint: Buffer): string {
  if (known !== undefined && !known.fingerprint.equals(fingerprint)) {
    const detail = message('problem.idempotency-key-reused.detail');
    throw problem('idempotency-key-reused', detail);
  }
  // Not found: the request that had claimed it was refused just now and released it.
  if (known?.answer == null) {
    const detail = message('problem.idempotency-key-in-use.detail');
    const headers = { 'retry-after': (known?.secondsLeft ?? 1).toString() };
    throw problem('idempotency-key-in-use', detail, { headers });
  }
  return known.answer;
}

/**
 * A refusal; a transaction that was rolled back, where none was committed before, as that of the effect whose result is
 * read now; a request to another system that was not sent.
 */
function hadNoEffect(error: unknown, commits: Commits): boolean {
  return (
    error instanceof Problem ||
    error instanceof Retryable ||
    error instanceof BudgetExhausted ||
    (!commits.areThere && isDatabaseUnavailable(error) && classifyDatabaseError(error) === 'rolled-back')
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
