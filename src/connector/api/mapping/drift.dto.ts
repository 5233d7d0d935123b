import { field, shape } from '../../../foundation/http/shape.js';
import { message } from '../../../kernel/message.js';
import { hasText, localize } from '../../messages/texts.js';
import type { DriftFinding } from '../../review/domain/drift.js';
import type { Drift } from '../../review/drift.reader.js';

export class DriftFindingResponse extends shape({
  kind: field.oneOf(['account', 'tax-code', 'dimension-value', 'vendor']),
  group: field.text('of a dimension value: the dimension').nullable(),
  target: field.text({ description: 'as settings and rules name it', example: '6071' }),
  name: field.text({ example: 'Meals' }).nullable(),
  what: field.oneOf(['missing', 'archived', 'blocked', 'renamed']),
  since: field.instant('the check that saw it first'),
  usedBy: field.texts({ description: 'the first 10 that point at it, in the reader’s language', example: ['rule 17'] }),
  detail: field.text('the finding, and what to do about it'),
}) {}

export class DriftResponse extends shape({
  checkedAt: field.instant('null before the first check').nullable(),
  data: field.many(DriftFindingResponse, 'at most 500'),
  more: field.flag('whether there are more'),
}) {}

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
