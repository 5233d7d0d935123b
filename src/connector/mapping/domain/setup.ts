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

/** Each has a text, `setup.erp-reachable.<kind>`. */
type ErpFailureKind = 'unreachable' | 'timeout' | 'rate-limit' | 'authentication' | 'server-error';

/** How the ERP responded to the request for the linked company's data. */
export type ErpState =
  | { readonly state: 'not-linked' | 'company-not-found' }
  | { readonly state: 'unreachable'; readonly kind: ErpFailureKind }
  | { readonly state: 'reachable'; readonly targets: Targets; readonly keepsDrafts: boolean };

export interface SetupFacts {
  readonly connection: 'authorized' | 'active' | 'needs_reauthorization' | 'uninstalled';
  /** Whether the platform notifies us: not yet, no longer (it or an administrator has switched that off), or it does. */
  readonly notifications: 'none' | 'off' | 'on';
  readonly erp: ErpState;
  /** Undefined before anything was saved. */
  readonly settings: MappingSettings | undefined;
  readonly rules: readonly MappingRule[];
  readonly now: Date;
}

const EVERYTHING = { blocks: 'everything' } as const;
const LINK = 'PUT /api/v1/erp-company';
const CONNECT = 'GET /connect';
const SWITCH_ON = 'PUT /api/v1/subscription';
const CONNECT_ERP = 'PUT /api/v1/erp-connection';

/** @returns every check in the order in which they are best resolved */
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

/** Whether the first export can succeed, as far as that is known. */
export function isReady(steps: readonly SetupStep[]): boolean {
  return steps.every(({ state, blocks }) => state === 'done' || blocks !== 'everything');
}

function connectionStep({ connection }: SetupFacts): SetupStep {
  return step('platform-connection', connection === 'active', EVERYTHING, {
    open: connection === 'authorized' ? 'authorized' : 'lost',
    resolvedBy: CONNECT,
  });
}

function subscriptionStep({ notifications }: SetupFacts): SetupStep {
  const texts = notifications === 'off' ? { open: 'off', resolvedBy: SWITCH_ON } : { resolvedBy: CONNECT };
  return step('platform-subscription', notifications === 'on', { blocks: 'nothing' }, texts);
}

function erpSteps({ erp, now }: SetupFacts): readonly SetupStep[] {
  const isLinked = erp.state === 'unreachable' || erp.state === 'reachable';
  const link = step('erp-company', isLinked, EVERYTHING, { open: erp.state, resolvedBy: LINK });
  if (!isLinked) return [link];
  if (erp.state === 'reachable')
    return [link, step('erp-reachable', true, EVERYTHING, {}), periodStep(erp.targets, now)];
  const resolution = erp.kind === 'authentication' ? { resolvedBy: CONNECT_ERP } : {};
  return [link, step('erp-reachable', false, EVERYTHING, { open: erp.kind, ...resolution })];
}

function periodStep({ masterData }: Targets, now: Date): SetupStep {
  const today = localDateIn(now, masterData.timeZone);
  const isOpen = masterData.periods.some(({ from, to, open }) => open && from <= today && today <= to);
  const hasLater = masterData.periods.some(({ to, open }) => open && to >= today);
  return step('open-period', isOpen, { blocks: hasLater ? 'nothing' : 'everything' }, {});
}

function policyStep({ settings, erp }: SetupFacts): SetupStep {
  const isImpossible = settings?.policies.postingState === 'draft' && erp.state === 'reachable' && !erp.keepsDrafts;
  return step('policies', settings !== undefined && !isImpossible, EVERYTHING, {
    open: isImpossible ? 'no-drafts' : 'open',
    resolvedBy: SETTINGS_ROUTE,
  });
}

function targetsOf(erp: ErpState): Targets | undefined {
  return erp.state === 'reachable' ? erp.targets : undefined;
}

function ruleSteps({ rules, erp }: SetupFacts): readonly SetupStep[] {
  if (erp.state !== 'reachable' || rules.length === 0) return [];
  const broken = findRuleFindings(rules, erp.targets).filter(({ effect }) => effect === 'fails-items').length;
  const parameters = { broken, count: rules.length };
  return [
    step('rules', broken === 0, { blocks: 'nothing' }, { parameters, resolvedBy: 'POST /api/v1/mapping/rules/bulk' }),
  ];
}
