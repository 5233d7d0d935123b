import { Problem, type ProblemOptions } from '../../../foundation/http/problem.js';
import type { Message } from '../../../kernel/message.js';
import type { ProblemMembersResponse } from '../documentation/problem-types.dto.js';
import { englishText } from '../../messages/texts.js';

/**
 * Every kind of problem that the routes of the API respond with: its HTTP status and title, by the stable name that becomes the
 * `type` URN. One type per fact. Those of any HTTP program (`invalid-request`, `malformed-json`, …) are in `foundation/http`.
 */
export const PROBLEMS = {
  'already-under-way': { status: 409, title: 'Download or verification under way' },
  'api-key-refused': { status: 422, title: 'API key refused by the platform' },
  'bad-alert-address': { status: 422, title: 'Alert address not usable' },
  'body-deleted': { status: 410, title: 'Notification body deleted' },
  busy: { status: 503, title: 'Too many downloads at the moment' },
  'not-verifiable': { status: 409, title: 'Not verifiable in the ERP' },
  'checksum-mismatch': { status: 409, title: 'Checksum of another file' },
  'company-busy': { status: 409, title: 'Export of the company under way' },
  'company-needed': { status: 422, title: 'Company not chosen' },
  'company-switched': { status: 409, title: 'Another company' },
  'company-taken': { status: 409, title: 'Company connected by another organization' },
  'confirmation-needed': { status: 409, title: 'Confirmation needed' },
  'cross-site': { status: 403, title: 'Request of another site' },
  'csrf-token': { status: 403, title: 'CSRF token missing or wrong' },
  'entry-still-in-erp': { status: 409, title: 'Entry found in the ERP' },
  'erp-company-taken': { status: 409, title: 'ERP company linked elsewhere' },
  'erp-refuses': { status: 409, title: 'Refused by the ERP' },
  'erp-unavailable': { status: 503, title: 'ERP not available' },
  forbidden: { status: 403, title: 'Not allowed' },
  'idempotency-key-in-use': { status: 409, title: 'Idempotency key in use' },
  'idempotency-key-reused': { status: 422, title: 'Idempotency key of another request' },
  'has-admin': { status: 409, title: 'An admin exists' },
  'impossible-action': { status: 409, title: 'Action not possible' },
  'invalid-code': { status: 422, title: 'Invalid code' },
  'invalid-cursor': { status: 400, title: 'Invalid cursor' },
  'invalid-idempotency-key': { status: 400, title: 'Invalid idempotency key' },
  'invalid-period': { status: 400, title: 'Invalid period' },
  'invalid-preview': { status: 422, title: 'Invalid preview' },
  'invalid-request': { status: 400, title: 'Bad request' },
  'invalid-resolution': { status: 422, title: 'Invalid resolution' },
  'invalid-rules': { status: 422, title: 'Invalid rules' },
  'invalid-rates': { status: 422, title: 'Invalid exchange rates' },
  'issue-closed': { status: 409, title: 'Issue closed' },
  'job-ended': { status: 409, title: 'Export job ended' },
  'job-running': { status: 409, title: 'Export job running' },
  'last-admin': { status: 409, title: 'Last admin' },
  'batch-refused': { status: 409, title: 'Entry does not fit into the file' },
  'erp-takes-no-files': { status: 409, title: 'No files for this ERP' },
  'erp-not-accepted': { status: 422, title: 'ERP does not accept the connection' },
  'erp-keeps-no-drafts': { status: 422, title: 'No drafts in the ERP' },
  'erp-not-registered': { status: 409, title: 'Not registered with the ERP' },
  'erp-sign-in-needed': { status: 409, title: 'Sign-in at the ERP needed' },
  'erp-without-dimensions': { status: 409, title: 'No dimensions in this ERP' },
  'erp-without-sign-in': { status: 409, title: 'No sign-in at this ERP' },
  'erp-not-connected': { status: 409, title: 'No ERP connected' },
  'month-discrepant': { status: 409, title: 'Discrepancies of the month open' },
  'month-incomplete': { status: 409, title: 'Entries of the month missing' },
  'month-not-begun': { status: 409, title: 'Month not begun' },
  'month-not-signed': { status: 409, title: 'Month not signed' },
  'month-signed': { status: 409, title: 'Month signed' },
  'missing-scopes': { status: 422, title: 'API key lacks scopes' },
  'no-mail-server': { status: 422, title: 'No mail server' },
  'not-authenticated': { status: 401, title: 'Not authenticated' },
  'not-authorized': { status: 409, title: 'Not permitted by the platform' },
  'not-confirmed': { status: 409, title: 'Not confirmed' },
  'not-connected': { status: 409, title: 'Not connected' },
  'not-found': { status: 404, title: 'Not found' },
  'not-in-doubt': { status: 409, title: 'Outcome known' },
  'nothing-to-post': { status: 409, title: 'Nothing to post' },
  'other-company': { status: 409, title: 'API key of another company' },
  'other-digest': { status: 409, title: 'Digest of another preview' },
  'payload-too-large': { status: 413, title: 'Too large' },
  'platform-unavailable': { status: 503, title: 'Platform not available' },
  'precondition-required': { status: 428, title: 'Precondition required' },
  'preview-outdated': { status: 409, title: 'Preview outdated' },
  'preview-unsaved': { status: 409, title: 'Rules of the preview not saved' },
  'resolution-in-progress': { status: 409, title: 'Resolution under way' },
  settled: { status: 409, title: 'Discrepancy settled' },
  'settings-missing': { status: 409, title: 'Settings missing' },
  'setup-incomplete': { status: 409, title: 'Set-up incomplete' },
  'several-companies': { status: 409, title: 'In doubt in several ERP companies' },
  'sign-in-again': { status: 403, title: 'Recent sign-in required' },
  'test-posting-impossible': { status: 409, title: 'No test posting in this ERP' },
  'too-many-attempts': { status: 429, title: 'Too many sign-ins under way' },
  'too-many-codes': { status: 409, title: 'Too many codes' },
  'too-many-dimensions': { status: 422, title: 'Too many dimensions' },
  'too-many-streams': { status: 429, title: 'Too many open streams' },
  'too-many-tests': { status: 429, title: 'Too many tests' },
  'too-many-tokens': { status: 409, title: 'Too many API tokens' },
  'too-many-versions': { status: 429, title: 'Too many mapping versions' },
  'two-credentials': { status: 400, title: 'Two credentials' },
  'unknown-dimension': { status: 422, title: 'Unknown dimension' },
  'unknown-erp-sign-in': { status: 400, title: 'Unknown sign-in' },
  'unknown-account': { status: 422, title: 'Unknown account' },
  'unknown-erp-company': { status: 422, title: 'Unknown ERP company' },
  'unknown-vendor': { status: 422, title: 'Unknown vendor' },
  'unsupported-media-type': { status: 415, title: 'Unsupported media type' },
  'vendor-number-taken': { status: 422, title: 'Number of another vendor' },
  'version-changed': { status: 412, title: 'Precondition failed' },
} as const satisfies Record<string, { readonly status: number; readonly title: string }>;

export type ProblemType = keyof typeof PROBLEMS;

interface ProblemDetails extends Pick<ProblemOptions, 'headers' | 'errors' | 'cause'> {
  /** Only what the OpenAPI document has. */
  readonly members?: ProblemMembersResponse;
}

/**
 * @param type stable name of the kind of problem; decides status and title
 * @param detail what is wrong and what to do about it, for a person; a text is English for every reader
 * @param more headers, invalid values, further members of the document, and the cause for the log
 */
export function problem(type: ProblemType, detail: string | Message, more: ProblemDetails = {}): Problem {
  return new Problem({ ...PROBLEMS[type], type, ...worded(detail), ...more });
}

/** 404. An id of another tenant and text that is no id get the same response as an id that does not exist (S1). */
export function notFound(detail: Message): Problem {
  return problem('not-found', detail);
}

/** 422 that points to one value of the request. @param pointer JSON pointer (RFC 6901) */
export function invalidValue(type: ProblemType, pointer: string, detail: string | Message): Problem {
  return problem(type, detail, { errors: [{ pointer, ...worded(detail) }] });
}

/** A text in English, with what it is in other languages. */
export function worded(detail: string | Message): { readonly detail: string; readonly message?: Message } {
  return typeof detail === 'string' ? { detail } : { detail: englishText(detail), message: detail };
}
