import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { AuthorizationLost, InvalidPlatformResponse, PlatformRefusal } from '../../platform/platform-error.js';

/** Why a callback gives no authorization, for connecting and signing in alike. */
export type FailedAuthorization =
  /** State unknown, used, older than ten minutes, or of another browser. */
  | { readonly outcome: 'attempt-unknown' }
  | { readonly outcome: 'refused'; readonly reason: string }
  | { readonly outcome: 'platform-unusable'; readonly reason: string };

/** @throws the error itself when it does not come from the platform */
export function failureOf(error: unknown): FailedAuthorization {
  if (error instanceof AuthorizationLost || (error instanceof PlatformRefusal && error.status < 500)) {
    return { outcome: 'refused', reason: error.message };
  }
  if (error instanceof InvalidPlatformResponse || error instanceof NoResponse || error instanceof PlatformRefusal) {
    return { outcome: 'platform-unusable', reason: error.message };
  }
  throw error;
}
