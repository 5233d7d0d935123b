// The one table of failed outcomes of use cases and the problems that the API responds with.
import type { InvalidValue, Problem } from '../../../foundation/http/problem.js';
import { Bug } from '../../../kernel/faults.js';
import { message, type Message } from '../../../kernel/message.js';
import type { PreviewChangeResponse } from '../documentation/problem-types.dto.js';
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
 * @param successes the outcomes that are not a problem
 * @param problems for every other outcome: the response of the API
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

/** What the ERP has said. */
interface Refusal {
  readonly message: string;
}

/** Some reasons are whole sentences; the texts that quote one go on after it. */
const withinSentence = (reason: string) => reason.replace(/\.$/, '');

export const installationNotFound = () => notFound(message('problem.not-found.installation'));
export const jobNotFound = () => notFound(message('problem.not-found.job'));
export const issueNotFound = () => notFound(message('problem.not-found.issue'));
export const previewNotFound = () => notFound(message('problem.not-found.preview'));
export const ruleNotFound = () => notFound(message('problem.not-found.rule'));
export const versionNotFound = () => notFound(message('problem.not-found.version'));
export const entryNotFound = () => notFound(message('problem.not-found.entry'));
export const notSubscribed = () => notFound(message('problem.not-found.subscription'));
export const settingsMissing = () => problem('settings-missing', message('problem.settings-missing.detail'));
export const setupIncomplete = () => problem('setup-incomplete', message('problem.setup-incomplete.detail'));

export const SAVE_SETTINGS = {
  stale: staleVersion,
  'no-drafts': () =>
    invalidValue('erp-keeps-no-drafts', '/policies/postingState', message('problem.erp-keeps-no-drafts.detail')),
};

export const monthNotFound = () => notFound(message('problem.not-found.month'));

export const SIGN_MONTH_OFF = {
  unknown: monthNotFound,
  'not-begun': () => problem('month-not-begun', message('problem.month-not-begun.detail')),
  'signed-already': () => problem('month-signed', message('problem.month-signed.detail')),
  'erp-unavailable': () => problem('erp-unavailable', message('problem.erp-unavailable.balances')),
  incomplete: ({ missingEntries }: { readonly missingEntries: number }) =>
    problem('month-incomplete', message('problem.month-incomplete.detail', { count: missingEntries }), {
      members: { missingEntries },
    }),
  discrepant: ({ openDiscrepancies }: { readonly openDiscrepancies: number }) =>
    problem('month-discrepant', message('problem.month-discrepant.detail', { count: openDiscrepancies }), {
      members: { openDiscrepancies },
    }),
};

export const REOPEN_MONTH = {
  unknown: monthNotFound,
  'not-signed': () => problem('month-not-signed', message('problem.month-not-signed.detail')),
};

export const SAVE_ALERT_SETTINGS = {
  stale: staleVersion,
  'not-installed': installationNotFound,
  'bad-address': ({ problem: wrong }: { readonly problem: string }) => badAlertAddress(wrong),
  'no-mail-server': () => problem('no-mail-server', message('problem.no-mail-server.detail')),
};

/** @param wrong what is wrong with it */
export function badAlertAddress(wrong: string): Problem {
  return invalidValue('bad-alert-address', '/address', message(`problem.bad-alert-address.${wrong}`));
}

export const CREATE_API_TOKEN = {
  'above-creator': () => problem('forbidden', message('problem.forbidden.above-creator')),
  'not-installed': installationNotFound,
  'creator-revoked': () => problem('not-authenticated', message('problem.not-authenticated.revoked')),
  'too-many': ({ most }: { readonly most: number }) =>
    problem('too-many-tokens', message('problem.too-many-tokens.detail', { most })),
};

export const CHANGE_MEMBER = {
  unknown: () => notFound(message('problem.not-found.member')),
  'caller-no-admin': () => problem('forbidden', message('problem.forbidden.caller-no-admin')),
  'last-admin': () => problem('last-admin', message('problem.last-admin.detail')),
};

export const CLAIM_FIRST_ADMIN = {
  'has-admin': () => problem('has-admin', message('problem.has-admin.detail')),
  'invalid-code': () => problem('invalid-code', message('problem.invalid-code.detail')),
};

export const LINK_ERP_COMPANY = {
  'not-installed': installationNotFound,
  unknown: () => invalidValue('unknown-erp-company', '/erpCompanyId', message('problem.unknown-erp-company.detail')),
  'operator-only': () => problem('erp-not-connected', message('problem.erp-not-connected.detail')),
  taken: () => problem('erp-company-taken', message('problem.erp-company-taken.detail')),
};

export const POST_TEST_ENTRY = {
  'no-company': () => problem('setup-incomplete', message('problem.setup-incomplete.company')),
  impossible: () => problem('test-posting-impossible', message('problem.test-posting-impossible.detail')),
  'unknown-account': ({ field }: { readonly field: string }) =>
    invalidValue('unknown-account', `/${field}`, message('problem.unknown-account.detail')),
  'erp-unavailable': ({ message: reason }: Refusal) =>
    problem('erp-unavailable', message('problem.erp-unavailable.unused', { reason: withinSentence(reason) })),
};

export const SAVE_ERP_CONNECTION = {
  'not-installed': installationNotFound,
  invalid: ({ problems }: { readonly problems: readonly InvalidValue[] }) =>
    problem('invalid-request', message('problem.invalid-request.erp-settings'), {
      errors: problems.map(({ pointer, ...rest }) => ({ pointer: `/settings${pointer}`, ...rest })),
    }),
  'not-accepted': ({ failure }: { readonly failure: { readonly message: string } }) =>
    problem(
      'erp-not-accepted',
      message('problem.erp-not-accepted.detail', { reason: withinSentence(failure.message) }),
    ),
  'needs-confirmation': () => problem('not-confirmed', message('problem.not-confirmed.detail')),
  'needs-sign-in': () => problem('erp-sign-in-needed', message('problem.erp-sign-in-needed.detail')),
};

export const STORE_RATES = {
  'not-installed': installationNotFound,
  stale: staleVersion,
  invalid: ({ problem: { line, detail } }: { readonly problem: { readonly line: number; readonly detail: Message } }) =>
    invalidValue('invalid-rates', '/csv', message(detail.code, { line, ...detail.parameters })),
};

const signInFailed = ({ reason }: { readonly reason: string }) =>
  problem('erp-not-accepted', message('problem.erp-not-accepted.sign-in', { reason: withinSentence(reason) }));

export const BEGIN_ERP_SIGN_IN = {
  'not-installed': SAVE_ERP_CONNECTION['not-installed'],
  invalid: SAVE_ERP_CONNECTION.invalid,
  'needs-confirmation': SAVE_ERP_CONNECTION['needs-confirmation'],
  'without-sign-in': () => problem('erp-without-sign-in', message('problem.erp-without-sign-in.detail')),
  'not-registered': () => problem('erp-not-registered', message('problem.erp-not-registered.detail')),
  'sign-in-failed': signInFailed,
};

export const COMPLETE_ERP_SIGN_IN = {
  'not-installed': SAVE_ERP_CONNECTION['not-installed'],
  invalid: SAVE_ERP_CONNECTION.invalid,
  'not-accepted': SAVE_ERP_CONNECTION['not-accepted'],
  'needs-confirmation': SAVE_ERP_CONNECTION['needs-confirmation'],
  'attempt-unknown': () => problem('unknown-erp-sign-in', message('problem.unknown-erp-sign-in.detail')),
  'sign-in-failed': signInFailed,
};

export const CONNECT_WITH_API_KEY = {
  'key-refused': () => invalidKey('api-key-refused', message('problem.api-key-refused.detail')),
  'missing-scopes': ({ scopes }: { readonly scopes: readonly string[] }) =>
    invalidKey('missing-scopes', message('problem.missing-scopes.detail', { scopes: scopes.join(', ') })),
  'choose-company': (choice: { readonly companies: readonly { readonly id: string; readonly name: string }[] }) => {
    const companies = choice.companies.slice(0, 100).map(({ id, name }) => ({ id, name }));
    const detail = message('problem.company-needed.detail');
    return problem('company-needed', detail, { members: { companies } });
  },
  'other-company': () => problem('other-company', message('problem.other-company.detail')),
  'company-taken': () => problem('company-taken', message('problem.company-taken.detail')),
};

const invalidKey = (type: 'api-key-refused' | 'missing-scopes', detail: Message) =>
  invalidValue(type, '/apiKey', detail);

export const RETRY_JOB = {
  unknown: jobNotFound,
  ended: () => problem('job-ended', message('problem.job-ended.detail')),
};

export const REPLAY_DEAD_LETTER = {
  unknown: () => notFound(message('problem.not-found.dead-letter')),
  'body-deleted': () => problem('body-deleted', message('problem.body-deleted.detail')),
};

export const REPLAY_NOTIFICATION = {
  unknown: () => notFound(message('problem.not-found.notification')),
  'body-deleted': () => problem('body-deleted', message('problem.body-deleted.detail')),
};

export const RESTORE_VERSION = { 'unknown-version': versionNotFound, stale: staleVersion };

export const RESOLVE_IN_DOUBT_POSTING = {
  unknown: entryNotFound,
  certain: () => problem('not-in-doubt', message('problem.not-in-doubt.detail')),
  several: () => problem('several-companies', message('problem.several-companies.detail')),
  there: () => problem('entry-still-in-erp', message('problem.entry-still-in-erp.detail')),
};

export const MAKE_PREVIEW = {
  'unknown-job': jobNotFound,
  'unknown-version': versionNotFound,
  'setup-incomplete': setupIncomplete,
};

const MAX_SHOWN_CHANGES = 100;

export const COMMIT_PREVIEW = {
  unknown: previewNotFound,
  changed: ({ changes }: { readonly changes: readonly PreviewChangeResponse[] }) => {
    const shown = changes.slice(0, MAX_SHOWN_CHANGES);
    const detail = message('problem.preview-outdated.detail');
    const members = { changes: shown, moreChanges: changes.length > shown.length };
    return problem('preview-outdated', detail, { members });
  },
  unsaved: () => problem('preview-unsaved', message('problem.preview-unsaved.detail')),
  'other-digest': () => problem('other-digest', message('problem.other-digest.detail')),
  'nothing-to-post': () => problem('nothing-to-post', message('problem.nothing-to-post.detail')),
  'job-running': () => problem('job-running', message('problem.job-running.detail')),
};

export const ACT_ON_DISCREPANCY = {
  unknown: () => notFound(message('problem.not-found.discrepancy')),
  settled: () => problem('settled', message('problem.settled.detail')),
  'exported-since': () => problem('settled', message('problem.settled.exported-since')),
  impossible: () => problem('impossible-action', message('problem.impossible-action.detail')),
  busy: () => problem('company-busy', message('problem.company-busy.detail')),
  there: () => problem('entry-still-in-erp', message('problem.entry-still-in-erp.again')),
  'not-verifiable': () => problem('not-verifiable', message('problem.not-verifiable.detail')),
  refused: ({ message: reason }: Refusal) => problem('erp-refuses', message('problem.erp-refuses.detail', { reason })),
  unanswered: ({ message: reason }: Refusal) =>
    problem('erp-unavailable', message('problem.erp-unavailable.unanswered', { reason: withinSentence(reason) })),
};

export const DECIDE_VENDOR = {
  'not-waiting': () => notFound(message('problem.not-found.vendor-decision')),
  'unknown-number': () => invalidValue('unknown-vendor', '/erpVendorNumber', message('problem.unknown-vendor.detail')),
  'number-taken': ({ name }: { readonly name: string }) =>
    invalidValue('vendor-number-taken', '/erpVendorNumber', message('problem.vendor-number-taken.detail', { name })),
};
