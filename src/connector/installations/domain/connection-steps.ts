import { message, type Message } from '../../../kernel/message.js';
import type { Installation } from './installation.js';

export type ConnectionStepName = 'authorization' | 'subscription' | 'erp-company' | 'activation' | 'reference-data';

export interface ConnectionStep {
  readonly step: ConnectionStepName;
  readonly done: boolean;
  /** What has been done, or what is missing and who does it. */
  readonly detail: Message;
}

/** Progress of the first synchronization of reference data since the company was connected. */
export interface FirstSync {
  readonly done: boolean;
  /** What a person has to do before it can succeed. */
  readonly failure: Message | undefined;
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
  const unauthorized = state === 'uninstalled' ? 'uninstalled' : 'open';
  return [
    {
      step: 'authorization',
      done: authorized,
      detail: message(`connection.authorization.${authorized ? 'done' : unauthorized}`, { company: companyName }),
    },
    {
      step: 'subscription',
      done: subscribed,
      detail: message(`connection.subscription.${subscribed ? 'done' : 'open'}`),
    },
    {
      step: 'erp-company',
      done: erpCompanyId !== undefined,
      detail:
        erpCompanyId === undefined
          ? message('connection.erp-company.open')
          : message('connection.erp-company.done', { company: erpCompanyId }),
    },
    {
      step: 'activation',
      done: state === 'active',
      detail: message(`connection.activation.${state === 'active' ? 'done' : 'open'}`),
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
      ? message('connection.reference-data.waiting')
      : done
        ? message('connection.reference-data.done')
        : (failure ?? message('connection.reference-data.running')),
  };
}

/** The first step that is not done; undefined when connecting is finished. */
export function nextStep(steps: readonly ConnectionStep[]): ConnectionStepName | undefined {
  return steps.find(({ done }) => !done)?.step;
}
