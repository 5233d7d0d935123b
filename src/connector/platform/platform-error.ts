import { NoResponse } from '../../foundation/http/client/http-client.js';

/** Request time-out, too early, too many requests. */
const MAY_SUCCEED_LATER: ReadonlySet<number> = new Set([408, 425, 429]);

/** The platform refused the request. `type` and `message` are its own texts, shortened. */
export class PlatformRefusal extends Error {
  constructor(
    readonly status: number,
    readonly type: string,
    message: string,
    /** Milliseconds the platform asks us to wait, from `Retry-After`. */
    readonly retryAfterMs: number | undefined,
  ) {
    super(message);
    this.name = 'PlatformRefusal';
  }
}

/** The platform sent a response that its interface does not allow. */
export class InvalidPlatformResponse extends Error {
  override readonly name: string = 'InvalidPlatformResponse';
}

/** The platform gave less than the connector needs, so nothing of it is kept. */
export class IncompleteGrant extends InvalidPlatformResponse {
  override readonly name = 'IncompleteGrant';

  constructor(
    message: string,
    readonly missingScopes: readonly string[],
  ) {
    super(message);
  }
}

/** The installation's grant is dead: only a person can connect again (P3.4). */
export class AuthorizationLost extends Error {
  override readonly name = 'AuthorizationLost';
}

/** True when the platform itself says that it does not have what was asked for; a page of something between says nothing (P0.4). */
export function isNotFound(error: unknown): boolean {
  return error instanceof PlatformRefusal && error.status === 404 && error.type !== '';
}

/** True when the platform did not give what it was asked for: it refused, sent something else, or did not answer. */
export function isWithoutAnswer(error: unknown): error is PlatformRefusal | InvalidPlatformResponse | NoResponse {
  return error instanceof PlatformRefusal || error instanceof InvalidPlatformResponse || error instanceof NoResponse;
}

/** True when the same request may succeed a moment later. */
export function isTransient(error: unknown): boolean {
  if (error instanceof PlatformRefusal) {
    return MAY_SUCCEED_LATER.has(error.status) || error.status >= 500;
  }
  return error instanceof NoResponse || error instanceof InvalidPlatformResponse;
}
