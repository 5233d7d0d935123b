import { message } from '../../../kernel/message.js';
import { entryIssue } from '../item/issues.js';
import { textOf, type ExportItem } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import type { Treatment } from '../accounts/vendor-resolution.js';
import type { BookkeepingMethod, EntryForm } from './entry-forms.js';
import { invoiceNumberOf } from './entry-shapes.js';

/**
 * Refuses an invoice that is no longer owed, and under accounts payable one without a number, which no payment could
 * ever find (B3.4). Adds findings of `validation_failure`.
 */
export function checkInvoice(
  item: ExportItem,
  form: EntryForm,
  method: BookkeepingMethod | 'absent' | undefined,
  treatment: Treatment,
  findings: Findings,
): void {
  if (form.payable !== 'document') return;
  const status = textOf(item.additionalInformation.invoiceInformation?.status);
  if (status === 'voided_by_user' || status?.startsWith('rejected_') === true) {
    findings.fail('validation_failure', message('reason.invoice-status', { status }), entryIssue('invoice-status'));
  }
  const isPayable = method === 'accounts_payable' || treatment.kind === 'payable';
  if (isPayable && invoiceNumberOf(item) === undefined) {
    findings.fail('validation_failure', message('reason.invoice-number'), entryIssue('invoice-number'));
  }
}
