import type { BookkeepingContext } from '../item/bookkeeping-context.js';
import type { ExportItem } from '../item/export-item.js';
import { Findings } from '../item/findings.js';
import type { PlannedLine } from '../item/posting-plan.js';
import { resolveLineAccount } from '../accounts/line-accounts.js';
import { resolveDimensions, tagsOf } from '../accounts/line-dimensions.js';
import { planLineTax, type UnconvertedTax } from '../tax/line-tax.js';
import type { ItemAmounts, LineAmounts } from './amounts.js';

/** A line before its amount is known in the functional currency. */
export type UnconvertedLine = Omit<PlannedLine, 'baseMinor' | 'tax'> & {
  readonly tax?: UnconvertedTax;
};

/**
 * The item's own lines as debits: expense, input tax and output tax of each source line, in their order, nothing merged
 * (B1). What does not resolve becomes a finding, per line in the order account, tax, tags.
 */
export function planLines(
  item: ExportItem,
  amounts: ItemAmounts,
  context: BookkeepingContext,
  findings: Findings,
): readonly UnconvertedLine[] {
  return amounts.lines.flatMap((line) => planSourceLine(item, line, context, findings));
}

function planSourceLine(
  item: ExportItem,
  line: LineAmounts,
  context: BookkeepingContext,
  findings: Findings,
): readonly UnconvertedLine[] {
  const scope = { itemType: item.type, tags: tagsOf(line.source) };
  // The tax decides whether anything is left for the expense account, but the account's findings come first.
  const taxFindings = new Findings();
  const taxed = planLineTax(line, scope, context, taxFindings);
  const isExpense = taxed === undefined ? line.lineMinor !== 0n : taxed.expenseMinor !== 0n;
  const account = resolveLineAccount(
    line.source.account,
    { line: line.position, isNeeded: isExpense, scope },
    context,
    findings,
  );
  findings.addAll(taxFindings);
  const dimensions = resolveDimensions(line.source, line.position, scope, context, findings);
  if (taxed === undefined || dimensions === undefined) return [];
  const { expenseMinor, input, output, taxCode, details } = taxed;
  const shared = { source: line.position, ...(taxCode && { taxCode }) };
  const onExpense = input === undefined && details && { tax: { place: 'expense' as const, ...details } };
  const expense =
    isExpense && account ? [{ account, amountMinor: expenseMinor, ...shared, ...onExpense, dimensions }] : [];
  const inputTax = details && { tax: { place: 'input' as const, ...details } };
  const outputTax = details && { tax: { place: 'output' as const, ...negatedTax(details) } };
  return [
    ...expense,
    ...(input ? [{ account: input.account, amountMinor: input.minor, ...shared, ...inputTax, dimensions: [] }] : []),
    ...(output
      ? [{ account: output.account, amountMinor: output.minor, ...shared, ...outputTax, dimensions: [] }]
      : []),
  ];
}

/** The same on the other side. */
export function negatedTax<Tax extends Omit<UnconvertedTax, 'place'>>(tax: Tax): Tax {
  return { ...tax, taxableMinor: -tax.taxableMinor, taxMinor: -tax.taxMinor };
}
