import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { catchError, throwError, type Observable } from 'rxjs';
import { NoResponse } from '../../../foundation/http/client/http-client.js';
import { tooManyRequests } from '../../../foundation/http/too-many-requests.js';
import { message } from '../../../kernel/message.js';
import { ErpUnavailable } from '../../erp/erp-ledger.js';
import { TooManyVersions } from '../../mapping/store-version.js';
import { AuthorizationLost, isTransient, PlatformRefusal } from '../../platform/platform-error.js';
import { BudgetExhausted, InteractiveShareExhausted } from '../../platform/request-budget.js';
import { SyncBlocked } from '../../reference-data/domain/sync-blocked.js';
import { problem } from './problems.js';

const RETRY_LATER = { 'retry-after': '30' };

/** Maps errors of the platform and the ERP to problems, for every route in the same way. */
@Injectable()
export class DependencyErrorsInterceptor implements NestInterceptor {
  intercept(_: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    return next.handle().pipe(catchError((error: unknown) => throwError(() => dependencyProblemOf(error))));
  }
}

/** @returns a Problem 503 when ERP or platform cannot be reached, 409 when a side is not connected, 429 when the installation's share of requests is used up; any other error as it is */
export function dependencyProblemOf(error: unknown): unknown {
  if (error instanceof ErpUnavailable) {
    const detail = message('problem.erp-unavailable.detail');
    return problem('erp-unavailable', detail, { headers: RETRY_LATER, cause: error });
  }
  if (error instanceof TooManyVersions) {
    const detail = message('problem.too-many-versions.detail', { most: error.most });
    return problem('too-many-versions', detail, { headers: { 'retry-after': error.retryAfterSeconds.toString() } });
  }
  if (error instanceof SyncBlocked) {
    return problem('not-connected', error.advice, { cause: error });
  }
  if (error instanceof AuthorizationLost) {
    const detail = message('problem.not-connected.detail');
    return problem('not-connected', detail, { cause: error });
  }
  if (error instanceof InteractiveShareExhausted) {
    return tooManyRequests(error.retryAfterSeconds * 1_000);
  }
  const isBusy = error instanceof BudgetExhausted || error instanceof PlatformRefusal;
  if (isBusy || error instanceof NoResponse || isTransient(error)) {
    const detail = message('problem.platform-unavailable.detail');
    return problem('platform-unavailable', detail, { headers: RETRY_LATER, cause: error });
  }
  return error;
}
