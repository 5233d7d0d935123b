import { message } from '../../../kernel/message.js';
import type { ErpVendor } from '../item/bookkeeping-context.js';
import { textOf, type ExportItem } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import type { EntryRole, SettlementIntent } from '../item/posting-plan.js';
import type { Treatment } from '../accounts/vendor-resolution.js';
import type { EntryForm, Leg } from './entry-forms.js';

/** One entry of the item before it has accounts: which leg is debited, which credited, and what it settles. */
export interface EntryShape {
  readonly role: EntryRole;
  readonly debit: Leg;
  readonly credit: Leg;
  /** Whose payables the `payables` leg is; without one it is the general account. */
  readonly vendor?: ErpVendor;
  readonly documentNumber?: string;
  readonly settlement?: { readonly kind: SettlementIntent['kind']; readonly numbers: readonly string[] };
}

/**
 * The entries of an item by the tables of B3.3 and B3.4.
 *
 * @param totalMinor the total after the sign rule of the type: negative only where the sign is meaning.
 * @returns an empty list when the treatment is undecided.
 */
export function shapeEntries(
  item: ExportItem,
  form: EntryForm,
  treatment: Treatment,
  totalMinor: bigint,
  findings: Findings,
): readonly EntryShape[] {
  switch (treatment.kind) {
    case 'journal':
      return [journalShape(item, form)];
    case 'payable':
      return payableShapes({ item, form, vendor: treatment.vendor, totalMinor, findings });
    case 'payable-without-vendor':
      return [withoutVendor(item, form, totalMinor)];
    case 'undecided':
      return [];
  }
}

/** @returns the trimmed number of the invoice that the item is or pays. */
export function invoiceNumberOf(item: ExportItem): string | undefined {
  return textOf(item.additionalInformation.invoiceInformation?.invoiceNumber);
}

interface PayableItem {
  readonly item: ExportItem;
  readonly form: EntryForm;
  readonly vendor: ErpVendor;
  readonly totalMinor: bigint;
  readonly findings: Findings;
}

function journalShape(item: ExportItem, form: EntryForm): EntryShape {
  // A payment names its invoice as well: booked without a vendor it settles nothing, and the ERP can say so.
  const namesInvoice = form.payable === 'document' || form.payable === 'payment';
  const documentNumber = namesInvoice ? invoiceNumberOf(item) : undefined;
  return { role: 'entry', debit: form.debit, credit: form.credit, ...(documentNumber && { documentNumber }) };
}

function payableShapes(payable: PayableItem): readonly EntryShape[] {
  const { form, vendor } = payable;
  switch (form.payable) {
    case 'document-and-payment':
      return documentAndPayment(payable);
    case 'document':
      return [openDocumentOf(payable)];
    case 'payment':
      return [paymentOf(payable)];
    case 'employee-cost':
      return vendor.isEmployee ? [openDocumentOf(payable)] : documentAndPayment(payable);
    case 'employee-reimbursement':
      return [vendor.isEmployee ? reimbursementOf(payable) : withoutVendor(payable.item, form, payable.totalMinor)];
    case 'never':
      return [journalShape(payable.item, form)];
  }
}

function documentAndPayment(payable: PayableItem): readonly EntryShape[] {
  const document = documentOf(payable);
  // A document of 0 owes nothing, so there is nothing to pay.
  if (payable.totalMinor === 0n) return [document];
  const { item, form, vendor, totalMinor } = payable;
  const payment: EntryShape = {
    role: paymentRole(form, totalMinor),
    debit: form.debit === 'lines' ? 'payables' : form.debit,
    credit: form.credit === 'lines' ? 'payables' : form.credit,
    vendor,
    documentNumber: documentNumberOf(item),
    settlement: { kind: 'within', numbers: [documentNumberOf(item)] },
  };
  return [document, payment];
}

function documentOf({ item, form, vendor, totalMinor }: PayableItem): EntryShape {
  return {
    role: documentRole(form, totalMinor),
    debit: form.debit === 'lines' ? 'lines' : 'payables',
    credit: form.credit === 'lines' ? 'lines' : 'payables',
    vendor,
    documentNumber: documentNumberOf(item),
  };
}

// A credit note settles the open invoice whose number it carries (B9.4).
function openDocumentOf(payable: PayableItem): EntryShape {
  const document = documentOf(payable);
  const number = invoiceNumberOf(payable.item);
  const isCredit = document.role === 'credit-note' && number !== undefined;
  return isCredit ? { ...document, settlement: { kind: 'settles', numbers: [number] } } : document;
}

function paymentOf({ item, form, vendor, totalMinor, findings }: PayableItem): EntryShape {
  const number = invoiceNumberOf(item);
  if (number === undefined) {
    findings.warn(
      'payment-without-invoice-number',
      message('warning.payment-without-invoice-number', { code: vendor.code, name: vendor.name }),
    );
  }
  const kind = isComingBack(form, totalMinor) ? 'reopens' : 'settles';
  return {
    role: paymentRole(form, totalMinor),
    debit: form.debit,
    credit: form.credit,
    vendor,
    documentNumber: documentNumberOf(item),
    ...(number !== undefined && { settlement: { kind, numbers: [number] } }),
  };
}

function reimbursementOf({ item, form, vendor, totalMinor }: PayableItem): EntryShape {
  const numbers = (item.additionalInformation.reconciledEntries ?? []).map(textOf).filter((id) => id !== undefined);
  const kind = isComingBack(form, totalMinor) ? 'reopens' : 'settles';
  return {
    role: paymentRole(form, totalMinor),
    debit: form.debit === 'out-of-pocket' ? 'payables' : form.debit,
    credit: form.credit === 'out-of-pocket' ? 'payables' : form.credit,
    vendor,
    documentNumber: documentNumberOf(item),
    ...(numbers.length > 0 && { settlement: { kind, numbers } }),
  };
}

function withoutVendor(item: ExportItem, form: EntryForm, totalMinor: bigint): EntryShape {
  const role = form.payable === 'employee-cost' ? documentRole(form, totalMinor) : paymentRole(form, totalMinor);
  return { role, debit: form.debit, credit: form.credit, documentNumber: documentNumberOf(item) };
}

function documentRole(form: EntryForm, totalMinor: bigint): EntryRole {
  return isComingBack(form, totalMinor) ? 'credit-note' : 'invoice';
}

function paymentRole(form: EntryForm, totalMinor: bigint): EntryRole {
  return isComingBack(form, totalMinor) ? 'receipt' : 'payment';
}

// Money comes back when the type debits the bank side, and the other way round when the total is negative.
function isComingBack(form: EntryForm, totalMinor: bigint): boolean {
  const isReturnType = form.debit === 'wallet' || form.debit === 'company-bank';
  return isReturnType !== totalMinor < 0n;
}

// The supplier's number for every document of accounts payable, also for a payment (B9.5).
function documentNumberOf(item: ExportItem): string {
  return invoiceNumberOf(item) ?? textOf(item.additionalInformation.reconciliationId) ?? item.accountingEntryId;
}
