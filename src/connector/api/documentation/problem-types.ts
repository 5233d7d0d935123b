import { PROBLEMS } from '../http/problems.js';

export interface ProblemTypeView {
  /** As in `type`, behind `urn:problem:`. */
  readonly name: string;
  readonly type: string;
  /** HTTP status. */
  readonly status: number;
  readonly title: string;
  /** What a client does about it. */
  readonly remedy: string;
}

/** What any HTTP program may respond with, connecting a company, and the intake of webhooks. */
const FURTHER: Readonly<Record<string, { readonly status: number; readonly title: string }>> = {
  'bad-request': { status: 400, title: 'Bad request' },
  'conflicting-notification': { status: 409, title: 'Message known with another body' },
  'database-unavailable': { status: 503, title: 'Database not available' },
  'endpoint-uninstalled': { status: 410, title: 'Endpoint uninstalled' },
  'foreign-company': { status: 422, title: 'Message of another company' },
  'headers-too-large': { status: 431, title: 'Headers too large' },
  'internal-error': { status: 500, title: 'Internal error' },
  'invalid-callback': { status: 400, title: 'Invalid return from a sign-in' },
  'malformed-json': { status: 400, title: 'Malformed JSON' },
  'malformed-notification': { status: 400, title: 'Malformed message' },
  'method-not-allowed': { status: 405, title: 'Method not allowed' },
  'request-timeout': { status: 408, title: 'Request timed out' },
  'temporarily-unavailable': { status: 503, title: 'Temporarily unavailable' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'unusable-text': { status: 400, title: 'Text that cannot be stored' },
  'uri-too-long': { status: 414, title: 'Address too long' },
  'wrong-host': { status: 400, title: 'Wrong host' },
};

const REMEDIES: Readonly<Record<number, string>> = {
  401: 'Send a valid token, or sign in again.',
  403: 'Ask an administrator for the role, or sign in again where `type` says so.',
  404: 'Read the list again: what was named does not exist, or not for this caller.',
  408: 'Send the request again, faster.',
  409: 'The present state does not allow it: `detail` says what to change first.',
  410: 'It was deleted and does not come back.',
  412: 'Read it again, repeat the change, and save with the new ETag.',
  422: 'Correct the values that `detail` and `errors` name.',
  428: 'Send If-Match with the ETag of what was edited.',
  429: 'Wait as long as Retry-After says, then repeat the request.',
  500: 'Repeat it with the same Idempotency-Key; if it persists, report `instance` to the operator.',
  503: 'Nothing was changed: wait as long as Retry-After says, then repeat the request.',
};

/** Every problem type of the connector, by name. */
export const PROBLEM_TYPES: readonly ProblemTypeView[] = Object.entries({ ...FURTHER, ...PROBLEMS })
  .map(([name, { status, title }]) => ({
    name,
    type: `urn:problem:${name}`,
    status,
    title,
    remedy: REMEDIES[status] ?? 'Correct the request as `detail` and `errors` say.',
  }))
  .sort((one, other) => (one.name < other.name ? -1 : 1));
