// The HTTP client for files at addresses from outside: each is fetched without credentials, from an allowed host
// only, follows no redirect, has limits of time and size that hold whatever the other side says, and goes through in
// small pieces.
import { Agent as HttpAgent, get, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, get as getSecurely } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';
import type { OnApplicationShutdown } from '@nestjs/common';
import { circuitBreaker, ConsecutiveBreaker, handleWhen, isBrokenCircuitError, type IPolicy } from 'cockatiel';
import { assertOutsideTransaction } from '../../database/transaction.js';
import { inChildSpan } from '../../tracing/tracing.js';
import type { CircuitOptions } from './http-client.js';
import { closeIdle } from './idle-connections.js';
import { PrivateHost, isPublicHost, publicLookup } from './public-hosts.js';
import { TimeBudget } from '../time-budget.js';

export interface FileClientOptions {
  /** Milliseconds from looking the host up to the end of the TLS handshake. */
  readonly connectMs: number;
  /** Longest silence in milliseconds: until the response begins, and between two pieces of it. */
  readonly idleMs: number;
  /** Milliseconds spent on waiting for the other side over the whole file; the taker's own time is not counted. */
  readonly totalMs: number;
  readonly maxBytes: number;
  /** True: https only, and no host of an inner network. */
  readonly publicHostsOnly: boolean;
  /** When a host is left alone for a moment: after time-outs, broken connections and 5xx in a row. */
  readonly circuit: CircuitOptions;
}

export interface FileRequest {
  /** Absolute. */
  readonly url: string;
  /** Counts only where the response does not say how long it is. */
  readonly expectedBytes?: number | undefined;
  readonly signal: AbortSignal;
}

export interface FetchedFile {
  /** As the response has it; undefined when it says nothing. */
  readonly contentType: string | undefined;
  /** Fails with `FileNotFetched`. */
  readonly content: Readable;
}

export type FetchProblem =
  /** Not one we call. */
  | 'address'
  /** A response, but not the file. */
  | 'status'
  /** No connection, or it broke. */
  | 'connection'
  | 'timeout'
  | 'too-large'
  /** The host has failed for a while and was not called. */
  | 'left-alone';

export class FileNotFetched extends Error {
  constructor(
    readonly problem: FetchProblem,
    message: string,
    /** Of a response with another status than 200. */
    readonly status?: number,
  ) {
    super(message);
    this.name = 'FileNotFetched';
  }
}

const MAX_URL_LENGTH = 8_192;
/** Hosts whose failures are counted; the one heard of longest ago is forgotten first. */
const MAX_ORIGINS = 1_000;
const CHUNK_BYTES = 65_536;
const MAX_CONNECTIONS = 4;

export class FileClient implements OnApplicationShutdown {
  private readonly agents: readonly [HttpAgent, HttpsAgent];
  private readonly circuits = new Map<string, IPolicy>();

  constructor(private readonly options: FileClientOptions) {
    const lookup: { lookup?: LookupFunction } = options.publicHostsOnly ? { lookup: publicLookup } : {};
    const pool = { keepAlive: true, maxFreeSockets: MAX_CONNECTIONS, ...lookup };
    this.agents = [new HttpAgent(pool), new HttpsAgent({ ...pool, minVersion: 'TLSv1.2' })];
  }

  /**
   * Fetches a file and hands it over while it comes.
   * @param take reads the content once, or leaves it; when the fetch fails it may end in any way
   * @returns what `take` returns
   * @throws FileNotFetched; whatever `take` throws; the signal's reason; Bug when called inside a transaction
   */
  async read<T>(request: FileRequest, take: (file: FetchedFile) => Promise<T>): Promise<T> {
    const url = this.allowed(request.url);
    assertOutsideTransaction(`GET ${url.origin}`);
    // Not the path: addresses of files open them.
    const attributes = { 'server.address': url.hostname };
    try {
      return await inChildSpan('GET file', { kind: 'client', attributes }, () =>
        this.circuitOf(url.origin).execute(() => this.transfer(url, request, take)),
      );
    } catch (error) {
      throw isBrokenCircuitError(error)
        ? new FileNotFetched('left-alone', `${url.host} has failed for a while and is tried again in a moment`)
        : error;
    }
  }

  close(): void {
    for (const agent of this.agents) {
      agent.destroy();
    }
  }

  onApplicationShutdown(): void {
    this.close();
  }

  private allowed(text: string): URL {
    const url = text.length <= MAX_URL_LENGTH && URL.canParse(text) ? new URL(text) : undefined;
    if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
      throw new FileNotFetched('address', 'its address is no http address');
    }
    if (url.username !== '' || url.password !== '') {
      throw new FileNotFetched('address', 'its address contains credentials');
    }
    if (this.options.publicHostsOnly) {
      assertPublic(url);
    }
    return url;
  }

  private circuitOf(origin: string): IPolicy {
    const circuit = this.circuits.get(origin) ?? newCircuit(this.options.circuit);
    this.circuits.delete(origin);
    this.circuits.set(origin, circuit);
    const [oldest] = this.circuits.keys();
    if (this.circuits.size > MAX_ORIGINS && oldest !== undefined) {
      this.circuits.delete(oldest);
    }
    return circuit;
  }

  private async transfer<T>(url: URL, request: FileRequest, take: (file: FetchedFile) => Promise<T>): Promise<T> {
    const waiting = new TimeBudget(this.options.totalMs, request.signal);
    const response = await this.requestFile(url, waiting);
    const source = this.chunksOf(response, request, waiting);
    const content = Readable.from(source.pieces, { objectMode: false, highWaterMark: CHUNK_BYTES });
    // Its reader may have left by then.
    content.on('error', () => undefined);
    try {
      assertComplete(response, this.options.maxBytes);
      const taken = await take({ contentType: response.headers['content-type'], content });
      throwIfAny(source.failure());
      return taken;
    } catch (error) {
      throw source.failure() ?? error;
    } finally {
      response.destroy();
      content.destroy();
    }
  }

  private async requestFile(url: URL, waiting: TimeBudget): Promise<IncomingMessage> {
    const [plain, secure] = this.agents;
    const headers = { accept: '*/*', 'accept-encoding': 'identity' };
    const isSecure = url.protocol === 'https:';
    const sending = isSecure ? getSecurely(url, { agent: secure, headers }) : get(url, { agent: plain, headers });
    const failed = Promise.withResolvers<never>();
    sending.on('error', failed.reject);
    const connected = new Promise<void>((resolve) => {
      sending.once('socket', (socket) => {
        if (socket.connecting) {
          socket.once(isSecure ? 'secureConnect' : 'connect', resolve);
        } else {
          resolve();
        }
      });
    });
    const answered = new Promise<IncomingMessage>((resolve) => sending.once('response', resolve));
    try {
      await waiting.waitAtMost(this.options.connectMs, Promise.race([connected, failed.promise]));
      return await waiting.waitAtMost(this.options.idleMs, Promise.race([answered, failed.promise]));
    } catch (error) {
      sending.destroy();
      if (waiting.isExpired) {
        closeIdle(this.agents);
      }
      throw failureOf(error, waiting);
    }
  }

  private chunksOf(response: IncomingMessage, { expectedBytes }: FileRequest, waiting: TimeBudget) {
    const { idleMs, maxBytes } = this.options;
    let failure: FileNotFetched | undefined;
    async function* pieces(): AsyncGenerator<Buffer, void, undefined> {
      const source: AsyncIterator<Buffer> = response[Symbol.asyncIterator]();
      let bytes = 0;
      try {
        for (;;) {
          const next = await waiting.waitAtMost(idleMs, source.next());
          if (next.done === true) {
            break;
          }
          bytes += next.value.length;
          if (bytes > maxBytes) {
            throw tooLarge(maxBytes);
          }
          yield next.value;
        }
        if (expectedBytes !== undefined && bytes !== expectedBytes && !declaresLength(response)) {
          throw new FileNotFetched('connection', `it ended after ${bytes.toString()} bytes`);
        }
      } catch (error) {
        const found = failureOf(error, waiting);
        failure = found instanceof FileNotFetched ? found : undefined;
        throw found;
      }
    }
    return { pieces: pieces(), failure: () => failure };
  }
}

function throwIfAny(failure: FileNotFetched | undefined): void {
  if (failure !== undefined) {
    throw failure;
  }
}

function newCircuit({ failuresToOpen, openMs }: CircuitOptions): IPolicy {
  return circuitBreaker(
    handleWhen((error) => error instanceof FileNotFetched && isHostFault(error)),
    { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failuresToOpen) },
  );
}

function isHostFault({ problem, status = 0 }: FileNotFetched): boolean {
  return problem === 'connection' || problem === 'timeout' || (problem === 'status' && status >= 500);
}

/** @throws FileNotFetched */
function assertPublic(url: URL): void {
  if (url.protocol !== 'https:') {
    throw new FileNotFetched('address', 'its address is no https address');
  }
  if (!isPublicHost(url)) {
    throw new FileNotFetched('address', 'its address is no host of the internet');
  }
}

/** @throws FileNotFetched when the response is not the file, or says that it is too long */
function assertComplete(response: IncomingMessage, maxBytes: number): void {
  const { statusCode: status = 0, headers } = response;
  if (status !== 200) {
    throw new FileNotFetched('status', `its host answered ${status.toString()}`, status);
  }
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') {
    throw new FileNotFetched('status', 'its host sent it in an encoding that was not asked for', status);
  }
  if (Number(headers['content-length'] ?? 0) > maxBytes) {
    throw tooLarge(maxBytes);
  }
}

function declaresLength({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
}

function tooLarge(maxBytes: number): FileNotFetched {
  return new FileNotFetched('too-large', `it has more than ${maxBytes.toString()} bytes`);
}

/** The signal's reason stays as it is; of any other error on a connection only the code is kept. */
function failureOf(error: unknown, waiting: TimeBudget): unknown {
  if (waiting.isAborted || error instanceof FileNotFetched) {
    return error;
  }
  if (waiting.isExpired) {
    return new FileNotFetched('timeout', 'its host did not send it in time');
  }
  if (error instanceof PrivateHost) {
    return new FileNotFetched('address', 'its address is no host of the internet');
  }
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  const reason = typeof code === 'string' ? ` (${code})` : '';
  return new FileNotFetched('connection', `the connection to its host failed${reason}`);
}
