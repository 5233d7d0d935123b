import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { message } from '../../../kernel/message.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { AuthorizationLost, InvalidPlatformResponse, PlatformRefusal } from '../../platform/platform-error.js';
import { LeaseLost } from '../../runs/lease.js';
import { erpFailureVerdict, failedVerdict, type FailedVerdict } from '../domain/verdict.js';
import { JobClosed, RunEndedEarly } from './run-interruptions.js';

/** These say that another run, or no run at all, has to end the job. */
const INTERRUPTIONS = [LeaseLost, RunEndedEarly, JobClosed, AuthorizationLost];

/**
 * The verdict of a job that cannot go on when nothing may be posted for it any more (I3).
 * @param error what stopped its run
 * @returns undefined for an error that leaves the verdict to another run, or lets none be sent
 */
export function lateVerdict(error: unknown): FailedVerdict | undefined {
  if (INTERRUPTIONS.some((type) => error instanceof type)) {
    return undefined;
  }
  if (error instanceof ErpUnavailable) {
    return erpFailureVerdict(error.failure);
  }
  const answer = answerOf(error);
  return answer === undefined
    ? failedVerdict('validation_failure', message('reason.job.connector-fault'))
    : failedVerdict('validation_failure', message('reason.job.platform-gives-no-entries', answer));
}

/** What the platform answered instead of what was asked for; undefined for an error that is not its. */
function answerOf(error: unknown): { readonly answer: string; readonly text: string } | undefined {
  if (error instanceof PlatformRefusal) {
    const { status, message: text } = error;
    return text === '' ? { answer: 'refused', text: status.toString() } : { answer: 'refused-with-reason', text };
  }
  if (error instanceof InvalidPlatformResponse) {
    return { answer: 'unreadable', text: '' };
  }
  return error instanceof NoResponse ? { answer: 'none', text: '' } : undefined;
}
