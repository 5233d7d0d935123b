import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { AuthorizationLost, InvalidPlatformResponse, PlatformRefusal } from '../../platform/platform-error.js';

/** For the customer's administrator: why connecting stopped, and what to do about it. */
export function connectionProblem(error: unknown): string {
  if (error instanceof AuthorizationLost) {
    return 'The platform no longer accepts the authorization. Connect the company again, or replace the API key.';
  }
  if (error instanceof PlatformRefusal) {
    return error.status === 403
      ? `The platform refuses access (${refusal(error)}). Allow everything the connector requests and connect again.`
      : `The platform responded ${refusal(error)}. The connector tries again by itself.`;
  }
  if (error instanceof NoResponse) {
    return 'The platform did not respond. The connector tries again by itself.';
  }
  if (error instanceof InvalidPlatformResponse) {
    return 'The platform sent an invalid response. The connector tries again by itself.';
  }
  return 'The connector has an internal error. It tries again by itself.';
}

/** Only the platform's code: its message is untrusted text. */
function refusal({ status, type }: PlatformRefusal): string {
  const code = /^[A-Z_]{1,60}$/.test(type) ? ` ${type}` : '';
  return `${status.toString()}${code}`;
}
