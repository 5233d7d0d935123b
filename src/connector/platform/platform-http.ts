// One request to the Integration API: a slot of the request budget, bearer header, retry of what may be repeated, errors
// as types, the platform's clock.
import { DelegateBackoff, handleWhen, retry, type RetryPolicy } from 'cockatiel';
import {
  ResponseTooLong,
  type HttpResponse,
  type HttpClient,
  type HttpRequest,
} from '../../foundation/http/client/http-client.js';
import type { Clock } from '../../kernel/clock.js';
import { Retryable } from '../../kernel/faults.js';
import { cutText, storableText } from '../../kernel/text.js';
import { AuthorizationLost, isTransient, PlatformRefusal } from './platform-error.js';
import { BudgetExhausted, InteractiveShareExhausted, type Requester, type RequestBudget } from './request-budget.js';
import { requestedPauseMs, retryAfterMs } from '../../foundation/http/client/retry-after.js';

/** An API key, and the form in which the platform takes it: as user name without password, or as a bearer token. */
export class ApiKey {
  constructor(
    readonly text: string,
    readonly presentation: 'basic' | 'bearer',
  ) {}
}

/** Gives what acts for one installation, an access token or an API key; refreshing is the owner's business (installations). */
export interface PlatformAuthorization {
  /** Whose share of the request budget its requests take; the connector's own work where it is not said. */
  readonly requester?: Requester;
  /** @throws AuthorizationLost when there is none any more */
  accessToken(): Promise<string | ApiKey>;
  /** A token or key other than the one the platform has just rejected. */
  renewed(rejected: string): Promise<string | ApiKey>;
}

export type PlatformRequest = Pick<HttpRequest, 'method' | 'path' | 'query'> & { readonly body?: unknown };

const ATTEMPTS = 4;
const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 15_000;
const MAX_REQUESTED_DELAY_MS = 60_000;
const DEFAULT_PAUSE_MS = 1_000;
const MAX_MESSAGE_LENGTH = 500;

export class PlatformHttp {
  private readonly retries: RetryPolicy;
  private clockOffsetMs = 0;

  constructor(
    private readonly httpClient: HttpClient,
    private readonly clock: Clock,
    private readonly requestBudget: RequestBudget,
  ) {
    this.retries = retry(handleWhen(isRetryableSoon), {
      maxAttempts: ATTEMPTS - 1,
      backoff: new DelegateBackoff((context) => delayBefore(context.attempt, errorOf(context.result))),
    });
  }

  /** The platform's own time, by the `Date` header of its last response: expiry is measured on its clock. */
  platformNow(): Date {
    return new Date(this.clock.now().getTime() + this.clockOffsetMs);
  }

  /**
   * Sends a request that is safe to repeat: a read, or a write that the platform de-duplicates.
   * @param read takes the result out of the response; where it throws InvalidPlatformResponse the request is repeated
   * @throws PlatformRefusal, NoResponse or InvalidPlatformResponse after the last attempt; AuthorizationLost
   */
  async fetch<T>(
    authorization: PlatformAuthorization,
    request: PlatformRequest,
    read: (response: HttpResponse) => T,
  ): Promise<T> {
    return this.retries.execute(async () => read(await this.sendOnce(authorization, request)));
  }

  /** As `fetch`, without repeating and with any 2xx: the caller decides what counts, and what an unknown outcome means. */
  async sendOnce(authorization: PlatformAuthorization, request: PlatformRequest): Promise<HttpResponse> {
    const token = await tokenOf(() => authorization.accessToken());
    const { requester = 'connector' } = authorization;
    const first = await this.exchange(token, request, requester);
    const response =
      first.status === 401
        ? await this.exchange(await tokenOf(() => authorization.renewed(textOf(token))), request, requester)
        : first;
    if (response.status < 200 || response.status > 299) {
      const refusal = refusalOf(response, this.platformNow());
      if (refusal.status === 429) {
        await this.requestBudget.pause(refusal.retryAfterMs ?? DEFAULT_PAUSE_MS);
      }
      throw refusal;
    }
    return response;
  }

  private async exchange(
    token: string | ApiKey,
    request: PlatformRequest,
    requester: Requester,
  ): Promise<HttpResponse> {
    await this.requestBudget.acquire(requester);
    const response = await this.httpClient.send({
      method: request.method,
      path: request.path,
      ...(request.query === undefined ? {} : { query: request.query }),
      headers: {
        accept: 'application/json',
        authorization: headerOf(token),
        ...(request.body === undefined ? {} : { 'content-type': 'application/json;charset=UTF-8' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    });
    const platformTime = Date.parse(response.headers['date'] ?? '');
    if (!Number.isNaN(platformTime)) {
      this.clockOffsetMs = platformTime - this.clock.now().getTime();
    }
    return response;
  }
}

/** A refresh token works once: what went wrong in getting a token is never repeated together with the request. */
async function tokenOf(get: () => Promise<string | ApiKey>): Promise<string | ApiKey> {
  try {
    return await get();
  } catch (error) {
    throw error instanceof AuthorizationLost ? error : new Retryable('no access token could be had', { cause: error });
  }
}

function textOf(token: string | ApiKey): string {
  return typeof token === 'string' ? token : token.text;
}

/** An API key is documented as Basic and as Bearer (P0.3). */
function headerOf(token: string | ApiKey): string {
  return typeof token !== 'string' && token.presentation === 'basic'
    ? `Basic ${Buffer.from(`${token.text}:`).toString('base64')}`
    : `Bearer ${textOf(token)}`;
}

/** A wait too long for one call is left to the caller: the error says how long. */
export function isRetryableSoon(error: unknown): boolean {
  const isBusy = error instanceof BudgetExhausted && !(error instanceof InteractiveShareExhausted);
  const mayChange = isTransient(error) && !(error instanceof ResponseTooLong);
  return (mayChange || isBusy) && requestedPauseMs(error) <= MAX_REQUESTED_DELAY_MS;
}

/** Exponential with full jitter, or what the platform asks for when that is longer. */
function delayBefore(attempt: number, error: unknown): number {
  const ceiling = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** attempt);
  const jittered = ceiling / 2 + ((crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32) * (ceiling / 2);
  return Math.max(jittered, requestedPauseMs(error));
}

function errorOf(result: object): unknown {
  return 'error' in result ? result.error : undefined;
}

function refusalOf(response: HttpResponse, now: Date): PlatformRefusal {
  const info = errorInfo(response.text);
  return new PlatformRefusal(
    response.status,
    info.type,
    cutText(storableText(info.message), MAX_MESSAGE_LENGTH),
    retryAfterMs(response.headers['retry-after'], now),
  );
}

/** `{type, message}` where the body has it (P0.4); a body of another shape says nothing to us. */
function errorInfo(text: string): { readonly type: string; readonly message: string } {
  try {
    const body: unknown = JSON.parse(text);
    const field = (name: string): string => {
      const value: unknown = body !== null && typeof body === 'object' ? Reflect.get(body, name) : undefined;
      return typeof value === 'string' ? value : '';
    };
    return { type: field('type'), message: field('message') };
  } catch {
    return { type: '', message: '' };
  }
}
