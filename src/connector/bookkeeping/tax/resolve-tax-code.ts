import { message, type Message } from '../../../kernel/message.js';
import type { BookkeepingContext, ErpTaxCode } from '../item/bookkeeping-context.js';
import { textOf, type ItemTax } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import type { Decision, PostingTaxCode } from '../item/posting-plan.js';
import { findRule, type RuleScope } from '../accounts/rule-index.js';

interface ResolvedTaxCode {
  readonly taxCode: ErpTaxCode;
  readonly posting: PostingTaxCode;
}

/**
 * The ERP's tax code for a tax by the precedence of B5.1. A tax without a code is looked up by its id, and may
 * stay without: then the accounts on the item must suffice.
 *
 * @returns undefined when a tax without a code has none in the ERP; 'unknown' after a finding of `tax_code_unknown`.
 */
export function resolveTaxCode(
  tax: ItemTax,
  line: number,
  scope: RuleScope,
  context: BookkeepingContext,
  findings: Findings,
): ResolvedTaxCode | undefined | 'unknown' {
  const code = textOf(tax.code);
  const rule = findRule(context.ruleIndex.taxCodes, code === undefined ? [tax.id] : [code, tax.id], scope);
  if (rule !== undefined) {
    const target = findTaxCode(rule.target, context)?.taxCode;
    if (target !== undefined) return resolved(target, { by: 'rule', ruleId: rule.id });
    findings.fail(
      'tax_code_unknown',
      context.taxCodesByCode.isAmbiguous(rule.target)
        ? message('reason.rule.ambiguous', { rule: rule.id, what: 'tax-code', target: rule.target })
        : message('reason.rule.tax-code', { rule: rule.id, tax: describeTax(tax), target: rule.target }),
      { kind: 'rule', reference: rule.id },
    );
    return 'unknown';
  }
  const found = findTaxCode(code ?? tax.id, context);
  if (found !== undefined) return resolved(found.taxCode, found.decision);
  if (code === undefined) return undefined;
  const isAmbiguous = context.taxCodesByCode.isAmbiguous(code);
  findings.fail(
    'tax_code_unknown',
    message(isAmbiguous ? 'reason.tax-code.ambiguous' : 'reason.tax-code', { line, tax: describeTax(tax) }),
    { kind: 'tax-code', reference: code },
  );
  return 'unknown';
}

/** What a tax is mapped by: its code, else the platform's id. */
export function taxKey(tax: ItemTax): string {
  return textOf(tax.code) ?? tax.id;
}

/** "tax code 25", as part of a message. */
export function describeTax(tax: ItemTax): Message {
  const code = textOf(tax.code);
  return message('reason.named-tax-code', { named: code === undefined ? 'by_id' : 'by_code', code: code ?? tax.id });
}

function findTaxCode(
  key: string,
  context: BookkeepingContext,
): { readonly taxCode: ErpTaxCode; readonly decision: Decision } | undefined {
  const byId = context.taxCodesById.get(key);
  if (byId !== undefined) return { taxCode: byId, decision: { by: 'identifier' } };
  const byCode = context.taxCodesByCode.get(key);
  return byCode && { taxCode: byCode, decision: { by: 'code' } };
}

function resolved(taxCode: ErpTaxCode, decision: Decision): ResolvedTaxCode {
  return { taxCode, posting: { id: taxCode.externalId, code: taxCode.code, decision } };
}
