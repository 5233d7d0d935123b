import { ApiProperty } from '@nestjs/swagger';
import type { SetupStep } from '../../mapping/domain/setup-step.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { localize } from '../../messages/texts.js';
import { DriftResponse } from './drift.dto.js';

export class AccountCandidateResponse {
  @ApiProperty() readonly externalId!: string;
  @ApiProperty({ example: '1935' }) readonly code!: string;
  @ApiProperty({ example: 'Wallet EUR' }) readonly name!: string;
}

export class SetupStepResponse {
  @ApiProperty({ description: 'stable name', example: 'out-of-pocket' }) readonly check!: string;
  @ApiProperty({ enum: ['done', 'open', 'not-known'], description: 'not-known: cannot be checked yet' })
  readonly state!: string;
  @ApiProperty({
    enum: ['everything', 'item-types', 'nothing'],
    description: 'what cannot be exported while it is open',
  })
  readonly blocks!: string;
  @ApiProperty({
    type: [String],
    description: 'with `item-types`: which ones',
    example: ['mileage', 'per_diem'],
  })
  readonly itemTypes!: readonly string[];
  @ApiProperty({
    description: 'the finding, and what to do about it, in the language of `Accept-Language`',
    example: 'No account is set for "Out-of-pocket": what is owed to or by employees is booked there.',
  })
  readonly detail!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'the route that resolves it; null where it is done, or resolved in the ERP',
    example: 'PUT /api/v1/settings',
  })
  readonly resolvedBy!: string | null;
  @ApiProperty({
    enum: ['platform', 'accounting-system', 'policy', 'account', 'rules', 'alerts'],
    description: 'what the step is about',
  })
  readonly kind!: string;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'of an account to be chosen: where `PUT /api/v1/settings` takes it, as a JSON pointer',
    example: '/accounts/wallets/EUR',
  })
  readonly field!: string | null;
  @ApiProperty({ type: [AccountCandidateResponse], description: 'accounts that may be meant, at most 10' })
  readonly candidates!: readonly AccountCandidateResponse[];
  @ApiProperty({ type: AccountCandidateResponse, nullable: true, description: 'the one that is probably meant' })
  readonly proposal!: AccountCandidateResponse | null;
  @ApiProperty({ type: MessageResponse, nullable: true, description: 'why it is proposed, or why none is' })
  readonly why!: MessageResponse | null;
}

export class SetupResponse {
  @ApiProperty({ description: 'false while a step that blocks everything is open' }) readonly ready!: boolean;
  @ApiProperty({ type: [SetupStepResponse], description: 'in the recommended order' })
  readonly steps!: readonly SetupStepResponse[];
  @ApiProperty({
    type: DriftResponse,
    description: 'what changed in the ERP since it was mapped; at most 50, all of it under /drift',
  })
  readonly drift!: DriftResponse;
}

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

const KINDS: Readonly<Record<string, string>> = {
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

function kindOf(check: string): string {
  return KINDS[check] ?? 'account';
}
