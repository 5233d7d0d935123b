import { message } from '../../../kernel/message.js';
import { Problem } from '../problem.js';

const MAX_PARAMETER_LENGTH = 2_048;
/** What an authorization server may send as a code or a state (RFC 6749, appendix A). */
const VISIBLE = /^[\x20-\x7e]+$/;

/**
 * @param url of the request, as it came
 * @throws Problem 400 for a query that no authorization server sends: repeated or oversized parameters
 */
export function callbackQuery(url: string): URLSearchParams {
  const query = new URL(url, 'http://callback').searchParams;
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (values.length > 1 || (values[0] ?? '').length > MAX_PARAMETER_LENGTH) {
      throw invalidCallback(
        `The parameter "${name.slice(0, 40)}" is repeated or too long.`,
        'repeated',
        name.slice(0, 40),
      );
    }
  }
  return query;
}

/** @returns the parameter @throws Problem 400 without it */
export function requireVisible(query: URLSearchParams, name: string): string {
  const value = query.get(name) ?? '';
  if (!VISIBLE.test(value)) {
    throw invalidCallback(`The parameter "${name}" is required, in visible characters.`, 'missing', name);
  }
  return value;
}

function invalidCallback(detail: string, wrong: string, name: string): Problem {
  const text = message(`problem.invalid-callback.${wrong}`, { name });
  return new Problem({ status: 400, type: 'invalid-callback', detail, message: text });
}
