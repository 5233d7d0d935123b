import { field, shape } from '../../../foundation/http/shape.js';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { localize } from '../../messages/texts.js';
import { DriftResponse } from './drift.dto.js';

export class AccountCandidateResponse extends shape({
  externalId: field.text(),
  code: field.text({ example: '1935' }),
  name: field.text({ example: 'Wallet EUR' }),
}) {}

const STEP_KINDS = ['platform', 'accounting-system', 'policy', 'account', 'rules', 'alerts'] as const;
type StepKind = (typeof STEP_KINDS)[number];

export class SetupStepResponse extends shape({
  check: field.text({ description: 'stable name', example: 'out-of-pocket' }),
  state: field.oneOf(['done', 'open', 'not-known'], 'not-known: cannot be checked yet'),
  blocks: field.oneOf(['everything', 'item-types', 'nothing'], 'what cannot be exported while it is open'),
  itemTypes: field.texts({ description: 'with `item-types`: which ones', example: ['mileage', 'per_diem'] }),
  detail: field.text({
    description: 'the finding, and what to do about it, in the language of `Accept-Language`',
    example: 'No account is set for "Out-of-pocket": what is owed to or by employees is booked there.',
  }),
  resolvedBy: field
    .text({
      description: 'the route that resolves it; null where it is done, or resolved in the ERP',
      example: 'PUT /api/v1/settings',
    })
    .nullable(),
  kind: field.oneOf(STEP_KINDS, 'what the step is about'),
  field: field
    .text({
      description: 'of an account to be chosen: where `PUT /api/v1/settings` takes it, as a JSON pointer',
      example: '/accounts/wallets/EUR',
    })
    .nullable(),
  candidates: field.many(AccountCandidateResponse, 'accounts that may be meant, at most 10'),
  proposal: field.one(AccountCandidateResponse, 'the one that is probably meant').nullable(),
  why: field.one(MessageResponse, 'why it is proposed, or why none is').nullable(),
}) {}

export class SetupResponse extends shape({
  ready: field.flag('false while a step that blocks everything is open'),
  steps: field.many(SetupStepResponse, 'in the recommended order'),
  drift: field.one(DriftResponse, 'what changed in the ERP since it was mapped; at most 50, all of it under /drift'),
}) {}

export function toSetupStep(step: SetupStep, language: string): SetupStepResponse {
  const { check, state, blocks, resolvedBy, account } = step;
  const detail = localize(language, step.detail).text;
  return {
    ...{ check, state, blocks, detail, resolvedBy: resolvedBy ?? null, kind: kindOf(check) },
    itemTypes: step.blocks === 'item-types' ? step.itemTypes : [],
    field: account?.field ?? null,
    candidates: account?.candidates ?? [],
    proposal: account?.proposal ?? null,
    why: account === undefined ? null : localize(language, account.why),
  };
}

const KINDS: Readonly<Record<string, StepKind>> = {
  'platform-connection': 'platform',
  'platform-subscription': 'platform',
  'erp-company': 'accounting-system',
  'erp-reachable': 'accounting-system',
  'open-period': 'accounting-system',
  'test-posting': 'accounting-system',
  policies: 'policy',
  rules: 'rules',
  alerts: 'alerts',
};

function kindOf(check: string): StepKind {
  return KINDS[check] ?? 'account';
}
