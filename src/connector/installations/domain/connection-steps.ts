import type { Installation } from './installation.js';

export type ConnectionStepName = 'authorization' | 'subscription' | 'erp-company' | 'activation' | 'reference-data';

export interface ConnectionStep {
  readonly step: ConnectionStepName;
  readonly done: boolean;
  /** What has been done, or what is missing and who does it. */
  readonly detail: string;
}

/** Progress of the first synchronization of reference data since the company was connected. */
export interface FirstSync {
  readonly done: boolean;
  /** What a person has to do before it can succeed. */
  readonly failure: string | undefined;
}

/**
 * The progress of connecting. Each step is derived from stored state, so that it is right after any crash.
 * @param subscribed whether the platform's subscription and its secret are known
 */
export function connectionSteps(
  installation: Installation,
  subscribed: boolean,
  sync: FirstSync,
): readonly ConnectionStep[] {
  const { state, companyName, erpCompanyId } = installation;
  const authorized = state === 'authorized' || state === 'active';
  return [
    {
      step: 'authorization',
      done: authorized,
      detail: authorized
        ? `The platform gives access to ${companyName}.`
        : state === 'uninstalled'
          ? 'The connector was uninstalled. Connect the company again to continue; its configuration is retained.'
          : 'The platform no longer gives access. Connect the company again, or replace the API key.',
    },
    {
      step: 'subscription',
      done: subscribed,
      detail: subscribed
        ? 'The platform notifies the connector of new export jobs.'
        : 'The connector subscribes to the platform’s notifications by itself.',
    },
    {
      step: 'erp-company',
      done: erpCompanyId !== undefined,
      detail:
        erpCompanyId === undefined
          ? 'Pick the company of the accounting system: PUT /api/v1/erp-company. Exports fail until then.'
          : `Entries are posted to the company ${erpCompanyId} of the accounting system.`,
    },
    {
      step: 'activation',
      done: state === 'active',
      detail:
        state === 'active'
          ? 'The platform shows the connector as active.'
          : 'The connector activates itself once the platform has its subscription. It does not wait for a company of the accounting system.',
    },
    syncStep(state === 'active', sync),
  ];
}

/** It starts with the activation: for a company that is not active it is never done, whatever was synchronized earlier. */
function syncStep(isActive: boolean, { done, failure }: FirstSync): ConnectionStep {
  return {
    step: 'reference-data',
    done: isActive && done,
    detail: !isActive
      ? 'The connector synchronizes accounts, tax codes, tags and vendors once it is active.'
      : done
        ? 'Accounts, tax codes, tags and vendors are synchronized with the accounting system.'
        : (failure ??
          'The connector is synchronizing accounts, tax codes, tags and vendors with the accounting system.'),
  };
}

/** The first step that is not done; undefined when connecting is finished. */
export function nextStep(steps: readonly ConnectionStep[]): ConnectionStepName | undefined {
  return steps.find(({ done }) => !done)?.step;
}
