import { message } from '../../kernel/message.js';
import { Problem } from './problem.js';

const TEXTS = {
  minute: { code: 'problem.too-many-requests.detail', begin: 'These are too many requests in a minute.' },
  bodies: { code: 'problem.too-many-requests.bodies', begin: 'Too much is being sent at the same time.' },
} as const;

/**
 * @param waitMs until it makes sense to ask again
 * @param of what there is too much: requests in a minute, or bodies of requests that have not been answered
 */
export function tooManyRequests(waitMs: number, of: keyof typeof TEXTS = 'minute'): Problem {
  const seconds = Math.ceil(waitMs / 1_000).toString();
  const { code, begin } = TEXTS[of];
  return new Problem({
    status: 429,
    type: 'too-many-requests',
    detail: `${begin} Nothing was done; try again in ${seconds} s.`,
    message: message(code, { seconds }),
    headers: { 'retry-after': seconds },
  });
}
