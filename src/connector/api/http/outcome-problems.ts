// The one table of what a use case did not do, and the problem that the API answers with.
import type { Problem } from '../../../foundation/http/problem.js';
import { Bug } from '../../../kernel/faults.js';
import { staleVersion } from './if-match.js';
import { invalidValue, notFound, problem } from './problems.js';

interface Outcome {
  readonly outcome: string;
}

type WithOutcome<Result extends Outcome, Name> = Result extends unknown
  ? Extract<Result['outcome'], Name> extends never
    ? never
    : Result
  : never;

/** A problem for every outcome of a use case but its successes. */
type ProblemsOf<Result extends Outcome, Success> = {
  readonly [Name in Exclude<Result['outcome'], Success>]: (failure: WithOutcome<Result, Name>) => Problem;
};

/**
 * @param successes the outcomes that are none of a problem
 * @param problems for every other outcome: what the API answers
 * @returns the result where it is a success
 * @throws Problem otherwise
 */
export function successOf<Result extends Outcome, const Success extends Result['outcome']>(
  result: Result,
  successes: readonly Success[],
  problems: ProblemsOf<Result, Success>,
): WithOutcome<Result, Success> {
  if ((successes as readonly string[]).includes(result.outcome)) {
    return result as WithOutcome<Result, Success>;
  }
  const failures: object = problems;
  const failure = Reflect.get(failures, result.outcome) as ((result: Result) => Problem) | undefined;
  throw failure === undefined ? new Bug(`no problem for the outcome ${result.outcome}`) : failure(result);
}

interface Message {
  readonly message: string;
}

export const installationNotFound = () => notFound('There is no such installation.');
export const jobNotFound = () => notFound('There is no such export job.');
export const issueNotFound = () => notFound('There is no such issue.');
export const previewNotFound = () => notFound('There is no such preview; previews are stored for a day.');
export const ruleNotFound = () => notFound('There is no such rule.');
export const versionNotFound = () => notFound('There is no such mapping version.');
export const entryNotFound = () => notFound('There is no such accounting entry that was sent to the ERP.');
export const notSubscribed = () => notFound('There is no subscription yet: the connection is not finished.');
export const settingsMissing = () =>
  problem('settings-missing', 'Save the accounts and policies first: PUT /api/v1/settings with If-Match: "0".');
export const setupIncomplete = () =>
  problem('setup-incomplete', 'Save the settings and link a company of the ERP first: GET /api/v1/setup says how.');

export const SAVE_SETTINGS = {
  stale: staleVersion,
  'no-drafts': () =>
    invalidValue(
      'erp-keeps-no-drafts',
      '/policies/postingState',
      'The accounting system keeps no drafts: with "posted" entries are posted at once. Nothing was saved.',
    ),
};

export const monthNotFound = () =>
  notFound(
    'There is no such month: it is written as 2026-03, of a company of the ERP that is linked or was posted to.',
  );

export const SIGN_MONTH_OFF = {
  unknown: monthNotFound,
  'signed-already': () => problem('month-signed', 'The month is signed already. Reopen it to sign it again.'),
  'erp-unavailable': () =>
    problem('erp-unavailable', 'The accounting system does not tell its balances now. Nothing was signed; try again.'),
  incomplete: ({ missingEntries }: { readonly missingEntries: number }) =>
    problem(
      'month-incomplete',
      `Entries of the month are not in the books: ${missingEntries.toString()}. Resolve them, or sign with a reason.`,
      { members: { missingEntries } },
    ),
};

export const REOPEN_MONTH = {
  unknown: monthNotFound,
  'not-signed': () => problem('month-not-signed', 'The month is not signed.'),
};

export const SAVE_ALERT_SETTINGS = {
  stale: staleVersion,
  'not-installed': installationNotFound,
  'bad-address': ({ detail }: { readonly detail: string }) => badAlertAddress(detail),
  'no-mail-server': () =>
    problem('no-mail-server', 'This connector has no mail server. Use a webhook, or ask its operator to set one.'),
};

export function badAlertAddress(detail: string): Problem {
  return problem('bad-alert-address', `The address ${detail}.`, {
    errors: [{ pointer: '/address', detail }],
  });
}

export const CREATE_API_TOKEN = {
  'above-maker': () => problem('forbidden', 'A token has at most the role of its creator.'),
  'not-installed': installationNotFound,
  'maker-revoked': () => problem('not-authenticated', 'The API token of this request was revoked meanwhile.'),
  'too-many': ({ most }: { readonly most: number }) =>
    problem('too-many-tokens', `There are ${most.toString()} API tokens already: revoke one first.`),
};

export const CHANGE_MEMBER = {
  unknown: () => notFound('There is no such member.'),
  'last-admin': () =>
    problem('last-admin', 'Nothing was changed: the last admin has to make another member admin first.'),
};

export const CLAIM_FIRST_ADMIN = {
  'has-admin': () => problem('has-admin', 'The company has an admin, who gives everybody else a role.'),
  'invalid-code': () =>
    problem('invalid-code', 'The code is not of this company, or older than a week: ask the operator for another one.'),
};

export const LINK_ERP_COMPANY = {
  'not-installed': installationNotFound,
  unknown: () => invalidValue('unknown-erp-company', '/erpCompanyId', 'The ERP has no company with this id.'),
  'operator-only': () =>
    problem(
      'erp-not-connected',
      'Connect your own accounting system first (PUT /api/v1/erp-connection), or ask the operator of the connector to link a company.',
    ),
  taken: () =>
    problem(
      'erp-company-taken',
      'Another connection posts to this company of the ERP. It has to be uninstalled first.',
    ),
};

export const POST_TEST_ENTRY = {
  'no-company': () =>
    problem('setup-incomplete', 'Link a company of the accounting system first: PUT /api/v1/erp-company.'),
  impossible: () =>
    problem(
      'test-posting-impossible',
      'This accounting system neither takes an entry back by itself nor keeps drafts, so nothing was posted.',
    ),
  'unknown-account': ({ field }: { readonly field: string }) =>
    invalidValue(
      'unknown-account',
      `/${field}`,
      'The accounting system has no such active account. Nothing was posted.',
    ),
  'erp-unavailable': ({ message }: { readonly message: string }) =>
    problem('erp-unavailable', `The accounting system could not be used: ${message}. Nothing was posted.`),
};

export const SAVE_ERP_CONNECTION = {
  'not-installed': installationNotFound,
  invalid: ({ problems }: { readonly problems: readonly { readonly pointer: string; readonly detail: string }[] }) =>
    problem('invalid-request', 'The settings of the accounting system are not complete.', {
      errors: problems.map(({ pointer, detail }) => ({ pointer: `/settings${pointer}`, detail })),
    }),
  'not-accepted': ({ failure }: { readonly failure: { readonly message: string } }) =>
    problem(
      'erp-not-accepted',
      `The accounting system could not be used with these settings: ${failure.message}. Nothing was changed.`,
    ),
  'needs-confirmation': () =>
    problem(
      'not-confirmed',
      'A company of another accounting system is linked. Entries in it stay there and are still certified against it. Repeat the request with "confirmChange": true.',
    ),
  'needs-sign-in': () =>
    problem(
      'erp-sign-in-needed',
      'With these settings a person has to sign in at this accounting system: POST /api/v1/erp-connection/sign-in names the address. Nothing was changed.',
    ),
};

export const KEEP_RATES = {
  'not-installed': installationNotFound,
  invalid: ({ problem: { line, detail } }: { readonly problem: { readonly line: number; readonly detail: string } }) =>
    invalidValue('invalid-rates', '/csv', `Line ${line.toString()}: ${detail} Nothing was changed.`),
};

const signInFailed = ({ reason }: { readonly reason: string }) =>
  problem('erp-not-accepted', `Nobody could sign in at the accounting system: ${reason}. Nothing was changed.`);

export const BEGIN_ERP_SIGN_IN = {
  'not-installed': SAVE_ERP_CONNECTION['not-installed'],
  invalid: SAVE_ERP_CONNECTION.invalid,
  'needs-confirmation': SAVE_ERP_CONNECTION['needs-confirmation'],
  'without-sign-in': () =>
    problem(
      'erp-without-sign-in',
      'With these settings nobody signs in at the accounting system: connect it with PUT /api/v1/erp-connection.',
    ),
  'not-registered': () =>
    problem(
      'erp-not-registered',
      'This connector is not registered with the accounting system: its operator has to set its client id and secret.',
    ),
  'sign-in-failed': signInFailed,
};

export const COMPLETE_ERP_SIGN_IN = {
  'not-installed': SAVE_ERP_CONNECTION['not-installed'],
  invalid: SAVE_ERP_CONNECTION.invalid,
  'not-accepted': SAVE_ERP_CONNECTION['not-accepted'],
  'needs-confirmation': SAVE_ERP_CONNECTION['needs-confirmation'],
  'attempt-unknown': () =>
    problem(
      'unknown-erp-sign-in',
      'This sign-in is unknown, was used, is older than ten minutes, or was begun by somebody else. Nothing was changed; begin it again.',
    ),
  'sign-in-failed': signInFailed,
};

export const CONNECT_WITH_API_KEY = {
  'key-refused': () => invalidKey('api-key-refused', 'The platform does not accept this API key.'),
  'missing-scopes': ({ scopes }: { readonly scopes: readonly string[] }) =>
    invalidKey('missing-scopes', `The API key lacks the scopes ${scopes.join(', ')}.`),
  'choose-company': (choice: { readonly companies: readonly { readonly id: string; readonly name: string }[] }) => {
    const companies = choice.companies.slice(0, 100).map(({ id, name }) => ({ id, name }));
    const detail = 'The API key is for several companies: name one with "companyId".';
    return problem('company-needed', detail, { members: { companies } });
  },
  'other-company': () => problem('other-company', 'The API key is not for this company. Nothing was changed.'),
  'company-taken': () =>
    problem('company-taken', 'Another organization has connected this company. Nothing was changed.'),
};

const invalidKey = (type: 'api-key-refused' | 'missing-scopes', detail: string) =>
  invalidValue(type, '/apiKey', detail);

export const RETRY_JOB = {
  unknown: jobNotFound,
  ended: () => problem('job-ended', 'The export job has ended; its entries can be exported again.'),
};

export const REPLAY_DEAD_LETTER = {
  unknown: () => notFound('There is no such dead letter: it was replayed, or its time is over.'),
  'body-deleted': () => problem('body-deleted', 'The message is older than a week and its body has been deleted.'),
};

export const REPLAY_NOTIFICATION = {
  unknown: () => notFound('There is no such notification.'),
  'body-deleted': () => problem('body-deleted', 'The message is older than a week and its body has been deleted.'),
};

export const RESTORE_VERSION = { 'unknown-version': versionNotFound, stale: staleVersion };

export const RESOLVE_IN_DOUBT_POSTING = {
  unknown: entryNotFound,
  certain: () => problem('not-in-doubt', 'The outcome of this entry is known; there is nothing to resolve.'),
  several: () =>
    problem(
      'several-companies',
      'This entry is in doubt in more than one ERP company. Name the one you looked at in "erpCompanyId".',
    ),
  there: () =>
    problem(
      'entry-still-in-erp',
      'The ERP shows an entry with this reference. Look for it again, and give its id with "in-the-books".',
    ),
};

export const MAKE_PREVIEW = {
  'unknown-job': jobNotFound,
  'unknown-version': versionNotFound,
  'setup-incomplete': setupIncomplete,
};

const MAX_SHOWN_CHANGES = 100;

export const COMMIT_PREVIEW = {
  unknown: previewNotFound,
  changed: ({ changes }: { readonly changes: readonly unknown[] }) => {
    const shown = changes.slice(0, MAX_SHOWN_CHANGES);
    const detail =
      'Something has changed since this was previewed, so nothing was posted; "changes" lists what. Preview it again.';
    const members = { changes: shown, moreChanges: changes.length > shown.length };
    return problem('preview-outdated', detail, { members });
  },
  unsaved: () => problem('preview-unsaved', 'Its rules are saved in no version: save them, then preview again.'),
  'other-digest': () => problem('other-digest', 'The digest is not the one of this preview: read it again.'),
  'nothing-to-post': () =>
    problem('nothing-to-post', 'Nothing of it would be posted: it fails, or is in the books already.'),
  'job-running': () => problem('job-running', 'Its export job is running: wait for its end, then preview it again.'),
};

export const ACT_ON_DISCREPANCY = {
  unknown: () => notFound('There is no such discrepancy.'),
  settled: () => problem('settled', 'This discrepancy is settled already.'),
  impossible: () => problem('impossible-action', 'This action is not possible for a discrepancy of this class.'),
  busy: () => problem('company-busy', 'An export of the company is in progress. Try again when it has ended.'),
  there: () => problem('entry-still-in-erp', 'The ERP has the entry again: compare once more.'),
  'not-verifiable': () =>
    problem(
      'not-verifiable',
      'Whether the entry was deleted cannot be verified: the ERP cannot be searched by its key, or may not show recent postings yet.',
    ),
  refused: ({ message }: Message) => problem('erp-refuses', message),
  unanswered: ({ message }: Message) =>
    problem('erp-unavailable', `${message}. It may be reversed; the next comparison looks it up again.`),
};

export const DECIDE_VENDOR = {
  'not-waiting': () => notFound('No such vendor waits for a decision.'),
  'unknown-number': () =>
    invalidValue('unknown-vendor', '/erpVendorNumber', 'The ERP has no vendor with this number that may be used.'),
};
