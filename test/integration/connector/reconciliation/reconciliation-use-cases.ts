import type { Type } from '@nestjs/common';
import {
  ActOnDiscrepancy,
  type DiscrepancyDecision,
} from '../../../../src/connector/reconciliation/actions/act-on-discrepancy.js';
import { CountDiscrepancies } from '../../../../src/connector/reconciliation/compare/count-discrepancies.js';
import { CompileMonthEnd } from '../../../../src/connector/reconciliation/month-end/compile-month-end.js';
import { SignMonthOff } from '../../../../src/connector/reconciliation/month-end/sign-month-off.js';
import { ProcessDueReconciliations } from '../../../../src/connector/reconciliation/process-due-reconciliations.js';
import { ReconciliationReader } from '../../../../src/connector/reconciliation/reconciliation.reader.js';
import {
  RequestReconciliation,
  type RequestedScope,
} from '../../../../src/connector/reconciliation/request-reconciliation.js';
import { SetAlertLimit } from '../../../../src/connector/reconciliation/set-alert-limit.js';
import { WakeReconciliations } from '../../../../src/connector/reconciliation/wake-reconciliations.js';
import type { InstallationId } from '../../../../src/kernel/ids.js';

/** The use cases of the room as a test calls them. */
export class ReconciliationUseCases {
  constructor(private readonly app: { get<T>(type: Type<T>): T }) {}

  get reader(): ReconciliationReader {
    return this.app.get(ReconciliationReader);
  }

  wake() {
    return this.app.get(WakeReconciliations).requestAndWake();
  }

  processDue(installationId: InstallationId, stopping: AbortSignal) {
    return this.app.get(ProcessDueReconciliations).processDue(installationId, stopping);
  }

  request(installationId: InstallationId, scope: RequestedScope) {
    return this.app.get(RequestReconciliation).request(installationId, scope);
  }

  act(installationId: InstallationId, id: string, decision: DiscrepancyDecision) {
    return this.app.get(ActOnDiscrepancy).act(installationId, id, decision);
  }

  monthEnd(installationId: InstallationId, month: string, company?: string) {
    return this.app.get(CompileMonthEnd).compile(installationId, month, company);
  }

  monthEnds(installationId: InstallationId) {
    return this.app.get(CompileMonthEnd).list(installationId);
  }

  get signMonthOff(): SignMonthOff {
    return this.app.get(SignMonthOff);
  }

  countOpen(installationId: InstallationId) {
    return this.app.get(CountDiscrepancies).countOpen(installationId);
  }

  setAlertAfterDays(installationId: InstallationId, days: number) {
    return this.app.get(SetAlertLimit).setAlertAfterDays(installationId, days);
  }
}
