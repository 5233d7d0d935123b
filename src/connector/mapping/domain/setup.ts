// Pure: what is still missing before the first export can succeed.
import type { MappingRule } from '../../bookkeeping/accounts/rule-index.js';
import { localDateIn } from '../../../kernel/local-date.js';
import { settingsOf, type MappingSettings } from './mapping.js';
import { findRuleFindings } from './rule-findings.js';
import { accountSteps } from './setup-accounts.js';
import { SETTINGS_ROUTE, step, type SetupStep } from './setup-step.js';
import type { Targets } from './targets.js';

/** What the planner needs settings for stays empty before any are saved. */
export const NO_SETTINGS: MappingSettings = settingsOf({
  accounts: { wallets: {}, companyBankByCurrency: {}, fallbackAccounts: {} },
  policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' },
});

const ERP_FAILURES = {
  unreachable: 'cannot be reached: check that it runs and that its address is right',
  timeout: 'does not answer in time: check that it runs',
  'rate-limit': 'takes no more requests for now: wait a minute',
  authentication: 'does not accept the connector’s credentials: renew them',
  'server-error': 'answers with an internal error: ask those who run it',
} as const;

/** How the ERP answered when it was asked for the linked company's data. */
export type ErpState =
  | { readonly state: 'not-linked' | 'company-not-found' }
  | { readonly state: 'unreachable'; readonly kind: keyof typeof ERP_FAILURES }
  | { readonly state: 'answered'; readonly targets: Targets; readonly keepsDrafts: boolean };

export interface SetupFacts {
  readonly connection: 'authorized' | 'active' | 'needs_reauthorization' | 'uninstalled';
  /** Whether the platform sends us events. */
  readonly isSubscribed: boolean;
  readonly erp: ErpState;
  /** Undefined before anything was saved. */
  readonly settings: MappingSettings | undefined;
  readonly rules: readonly MappingRule[];
  readonly now: Date;
}

const EVERYTHING = { blocks: 'everything' } as const;
const LINK = 'PUT /api/v1/erp-company';
const CONNECT = 'GET /connect';
const CONNECT_ERP = 'PUT /api/v1/erp-connection';

/** @returns every check in the order in which they are best mended */
export function setupSteps(facts: SetupFacts): readonly SetupStep[] {
  return [
    connectionStep(facts),
    subscriptionStep(facts),
    ...erpSteps(facts),
    policyStep(facts),
    ...accountSteps((facts.settings ?? NO_SETTINGS).accounts, targetsOf(facts.erp)),
    ...ruleSteps(facts),
  ];
}

/** Whether the first export can succeed, as far as can be told. */
export function isReady(steps: readonly SetupStep[]): boolean {
  return steps.every(({ state, blocks }) => state === 'done' || blocks !== 'everything');
}

function connectionStep({ connection }: SetupFacts): SetupStep {
  return step('platform-connection', connection === 'active', EVERYTHING, {
    done: 'The platform is connected.',
    open:
      connection === 'authorized'
        ? 'The connection to the platform is being finished: look again in a minute.'
        : 'The platform no longer accepts the connector: an administrator of the company must connect it again.',
    resolvedBy: CONNECT,
  });
}

function subscriptionStep({ isSubscribed }: SetupFacts): SetupStep {
  return step(
    'platform-subscription',
    isSubscribed,
    { blocks: 'nothing' },
    {
      done: 'The platform tells the connector of new exports.',
      open: 'The platform does not tell of new exports yet: they are found by asking, which takes minutes. Connect again if this stays.',
      resolvedBy: CONNECT,
    },
  );
}

function erpSteps({ erp, now }: SetupFacts): readonly SetupStep[] {
  const isLinked = erp.state === 'unreachable' || erp.state === 'answered';
  const link = step('erp-company', isLinked, EVERYTHING, {
    done: 'A company of the accounting system is linked.',
    open:
      erp.state === 'company-not-found'
        ? 'The linked company no longer exists in the accounting system: link another one.'
        : 'No company of the accounting system is linked: connect the accounting system (PUT /api/v1/erp-connection), then choose the one to post to.',
    resolvedBy: LINK,
  });
  if (!isLinked) return [link];
  const reachable = step('erp-reachable', erp.state === 'answered', EVERYTHING, {
    done: 'The accounting system answers.',
    open: `The accounting system ${erp.state === 'unreachable' ? ERP_FAILURES[erp.kind] : 'does not answer'}.`,
    ...(erp.state === 'unreachable' && erp.kind === 'authentication' && { resolvedBy: CONNECT_ERP }),
  });
  return erp.state === 'answered' ? [link, reachable, periodStep(erp.targets, now)] : [link, reachable];
}

function periodStep({ masterData }: Targets, now: Date): SetupStep {
  const today = localDateIn(now, masterData.timeZone);
  const isOpen = masterData.periods.some(({ from, to, open }) => open && from <= today && today <= to);
  const hasLater = masterData.periods.some(({ to, open }) => open && to >= today);
  return step(
    'open-period',
    isOpen,
    { blocks: hasLater ? 'nothing' : 'everything' },
    {
      done: 'Today is in an open period of the accounting system.',
      open: 'Today is in no open period of the accounting system: open one there, or let entries move to the next open one by the policy.',
    },
  );
}

function policyStep({ settings, erp }: SetupFacts): SetupStep {
  const isImpossible = settings?.policies.postingState === 'draft' && erp.state === 'answered' && !erp.keepsDrafts;
  return step('policies', settings !== undefined && !isImpossible, EVERYTHING, {
    done: 'Accounts and policies are saved.',
    open: isImpossible
      ? 'By the policy entries are drafts, and the accounting system keeps none: save the policy "posted" to have them posted at once.'
      : 'Nothing is saved yet: no export starts without accounts and policies.',
    resolvedBy: SETTINGS_ROUTE,
  });
}

function targetsOf(erp: ErpState): Targets | undefined {
  return erp.state === 'answered' ? erp.targets : undefined;
}

function ruleSteps({ rules, erp }: SetupFacts): readonly SetupStep[] {
  if (erp.state !== 'answered' || rules.length === 0) return [];
  const broken = findRuleFindings(rules, erp.targets).filter(({ effect }) => effect === 'fails-items').length;
  return [
    step(
      'rules',
      broken === 0,
      { blocks: 'nothing' },
      {
        done: `All targets of the ${rules.length.toString()} mapping rules are active in the accounting system.`,
        open: `${broken.toString()} of the ${rules.length.toString()} mapping rules send to something that is not active in the accounting system, and fail what they decide: see GET /api/v1/mapping/rules/findings.`,
        resolvedBy: 'POST /api/v1/mapping/rules/bulk',
      },
    ),
  ];
}
