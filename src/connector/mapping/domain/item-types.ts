// Which rules the platform's item types can be subject to (B3.3).

/** Types whose lines are posted, with their accounts, taxes and tags. */
export const TYPES_WITH_LINES = [
  'card_purchase',
  'card_invoice',
  'atm_withdrawal',
  'fee',
  'refund',
  'chargeback',
  'cashback',
  'out_of_pocket',
  'mileage',
  'per_diem',
  'invoice',
] as const;

/** Types of which only the total is posted: no rule is asked for them. */
export const TYPES_WITHOUT_LINES = [
  'direct_reimbursement',
  'external_reimbursement',
  'personal_spend',
  'invoice_payment',
  'wallet_topup',
  'wallet_unload',
] as const;

export type ItemType = (typeof TYPES_WITH_LINES)[number] | (typeof TYPES_WITHOUT_LINES)[number];
