// Which items show the account behind their wallet (P1.8). Pure.

const TYPES_WITH_CONTRA: ReadonlySet<string> = new Set([
  'card_purchase',
  'fee',
  'cashback',
  'refund',
  'chargeback',
  'direct_reimbursement',
  'invoice_payment',
  'card_invoice',
  'atm_withdrawal',
  'personal_spend',
  'wallet_topup',
  'wallet_unload',
]);

export function showsContraAccount(itemType: string): boolean {
  return TYPES_WITH_CONTRA.has(itemType);
}

/**
 * Currencies of items that have no contra account in the company's settings.
 * @param currencies ISO 4217 codes of the wallets of items that show a contra account; null for other items
 */
export function currenciesWithoutContra(
  currencies: readonly (string | null)[],
  contraAccounts: Readonly<Record<string, unknown>>,
): readonly string[] {
  const missing = currencies.filter(
    (currency): currency is string => currency !== null && contraAccounts[currency] === undefined,
  );
  return [...new Set(missing)].sort();
}
