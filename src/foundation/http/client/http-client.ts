// The only door out: every call to another system goes through here, so that each has a time limit, a size limit,
// follows no redirect, never runs inside a transaction, and leaves a system alone for a moment that only fails.
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import type { OnApplicationShutdown } from '@nestjs/common';
import axios, { AxiosError, type AxiosInstance } from 'axios';
import {
  circuitBreaker,
  CircuitState,
  ConsecutiveBreaker,
  handleWhen,
  isBrokenCircuitError,
  noop,
  type IPolicy,
} from 'cockatiel';
import { assertOutsideTransaction } from '../../database/transaction.js';
import { describeSpan, inChildSpan, traceHeaders } from '../../tracing/tracing.js';
import { countCall, outcomeOfStatus, recordCircuitState, type CallOutcome } from '../http.metrics.js';
import { closeIdle } from './idle-connections.js';
import { PrivateHost, isPublicHost, publicLookup } from './public-hosts.js';

export interface HttpClientOptions {
  /** Name of the other side in the metrics; absent: its requests are not counted. */
  readonly peer?: string;
  /** Address that paths are appended to, without trailing slash. Only this host is ever contacted. */
  readonly baseUrl: string;
  /** Milliseconds for one whole exchange, connection included. */
  readonly timeoutMs: number;
  /** Longest response in bytes. */
  readonly maxResponseBytes: number;
  readonly maxConnections: number;
  /**
   * True: https only, and the host is not called when it is, or its name leads to, one of an inner network. Absent: it is
   * trusted.
   */
  readonly publicHostsOnly?: boolean;
  /** Paths have something secret in them, which no trace may tell. */
  readonly isPathSecret?: boolean;
  /** Absent: every request is sent, whatever happened to the ones before. */
  readonly circuit?: CircuitOptions;
}

export interface CircuitOptions {
  /** Requests in a row that got no response or a 5xx, of all callers. */
  readonly failuresToOpen: number;
  /** Milliseconds in which nothing is sent then; after them one request tries. */
  readonly openMs: number;
  /** Called whenever that begins. */
  readonly onOpen?: () => void;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path with leading slash, relative to the base address. */
  readonly path: string;
  readonly query?: URLSearchParams;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Body as it goes over the wire; its content type is a header of the caller's. A stream is read at the pace of the other
   * side; the caller destroys it, and its own error is what `send` throws.
   */
  readonly body?: string | Uint8Array | Readable;
  /** Milliseconds instead of the client's own. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/**
 * No usable response came. `sent: false` means the request certainly had no effect (the connection was never made);
 * otherwise the effect is *unknown*, which is not the same as failed (H21).
 */
export class NoResponse extends Error {
  constructor(
    message: string,
    readonly sent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
    this.name = 'NoResponse';
  }
}

/** The other side has answered with more than `maxResponseBytes`: the same request gets the same again. */
export class ResponseTooLong extends NoResponse {
  constructor(message: string) {
    super(message, true);
    this.name = 'ResponseTooLong';
  }
}

/** A connection without a request is closed after it. */
const IDLE_CONNECTION_MS = 30_000;

const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ERR_INVALID_URL',
]);

export class HttpClient implements OnApplicationShutdown {
  private readonly axios: AxiosInstance;
  private readonly agents: readonly [HttpAgent, HttpsAgent];
  private readonly circuit: IPolicy;

  constructor(private readonly options: HttpClientOptions) {
    this.circuit = options.circuit === undefined ? noop : circuitOf(options.circuit, options.peer);
    const lookup = options.publicHostsOnly === true ? { lookup: publicLookup } : {};
    const pool = { keepAlive: true, maxSockets: options.maxConnections, timeout: IDLE_CONNECTION_MS, ...lookup };
    this.agents = [new HttpAgent(pool), new HttpsAgent({ ...pool, minVersion: 'TLSv1.2' })];
    this.axios = axios.create({
      baseURL: options.baseUrl,
      maxRedirects: 0,
      maxContentLength: options.maxResponseBytes,
      proxy: false,
      responseType: 'text',
      transformResponse: (text: unknown) => text,
      transformRequest: (body: unknown) => body,
      validateStatus: () => true,
      httpAgent: this.agents[0],
      httpsAgent: this.agents[1],
      allowAbsoluteUrls: false,
    });
  }

  /**
   * Sends one request and returns whatever status comes back, 3xx included.
   * @throws the body's error when it is a stream that fails.
   * @throws NoResponse when no complete response came in time, or the circuit is open and nothing was sent.
   * @throws Bug when called inside a transaction.
   */
  async send(request: HttpRequest): Promise<HttpResponse> {
    assertOutsideTransaction(`${request.method} ${request.path}`);
    const address = new URL(this.options.baseUrl);
    if (this.options.publicHostsOnly === true && (address.protocol !== 'https:' || !isPublicHost(address))) {
      const needed = address.protocol === 'https:' ? 'no host of the internet' : 'the address has to begin with https';
      throw new NoResponse(`${request.method} ${request.path}: not sent, ${needed}`, false);
    }
    try {
      return await this.circuit.execute(() => this.counted(request));
    } catch (error) {
      if (isBrokenCircuitError(error)) {
        this.count('left-alone');
        const message = 'not sent: the other side has failed for a while and is tried again in a moment';
        throw new NoResponse(`${request.method} ${request.path}: ${message}`, false, { cause: error });
      }
      throw error;
    }
  }

  private async counted(request: HttpRequest): Promise<HttpResponse> {
    try {
      const response = await this.traced(request);
      this.count(outcomeOfStatus(response.status));
      return response;
    } catch (error) {
      this.count('no-answer');
      throw error;
    }
  }

  private async traced(request: HttpRequest): Promise<HttpResponse> {
    const { peer, baseUrl } = this.options;
    const attributes = {
      'http.request.method': request.method,
      'server.address': new URL(baseUrl).hostname,
      ...(this.options.isPathSecret === true ? {} : { 'url.path': request.path }),
      'peer.service': peer,
    };
    return inChildSpan(`${request.method} ${peer ?? 'http'}`, { kind: 'client', attributes }, async () => {
      const response = await this.exchange(request);
      describeSpan({ 'http.response.status_code': response.status });
      return response;
    });
  }

  private count(outcome: CallOutcome): void {
    if (this.options.peer !== undefined) {
      countCall(this.options.peer, outcome);
    }
  }

  private async exchange(request: HttpRequest): Promise<HttpResponse> {
    const timeoutMs = request.timeoutMs ?? this.options.timeoutMs;
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const response = await this.axios.request<string>({
        method: request.method,
        url: request.path,
        ...(request.query === undefined ? {} : { params: request.query }),
        // The library names a form where nothing is sent, and some servers then want one.
        headers: {
          ...(request.body === undefined ? { 'content-type': false } : {}),
          ...request.headers,
          ...traceHeaders(),
        },
        data: request.body,
        signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
      });
      return { status: response.status, headers: plainHeaders(response.headers), text: response.data };
    } catch (error) {
      if (request.body instanceof Readable && request.body.errored !== null) {
        throw request.body.errored;
      }
      if (timeout.aborted) {
        closeIdle(this.agents);
      }
      throw isTooLong(error)
        ? this.tooLong(request)
        : noResponse(error, request, timeout.aborted ? timeoutMs : undefined);
    }
  }

  private tooLong({ method, path }: HttpRequest): ResponseTooLong {
    return new ResponseTooLong(
      `${method} ${path}: the answer is longer than ${this.options.maxResponseBytes.toString()} bytes`,
    );
  }

  close(): void {
    for (const agent of this.agents) {
      agent.destroy();
    }
  }

  onApplicationShutdown(): void {
    this.close();
  }
}

function circuitOf({ failuresToOpen, openMs, onOpen }: CircuitOptions, peer: string | undefined): IPolicy {
  const isFailure = handleWhen(
    (error) => error instanceof NoResponse && !(error instanceof ResponseTooLong),
  ).orWhenResult((response) => (response as HttpResponse).status >= 500);
  const circuit = circuitBreaker(isFailure, {
    halfOpenAfter: openMs,
    breaker: new ConsecutiveBreaker(failuresToOpen),
  });
  if (onOpen !== undefined) {
    circuit.onBreak(onOpen);
  }
  if (peer !== undefined) {
    recordCircuitState(peer, false);
    circuit.onStateChange((state) => {
      // While one request tries it, which may take longer than the pause before it, the system is as far away as before.
      recordCircuitState(peer, state !== CircuitState.Closed);
    });
  }
  return circuit;
}

/** The library has no code of its own for it. */
function isTooLong(error: unknown): boolean {
  return error instanceof AxiosError && error.message.startsWith('maxContentLength ');
}

function plainHeaders(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}

/** Keeps the code and the path; the library's error holds the whole request with its credentials. */
function noResponse(error: unknown, request: HttpRequest, timedOutAfterMs: number | undefined): Error {
  if (!(error instanceof AxiosError)) {
    return error instanceof Error ? error : new Error('the HTTP library threw no Error');
  }
  const isInner = error.cause instanceof PrivateHost;
  const code = isInner ? 'no host of the internet' : (error.code ?? 'no code');
  const reason = timedOutAfterMs === undefined ? code : `no answer within ${timedOutAfterMs.toString()} ms`;
  return new NoResponse(`${request.method} ${request.path}: ${reason}`, !isInner && !NEVER_SENT.has(code));
}
