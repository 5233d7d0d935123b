// The closed lists of an export item's values (P1.8). Pure.

export const ITEM_TYPES = [
  'card_purchase',
  'card_invoice',
  'out_of_pocket',
  'mileage',
  'per_diem',
  'external_reimbursement',
  'direct_reimbursement',
  'invoice',
  'invoice_payment',
  'chargeback',
  'refund',
  'cashback',
  'atm_withdrawal',
  'wallet_topup',
  'wallet_unload',
  'personal_spend',
  'fee',
] as const;

export const ITEM_SUB_TYPES = [
  'reimbursement_to_employee_refund',
  'reimbursement_to_company',
  'reimbursement_to_employee',
  'invoice_payment_returned',
  'invoice_payment_sent',
  'interest',
] as const;

export const INVOICE_STATUSES = [
  'pending_approval',
  'parsed',
  'preparing',
  'prepared',
  'ready',
  'rejected_by_approver',
  'marked_as_paid',
  'scheduled',
  'payment_in_progress',
  'paid',
  'voided_by_user',
  'rejected_by_user',
  'failed_payment',
] as const;

/** Items of invoices carry what is known of the invoice. */
export function isInvoice(type: string): boolean {
  return type === 'invoice' || type === 'invoice_payment' || type === 'card_invoice';
}

/** Reimbursements name the entries they pay. */
export function isReimbursement(type: string, subType: string | null | undefined): boolean {
  return type.endsWith('_reimbursement') || subType?.startsWith('reimbursement_') === true;
}
