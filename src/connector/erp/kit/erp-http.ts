// HTTP with JSON, and the meaning of a response: to a read, and to a write whose effect may exist (H21).
import { Readable } from 'node:stream';
import type { z } from 'zod';
import {
  HttpClient,
  NoResponse,
  ResponseTooLong,
  type HttpClientOptions,
  type HttpRequest,
  type HttpResponse,
} from '../../../foundation/http/client/http-client.js';
import { retryAfterMs } from '../../../foundation/http/client/retry-after.js';
import type { Clock } from '../../../kernel/clock.js';
import { storableText } from '../../../kernel/text.js';
import type { CallScope } from '../erp-call.js';
import { ErpResponseTooLong, ErpUnavailable, type ErpFailure } from '../erp-ledger.js';
import type { ErpAccess } from './erp-access.js';
import type { ErpRequestBudget } from './erp-request-budget.js';

const DEFAULT_RETRY_AFTER_MS = 5_000;
/** As a store does for a bucket of another region; the credentials are for the address that was entered alone. */
const REDIRECTED =
  'which refers to another address and is not followed: correct the address in the connection’s settings, and its region where it has one';
const MAX_RETRY_AFTER_MS = 300_000;
/** Before each repetition of what may be repeated. */
const PAUSES_MS = [200, 800, 3_200];
/** How long a request and its repetitions may take together; what fails for longer is the caller's to plan. */
const MAX_REPEATING_MS = 15_000;

export interface ErpHttpOptions {
  /** Address that paths are appended to, without trailing slash; no other host is ever contacted. */
  readonly baseUrl: string;
  /** The ERP's name in messages, for instance "the ledger". */
  readonly name: string;
  /** Of every request: credentials. Called for each, so that a token may change. */
  headers(): Readonly<Record<string, string>>;
  /** Milliseconds for one exchange; 20,000 by default. */
  readonly timeoutMs?: number;
  readonly maxResponseBytes?: number;
  readonly maxConnections?: number;
  /**
   * The ERP's own sentence in the body of a refusal; at most 500 characters, never a raw body.
   * @returns undefined when the body has none
   */
  messageOf?(body: unknown): string | undefined;
  /**
   * Whether a response of 200 to 299 is the ERP's own, where its body alone does not say so: a proxy responds with 200, too.
   * @returns what it is instead and what mends that, to follow "responded with 200, "; undefined when it is
   */
  foreignResponse?(response: Pick<HttpResponse, 'headers' | 'text'>): string | undefined;
}

export interface ErpRequest extends Pick<HttpRequest, 'method' | 'path' | 'query' | 'timeoutMs'> {
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream, or bytes, are sent unchanged, with a content type among the headers; everything else as JSON. */
  readonly body?: unknown;
}

/** The result of a write, as far as the client knows it (H21). */
export type WriteResult<T> =
  | { readonly kind: 'responded'; readonly value: T }
  /** Certainly no effect, and repeating the request does not help. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** Certainly no effect; another attempt may succeed. */
  | { readonly kind: 'not-sent'; readonly failure: ErpFailure }
  /** The effect may exist. */
  | { readonly kind: 'unknown'; readonly failure: ErpFailure; readonly isTooLong?: true };

export class ErpHttp {
  private readonly client: HttpClient;

  /**
   * @param client options of the connection that are not the adapter's to decide
   * @param requestBudget of the connection: every request takes a place in it
   * @param access whose token each request bears; undefined where the settings have the credentials
   */
  constructor(
    private readonly options: ErpHttpOptions,
    private readonly clock: Clock,
    client: Pick<HttpClientOptions, 'peer' | 'publicHostsOnly' | 'circuit'>,
    private readonly requestBudget: ErpRequestBudget,
    private readonly onCredentials: (isAccepted: boolean) => void = () => undefined,
    private readonly access?: ErpAccess,
  ) {
    this.client = new HttpClient({
      ...client,
      baseUrl: options.baseUrl,
      timeoutMs: options.timeoutMs ?? 20_000,
      maxResponseBytes: options.maxResponseBytes ?? 10 * 1024 * 1024,
      maxConnections: options.maxConnections ?? 8,
    });
  }

  close(): void {
    this.client.close();
  }

  /**
   * A request that changes nothing, whatever its method. One that fails is repeated a few times, where that may help.
   * @returns undefined when the ERP responds with 404
   * @throws ErpUnavailable for everything but a well-formed response, ErpResponseTooLong for one that is too long; the signal's
   * reason
   */
  async read<Schema extends z.ZodType>(
    scope: CallScope,
    schema: Schema,
    request: ErpRequest,
  ): Promise<z.output<Schema> | undefined> {
    const result = await this.repeat(scope, () => this.exchange(scope, schema, request));
    switch (result.kind) {
      case 'responded':
        return result.value;
      case 'refused':
        if (result.status === 404) {
          return undefined;
        }
        throw new ErpUnavailable({ kind: 'server-error', message: result.message });
      case 'not-sent':
        throw new ErpUnavailable(result.failure);
      case 'unknown':
        throw result.isTooLong === true
          ? new ErpResponseTooLong(result.failure.message)
          : new ErpUnavailable(result.failure);
    }
  }

  /**
   * Sends a write once. Before it is sent again the caller looks the key up.
   * @throws what `assertOwner` throws, the signal's reason, the error of a streamed body that fails
   */
  async write<Schema extends z.ZodType>(
    scope: CallScope,
    schema: Schema,
    request: ErpRequest,
  ): Promise<WriteResult<z.output<Schema>>> {
    return this.exchange(scope, schema, request, () => {
      scope.assertOwner();
    });
  }

  /**
   * As `write`, for what the ERP recognizes when it is sent twice: repeated as a read is.
   * @returns `unknown` also for a refusal after an attempt whose effect is unknown: the refusal says nothing about that one (H21)
   */
  async writeRepeatable<Schema extends z.ZodType>(
    scope: CallScope,
    schema: Schema,
    request: ErpRequest,
  ): Promise<WriteResult<z.output<Schema>>> {
    let unknownEffects = 0;
    const last = await this.repeat(scope, async () => {
      const result = await this.write(scope, schema, request);
      unknownEffects += result.kind === 'unknown' ? 1 : 0;
      return result;
    });
    if (unknownEffects === 0 || last.kind === 'responded' || last.kind === 'unknown') {
      return last;
    }
    return last.kind === 'refused' ? unknown('server-error', last.message) : { kind: 'unknown', failure: last.failure };
  }

  private async repeat<T>(scope: CallScope, send: () => Promise<WriteResult<T>>): Promise<WriteResult<T>> {
    const startedMs = this.clock.monotonicMs();
    for (const pauseMs of PAUSES_MS) {
      const result = await send();
      const waitMs = Math.max(pauseMs, requestedPauseMs(result));
      const leftMs = scope.deadline.getTime() - this.clock.now().getTime();
      const spentMs = this.clock.monotonicMs() - startedMs;
      if (!mayBeRepeated(result) || waitMs >= leftMs || spentMs + waitMs > MAX_REPEATING_MS) {
        return result;
      }
      await this.clock.sleep(waitMs, scope.signal);
    }
    return send();
  }

  private async exchange<Schema extends z.ZodType>(
    scope: CallScope,
    schema: Schema,
    request: ErpRequest,
    assertAllowed: () => void = () => undefined,
  ): Promise<WriteResult<z.output<Schema>>> {
    const response = await this.sendAuthorized(scope, request, assertAllowed);
    if ('kind' in response) {
      return response;
    }
    const { status } = response;
    if (status === 429 || (status === 503 && 'retry-after' in response.headers)) {
      this.requestBudget.pause(retryPauseMs(response, this.clock));
    }
    const { name } = this.options;
    const said = `${request.method} ${request.path}: ${name} responded with ${status.toString()}`;
    if (status >= 200 && status <= 299) {
      const foreign = this.options.foreignResponse?.(response);
      if (foreign !== undefined) {
        return unknown('server-error', `${said}, ${foreign}`);
      }
      this.onCredentials(true);
      const parsed = schema.safeParse(parseJson(response.text));
      return parsed.success
        ? { kind: 'responded', value: parsed.data }
        : unknown('server-error', `${request.method} ${request.path}: the response of ${name} has an unknown format`);
    }
    if (status === 401 || status === 403) {
      this.onCredentials(false);
      return notSent('authentication', `${name} does not accept the credentials of the connection`);
    }
    if (status === 429) {
      const failure = { kind: 'rate-limit', message: `the rate limit of ${name} is exceeded` } as const;
      return { kind: 'not-sent', failure: { ...failure, retryAfterMs: retryPauseMs(response, this.clock) } };
    }
    if (status === 408) {
      // Of the server it would mean that the request has not arrived whole; proxies say it of a server that is late.
      return unknown('timeout', said);
    }
    if (status >= 400 && status <= 499) {
      const message = this.options.messageOf?.(parseJson(response.text));
      return { kind: 'refused', status, message: message ?? `${name} responded with ${status.toString()}` };
    }
    return unknown('server-error', status < 400 ? `${said}, ${REDIRECTED}` : said);
  }

  /** A refused access token is renewed once, and what can be sent again is: a 401 says that nothing was done. */
  private async sendAuthorized(
    scope: CallScope,
    request: ErpRequest,
    assertAllowed: () => void,
  ): Promise<HttpResponse | WriteResult<never>> {
    const { access } = this;
    if (access === undefined) {
      return this.sendInTurn(scope, request, assertAllowed);
    }
    try {
      const token = await access.accessToken();
      const response = await this.sendInTurn(scope, bearing(request, token), assertAllowed);
      if ('kind' in response || response.status !== 401) {
        return response;
      }
      const renewed = await access.renewed(token);
      return request.body instanceof Readable
        ? notSent('unreachable', `${this.options.name} has refused an access token, which was renewed`)
        : await this.sendInTurn(scope, bearing(request, renewed), assertAllowed);
    } catch (error) {
      if (error instanceof ErpUnavailable) {
        return { kind: 'not-sent', failure: error.failure };
      }
      throw error;
    }
  }

  private async sendInTurn(
    scope: CallScope,
    request: ErpRequest,
    assertAllowed: () => void,
  ): Promise<HttpResponse | WriteResult<never>> {
    const place = await this.requestBudget.acquire(scope);
    if ('kind' in place) {
      return { kind: 'not-sent', failure: place };
    }
    let hasResponded = false;
    try {
      // After the wait for the place: what comes next is the request.
      assertAllowed();
      const response = await this.send(scope, request);
      hasResponded = 'status' in response ? response.status < 500 : 'isTooLong' in response;
      return response;
    } finally {
      place.release(hasResponded);
    }
  }

  private async send(scope: CallScope, request: ErpRequest): Promise<HttpResponse | WriteResult<never>> {
    scope.signal.throwIfAborted();
    const { body, headers, timeoutMs = this.options.timeoutMs ?? 20_000, ...rest } = request;
    const leftMs = scope.deadline.getTime() - this.clock.now().getTime();
    if (leftMs <= 0) {
      return notSent('timeout', 'the time for this request is over');
    }
    try {
      return await this.client.send({
        ...rest,
        timeoutMs: Math.min(timeoutMs, leftMs),
        headers: {
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...this.options.headers(),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: body instanceof Readable || body instanceof Uint8Array ? body : JSON.stringify(body) }),
      });
    } catch (error) {
      if (error instanceof ResponseTooLong) {
        return { ...unknown('server-error', error.message), isTooLong: true };
      }
      if (error instanceof NoResponse) {
        return error.sent ? unknown('timeout', error.message) : notSent('unreachable', error.message);
      }
      throw error;
    }
  }
}

function bearing(request: ErpRequest, token: string): ErpRequest {
  return { ...request, headers: { ...request.headers, authorization: `Bearer ${token}` } };
}

/** What was never sent is not repeated here: the other side is away, or nothing may be sent to it for now. */
function mayBeRepeated(result: WriteResult<unknown>): boolean {
  return (
    (result.kind === 'unknown' && result.isTooLong !== true) ||
    (result.kind === 'not-sent' && result.failure.kind === 'rate-limit')
  );
}

function requestedPauseMs(result: WriteResult<unknown>): number {
  return 'failure' in result ? (result.failure.retryAfterMs ?? 0) : 0;
}

/** @returns undefined when the text is not JSON; texts in it are storable */
export function parseJson(text: string): unknown {
  try {
    // Only an escape writes what no database takes, and few responses have one.
    return text.includes('\\u') ? JSON.parse(text, storable) : JSON.parse(text);
  } catch {
    return undefined;
  }
}

function storable(_: string, value: unknown): unknown {
  return typeof value === 'string' ? storableText(value) : value;
}

function retryPauseMs({ headers }: HttpResponse, clock: Clock): number {
  // A date is meant by the clock of who sent it.
  const sentMs = Date.parse(headers['date'] ?? '');
  const now = Number.isNaN(sentMs) ? clock.now() : new Date(sentMs);
  return Math.min(retryAfterMs(headers['retry-after'], now) ?? DEFAULT_RETRY_AFTER_MS, MAX_RETRY_AFTER_MS);
}

function notSent(kind: ErpFailure['kind'], message: string): WriteResult<never> {
  return { kind: 'not-sent', failure: { kind, message } };
}

function unknown(kind: ErpFailure['kind'], message: string): WriteResult<never> & { readonly kind: 'unknown' } {
  return { kind: 'unknown', failure: { kind, message } };
}
