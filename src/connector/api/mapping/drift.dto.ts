import { ApiProperty } from '@nestjs/swagger';
import { message } from '../../../kernel/message.js';
import { hasText, localize } from '../../messages/texts.js';
import type { DriftFinding } from '../../review/domain/drift.js';
import type { Drift } from '../../review/drift.reader.js';

export class DriftFindingResponse {
  @ApiProperty({ enum: ['account', 'tax-code', 'dimension-value', 'vendor'] }) readonly kind!: string;
  @ApiProperty({ type: String, nullable: true, description: 'of a dimension value: the dimension' })
  readonly group!: string | null;
  @ApiProperty({ description: 'as settings and rules name it', example: '6071' }) readonly target!: string;
  @ApiProperty({ type: String, nullable: true, example: 'Meals' }) readonly name!: string | null;
  @ApiProperty({ enum: ['missing', 'archived', 'blocked', 'renamed'] }) readonly what!: string;
  @ApiProperty({ format: 'date-time', description: 'the check that saw it first' }) readonly since!: Date;
  @ApiProperty({
    type: [String],
    description: 'the first 10 that point at it, in the reader’s language',
    example: ['rule 17'],
  })
  readonly usedBy!: readonly string[];
  @ApiProperty({ description: 'the finding, and what to do about it' }) readonly detail!: string;
}

export class DriftResponse {
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'null before the first check',
  })
  readonly checkedAt!: Date | null;
  @ApiProperty({ type: [DriftFindingResponse], description: 'at most 500' })
  readonly data!: readonly DriftFindingResponse[];
  @ApiProperty({ description: 'whether there are more' }) readonly more!: boolean;
}

/** @param most findings in the response */
export function toDriftResponse({ checkedAt, findings }: Drift, most: number, language: string): DriftResponse {
  return {
    checkedAt: checkedAt ?? null,
    data: findings.slice(0, most).map(({ nameBefore, ...finding }) => ({
      ...finding,
      group: finding.group || null,
      detail: detailOf({ ...finding, nameBefore }, language),
      usedBy: finding.usedBy.map((user) => userText(language, user)),
    })),
    more: findings.length > most,
  };
}

function detailOf({ kind, what, target, name, group, nameBefore }: DriftFinding, language: string): string {
  const named = name === null ? target : `${target} (${name})`;
  const thing = localize(language, message(`drift.what.${kind}`, { named, group })).text;
  return localize(language, message(`drift.${what}`, { what: thing, before: nameBefore ?? '' })).text;
}

/** What points at a value: "rule 17", "setting wallet-EUR", or entries. */
function userText(language: string, user: string): string {
  const [, kind = '', name = ''] = /^(rule|setting) (.*)$/s.exec(user) ?? [];
  const named = kind === 'setting' ? settingText(language, name) : name;
  return localize(language, message(kind === '' ? 'drift.user.entries' : `drift.user.${kind}`, { name: named })).text;
}

/** An account of the settings as the page calls it. @param key "wallet-EUR", "out-of-pocket", "fallback-refund" */
function settingText(language: string, key: string): string {
  const [, group = key, of = ''] = /^(wallet|company-bank|fallback)-(.+)$/s.exec(key) ?? [];
  const type = group === 'fallback' && hasText(`item-type.${of}`) ? `item-type.${of}` : undefined;
  const named = type === undefined ? of : localize(language, message(type)).text;
  return localize(language, message(of === '' ? `setting.${group}` : `setting.${group}.of`, { of: named })).text;
}
