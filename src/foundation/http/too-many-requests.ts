import { message } from '../../kernel/message.js';
import { Problem } from './problem.js';

/** @param waitMs until it makes sense to ask again */
export function tooManyRequests(waitMs: number): Problem {
  const seconds = Math.ceil(waitMs / 1_000).toString();
  const detail = `These are too many requests in a minute. Nothing was done; try again in ${seconds} s.`;
  return new Problem({
    status: 429,
    type: 'too-many-requests',
    detail,
    message: message('problem.too-many-requests.detail', { seconds }),
    headers: { 'retry-after': seconds },
  });
}
