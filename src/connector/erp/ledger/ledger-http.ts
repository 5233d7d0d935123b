// One exchange with the ledger, and what an answer means: for a question, and for a write whose effect may exist.
import { Readable } from 'node:stream';
import type { z } from 'zod';
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
  /** A stream goes out as it is, with a content type among the headers; everything else as JSON. */
  readonly body?: unknown;
}

/** How a write ended, seen from here (H21). */
export type WriteResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** Surely no effect, and the same request will not do better. */
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  /** Surely no effect; another attempt may succeed. */
  | { readonly kind: 'not-sent'; readonly failure: ErpFailure }
  /** The effect may exist. */
  | { readonly kind: 'unknown'; readonly failure: ErpFailure };

export class LedgerHttp {
  constructor(
    private readonly httpClient: HttpClient,
    private readonly secret: Secret,
  ) {}

  /**
   * Asks something.
   * @returns undefined when the ledger answers 404
   * @throws ErpUnavailable for everything but a well-formed answer
   */
  async read<Schema extends z.ZodType>(
    schema: Schema,
    request: LedgerRequest,
  ): Promise<z.output<Schema> | undefined> {
    const result = await this.write(schema, request);
    switch (result.kind) {
      case 'answered':
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
   * Sends a write once. Whoever repeats it has looked first, or sends a key the ledger keeps.
   * @throws the error of a body that is a stream and fails
   */
  async write<Schema extends z.ZodType>(
    schema: Schema,
    request: LedgerRequest,
  ): Promise<WriteResult<z.output<Schema>>> {
    const answer = await this.send(request);
    if ('kind' in answer) {
      return answer;
    }
    const { status } = answer;
    if (status >= 200 && status <= 299) {
      return parseResponse(schema, answer, request);
    }
    if (status === 401 || status === 403) {
      return notSent('authentication', 'the ledger does not accept the configured key (LEDGER_API_KEY)');
    }
    if (status === 429) {
      return {
        kind: 'not-sent',
        failure: {
          kind: 'rate-limit',
          message: 'the ledger asks to slow down',
          retryAfterMs: retryAfterMs(answer),
        },
      };
    }
    if (status >= 400 && status <= 499) {
      return { kind: 'refused', status, message: errorMessageOf(answer) };
    }
    return unknown(
      'server-error',
      `${request.method} ${request.path}: the ledger answered ${status.toString()}`,
    );
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

export function companyPath(company: ErpCompanyId): string {
  return `/companies/${encodeURIComponent(company)}`;
}

/** An answer that does not fit tells nothing about the effect. */
function parseResponse<Schema extends z.ZodType>(
  schema: Schema,
  answer: HttpResponse,
  request: LedgerRequest,
): WriteResult<z.output<Schema>> {
  const parsed = schema.safeParse(parseJson(answer.text));
  return parsed.success
    ? { kind: 'answered', value: parsed.data }
    : unknown('server-error', `${request.method} ${request.path}: the ledger's answer has an unknown form`);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The ledger's own sentence, when it is one; never a raw body. */
function errorMessageOf(answer: HttpResponse): string {
  const problem = problemSchema.safeParse(parseJson(answer.text));
  return problem.success
    ? cutText(problem.data.detail, MAX_MESSAGE_LENGTH)
    : `the ledger answered ${answer.status.toString()}`;
}

function retryAfterMs(answer: HttpResponse): number {
  const text = answer.headers['retry-after'] ?? '';
  return /^\d{1,6}$/.test(text) ? Math.min(Number(text) * 1_000, MAX_RETRY_AFTER_MS) : DEFAULT_RETRY_AFTER_MS;
}

function notSent(kind: ErpFailure['kind'], message: string): WriteResult<never> {
  return { kind: 'not-sent', failure: { kind, message } };
}

function unknown(kind: ErpFailure['kind'], message: string): WriteResult<never> {
  return { kind: 'unknown', failure: { kind, message } };
}
