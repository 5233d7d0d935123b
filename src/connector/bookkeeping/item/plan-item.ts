import { Bug } from '../../../kernel/faults.js';
import { readAmounts, type ItemAmounts } from '../entries/amounts.js';
import { convertLines, draftEntry } from '../entries/balanced-entry.js';
import { resolveCounter } from '../accounts/counter-accounts.js';
import { hasLines, readForm, readMethod, type EntryForm } from '../entries/entry-forms.js';
import { shapeEntries } from '../entries/entry-shapes.js';
import { checkErpLimits } from '../entries/erp-limits.js';
import { checkInvoice } from '../entries/invoice-checks.js';
import { writeEntries } from '../entries/write-entry.js';
import { planLines } from '../entries/plan-lines.js';
import { decideTreatment, UNDECIDED, type Treatment } from '../accounts/vendor-resolution.js';
import type { BookkeepingContext } from './bookkeeping-context.js';
import type { ExportItem } from './export-item.js';
import { Findings } from './findings.js';
import { choosePostingDates, findRate, readInvoiceDates, readOwnDay } from './item-dates.js';
import type { ItemProblem, PostingPlan } from './posting-plan.js';

/**
 * Turns one export item into the balanced journal entries it becomes, or into everything that is wrong with it
 * (B1 to B6). Deterministic: the same item and context give the same plan.
 *
 * The steps run in the order of B5.3, each adding what it finds; the first problem found gives the failure its
 * type. Nothing is posted unless every step is content.
 *
 * @throws Bug when the steps found nothing wrong and still left an entry unbalanced or without a date or rate.
 */
export function planItem(item: ExportItem, context: BookkeepingContext): PostingPlan {
  const findings = new Findings();
  const form = readForm(item, findings);
  const method = readMethod(item, findings);
  const amounts = readAmounts(item, form, findings);
  const treatment = form ? treat(item, form, method, context, findings) : UNDECIDED;
  const ownLines = form && hasLines(form) ? planLines(item, amounts, context, findings) : [];
  const shapes = form ? shapeEntries(item, form, treatment, amounts.totalMinor, findings) : [];
  const drafts = shapes.map((shape) => draftEntry(shape, { item, amounts, ownLines, context, findings }));
  if (form && shapes.length === 0) checkMoneySide(item, form, amounts, context, findings);
  const { currency } = amounts;
  const ownDay = readOwnDay(item, context, findings);
  const invoiceDates = readInvoiceDates(item, form, treatment, findings);
  const dates = ownDay && choosePostingDates(ownDay, context, findings);
  const rate = ownDay && currency && findRate(currency, ownDay, context, findings);
  const converted = rate && drafts.map(({ lines }) => convertLines(lines, currency, rate, context, findings));
  for (const lines of (converted ?? []).flatMap((parts) => parts ?? [])) checkErpLimits(lines, context, findings);

  const [firstProblem] = findings.problems;
  if (firstProblem) return failure(firstProblem, findings.problems);
  const vendorToCreate = treatment.kind === 'payable' && treatment.toCreate;
  if (vendorToCreate) return { outcome: 'needs-vendor', vendor: vendorToCreate };
  const entries = drafts.flatMap((draft, index) => {
    const parts = converted?.[index];
    if (!parts || !dates || !currency || !rate) throw new Bug(`incomplete, no issue: ${item.accountingEntryId}`);
    return writeEntries(item, draft, parts, { dates, invoiceDates, currency, rate }, context);
  });
  return { outcome: 'post', entries, warnings: findings.warnings };
}

// Whether an invoice needs a number depends on the vendor, but problems of the invoice are reported first.
function treat(
  item: ExportItem,
  form: EntryForm,
  method: ReturnType<typeof readMethod>,
  context: BookkeepingContext,
  findings: Findings,
): Treatment {
  const vendorFindings = new Findings();
  const treatment = decideTreatment(item, form, method, context, vendorFindings);
  checkInvoice(item, form, method, treatment, findings);
  findings.addAll(vendorFindings);
  return treatment;
}

// The money side of an item is the same whichever vendor it turns out to have.
function checkMoneySide(
  item: ExportItem,
  form: EntryForm,
  { currency }: ItemAmounts,
  context: BookkeepingContext,
  findings: Findings,
): void {
  for (const leg of [form.debit, form.credit]) {
    const isMoney = leg === 'wallet' || leg === 'company-bank';
    if (isMoney) resolveCounter(leg, item, currency, undefined, context, findings);
  }
}

function failure(first: ItemProblem, problems: readonly ItemProblem[]): PostingPlan {
  return {
    outcome: 'fail',
    failureType: first.type,
    message: problems.map(({ message }) => message).join(' '),
    problems,
  };
}
