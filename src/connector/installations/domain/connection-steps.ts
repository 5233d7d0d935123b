import type { Installation } from './installation.js';

export type ConnectionStepName =
  'authorization' | 'subscription' | 'erp-company' | 'activation' | 'reference-data';

export interface ConnectionStep {
  readonly step: ConnectionStepName;
  readonly done: boolean;
  /** What is there, or what is still to be done and by whom. */
  readonly detail: string;
}

/** How far the first comparison of reference data since the company was connected has come. */
export interface FirstSync {
  readonly done: boolean;
  /** What a person has to do before it can come to its end. */
  readonly failure: string | undefined;
}

/**
 * How far connecting has come. Each step is read from what is stored, so that it is true after any crash.
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
          ? 'The connector was uninstalled. Connect the company again to go on; its configuration is kept.'
          : 'The platform no longer gives access. Connect the company again, or replace the API key.',
    },
    {
      step: 'subscription',
      done: subscribed,
      detail: subscribed
        ? 'The platform tells us of new export jobs.'
        : 'The connector asks the platform for notifications by itself.',
    },
    {
      step: 'erp-company',
      done: erpCompanyId !== undefined,
      detail:
        erpCompanyId === undefined
          ? 'Pick the company of the accounting system: PUT /api/v1/erp-company. Exports fail until then.'
          : `Entries go to the company ${erpCompanyId} of the accounting system.`,
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

/** Begins with the activation, so of a company that is not active it is never done, whatever was compared before. */
function syncStep(isActive: boolean, { done, failure }: FirstSync): ConnectionStep {
  return {
    step: 'reference-data',
    done: isActive && done,
    detail: !isActive
      ? 'The connector compares accounts, tax codes, tags and vendors once it is active.'
      : done
        ? 'Accounts, tax codes, tags and vendors were brought in step with the accounting system.'
        : (failure ??
          'The connector is bringing accounts, tax codes, tags and vendors in step with the accounting system.'),
  };
}

/** The first step that is not done; undefined when connecting is finished. */
export function nextStep(steps: readonly ConnectionStep[]): ConnectionStepName | undefined {
  return steps.find(({ done }) => !done)?.step;
}
