/** The same money in both currencies; `value` in hundredths. */
export function euros(value: number, currency = 'EUR'): object {
  const money = { currency, value };
  return { inSupplierCurrency: money, inWalletCurrency: money };
}

/** A version 3 item with one line; `value` in hundredths. */
export function item(value: number, extra: object = {}, currency = 'EUR'): object {
  const amount = euros(value, currency);
  return {
    type: 'card_purchase',
    amount,
    accountingEntryLines: [{ lineAmount: amount, netAmount: amount }],
    ...extra,
  };
}
