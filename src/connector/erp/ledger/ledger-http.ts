// One exchange with the ledger, and the meaning of a response: to a read, and to a write whose effect may exist.
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Secret } from '../../../foundation/config/secret.js';
import {
  NoResponse,
  type HttpResponse,
  type HttpClient,
  type HttpRequest,
} from '../../../foundation/http/client/http-client.js';
import type { ErpCompanyId } from '../../../kernel/ids.js';
import { cutText } from '../../../kernel/text.js';
import { ErpUnavailable, type ErpFailure } from '../erp-ledger.js';
import { problemSchema } from './ledger-wire.schema.js';

const MAX_MESSAGE_LENGTH = 500;
const DEFAULT_RETRY_AFTER_MS = 5_000;
const MAX_RETRY_AFTER_MS = 300_000;

export interface LedgerRequest extends Pick<HttpRequest, 'method' | 'path' | 'query' | 'timeoutMs'> {
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent unchanged, with a content type among the headers; everything else as JSON. */
  readonly body?: unknown;
}

/** The result of a write, as far as the client knows it (H21). */
export type WriteResult<T> =
  | { readonly kind: 'responded'; readonly value: T }
  /** Surely no effect, and the same request will not do better. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** Surely no effect; another attempt may succeed. */
  | { readonly kind: 'not-sent'; readonly failure: ErpFailure }
  /** The effect may exist. */
  | { readonly kind: 'unknown'; readonly failure: ErpFailure };

const PAGE_ROWS = 1_000;
/** A list with more pages is taken for endless. */
const MAX_PAGES = 1_000;

export class LedgerHttp {
  constructor(
    private readonly httpClient: HttpClient,
    private readonly secret: Secret,
  ) {}

  /**
   * @returns undefined when the ledger responds with 404
   * @throws ErpUnavailable for everything but a well-formed response
   */
  async read<Schema extends z.ZodType>(schema: Schema, request: LedgerRequest): Promise<z.output<Schema> | undefined> {
    const result = await this.write(schema, request);
    switch (result.kind) {
      case 'responded':
        return result.value;
      case 'refused':
        if (result.status === 404) {
          return undefined;
        }
        throw new ErpUnavailable({ kind: 'server-error', message: result.message });
      case 'not-sent':
      case 'unknown':
        throw new ErpUnavailable(result.failure);
    }
  }

  /**
   * Reads a list to its end.
   * @param filter query parameters
   * @returns undefined when the ledger responds with 404
   * @throws ErpUnavailable also when the list does not end
   */
  async readAll<Schema extends z.ZodType>(
    schema: Schema,
    path: string,
    filter: Readonly<Record<string, string>> = {},
  ): Promise<readonly z.output<Schema>[] | undefined> {
    const page = z.object({ data: z.array(schema), nextCursor: z.string().nullable() });
    const rows: z.output<Schema>[] = [];
    const query = new URLSearchParams({ ...filter, limit: PAGE_ROWS.toString() });
    for (let pages = 0; pages < MAX_PAGES; pages += 1) {
      const response = await this.read(page, { method: 'GET', path, query });
      if (response === undefined) {
        return undefined;
      }
      rows.push(...response.data);
      if (response.nextCursor === null) {
        return rows;
      }
      query.set('after', response.nextCursor);
    }
    throw new ErpUnavailable({
      kind: 'server-error',
      message: `the list ${path} of the ledger does not end`,
    });
  }

  /**
   * Sends a write once. Before a repetition the caller looks the key up, or the ledger recognizes the key.
   * @throws the error of a streamed body that fails
   */
  async write<Schema extends z.ZodType>(
    schema: Schema,
    request: LedgerRequest,
  ): Promise<WriteResult<z.output<Schema>>> {
    const response = await this.send(request);
    if ('kind' in response) {
      return response;
    }
    const { status } = response;
    if (status >= 200 && status <= 299) {
      return parseResponse(schema, response, request);
    }
    if (status === 401 || status === 403) {
      return notSent('authentication', 'the ledger does not accept the configured key (LEDGER_API_KEY)');
    }
    if (status === 429) {
      return {
        kind: 'not-sent',
        failure: {
          kind: 'rate-limit',
          message: 'the rate limit of the ledger is exceeded',
          retryAfterMs: retryAfterMs(response),
        },
      };
    }
    if (status >= 400 && status <= 499) {
      return { kind: 'refused', status, message: errorMessageOf(response) };
    }
    return unknown('server-error', `${request.method} ${request.path}: the ledger responded with ${status.toString()}`);
  }

  private async send(request: LedgerRequest): Promise<HttpResponse | WriteResult<never>> {
    const { body, headers, ...rest } = request;
    try {
      return await this.httpClient.send({
        ...rest,
        headers: {
          authorization: `Bearer ${this.secret.reveal()}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: body instanceof Readable ? body : JSON.stringify(body) }),
      });
    } catch (error) {
      if (error instanceof NoResponse) {
        return error.sent ? unknown('timeout', error.message) : notSent('unreachable', error.message);
      }
      throw error;
    }
  }
}

/** Keys or groups that the ledger takes in one request. */
const BATCH_SIZE = 500;

export function batches<T>(values: readonly T[]): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(values.length / BATCH_SIZE) }, (_, index) =>
    values.slice(index * BATCH_SIZE, (index + 1) * BATCH_SIZE),
  );
}

export function companyPath(company: ErpCompanyId): string {
  return `/companies/${encodeURIComponent(company)}`;
}

/** After a malformed response the effect of a write is unknown. */
function parseResponse<Schema extends z.ZodType>(
  schema: Schema,
  response: HttpResponse,
  request: LedgerRequest,
): WriteResult<z.output<Schema>> {
  const parsed = schema.safeParse(parseJson(response.text));
  return parsed.success
    ? { kind: 'responded', value: parsed.data }
    : unknown('server-error', `${request.method} ${request.path}: the ledger's response has an unknown format`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The sentence of the ledger's problem; never a raw body. */
function errorMessageOf(response: HttpResponse): string {
  const problem = problemSchema.safeParse(parseJson(response.text));
  return problem.success
    ? cutText(problem.data.detail, MAX_MESSAGE_LENGTH)
    : `the ledger responded with ${response.status.toString()}`;
}

function retryAfterMs(response: HttpResponse): number {
  const text = response.headers['retry-after'] ?? '';
  return /^\d{1,6}$/.test(text) ? Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS) : DEFAULT_RETRY_AFTER_MS;
}

function notSent(kind: ErpFailure['kind'], message: string): WriteResult<never> {
  return { kind: 'not-sent', failure: { kind, message } };
}

function unknown(kind: ErpFailure['kind'], message: string): WriteResult<never> {
  return { kind: 'unknown', failure: { kind, message } };
}
