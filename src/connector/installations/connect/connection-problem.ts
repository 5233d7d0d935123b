import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { message, type Message } from '../../../kernel/message.js';
import { AuthorizationLost, InvalidPlatformResponse, PlatformRefusal } from '../../platform/platform-error.js';

/** For the customer's administrator: why connecting stopped, and what to do about it. */
export function connectionProblem(error: unknown): Message {
  if (error instanceof AuthorizationLost) {
    return message('connection.problem.authorization-lost');
  }
  if (error instanceof PlatformRefusal) {
    const code = error.status === 403 ? 'connection.problem.no-access' : 'connection.problem.refused';
    return message(code, { refusal: refusal(error) });
  }
  if (error instanceof NoResponse) {
    return message('connection.problem.no-response');
  }
  if (error instanceof InvalidPlatformResponse) {
    return message('connection.problem.invalid-response');
  }
  return message('connection.problem.internal');
}

/** Only the platform's code: its message is untrusted text. */
function refusal({ status, type }: PlatformRefusal): string {
  const code = /^[A-Z_]{1,60}$/.test(type) ? ` ${type}` : '';
  return `${status.toString()}${code}`;
}
