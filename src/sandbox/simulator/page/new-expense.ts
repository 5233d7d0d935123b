import { LosslessNumber, parse, stringify } from 'lossless-json';
import { z } from 'zod';
import { formatScaled, parseDecimal } from '../../../kernel/decimal.js';
import type { StoredItem } from '../exports/export-item.repository.js';
import { currencyField, textField } from '../wire/request-fields.js';
import type { Employee } from '../employees/employee.repository.js';
import type { ShownItem } from './views/job-section.js';
import { personName } from './page-session.js';

const DECIMALS = 2;

/** The form of a new expense. */
export const expenseSchema = z.object({
  type: z.string().regex(/^[a-z_]{1,40}$/),
  supplier: textField.min(1).max(100),
  amount: z.string().regex(/^-?\d{1,12}([.]\d{1,2})?$/, 'is a number like 12.50'),
  currency: currencyField,
  account_code: textField.max(50).default(''),
  note: textField.max(200).default(''),
});

/**
 * The form's expense as a version 3 item. An amount spent is positive.
 * @param accountId of the ledger account that the item names
 * @param person the person who spent it; unset when unknown
 * @returns JSON text of the item
 */
export function expenseText(
  form: z.output<typeof expenseSchema>,
  accountId: string,
  person: Employee | undefined,
): string {
  const money = { currency: form.currency, value: new LosslessNumber(hundredths(form.amount)) };
  const amount = { inSupplierCurrency: money, inWalletCurrency: money };
  const account = { id: accountId, name: form.account_code, code: form.account_code, identifier: null };
  return written({
    type: form.type,
    amount,
    note: form.note === '' ? null : form.note,
    supplier: { name: form.supplier },
    user: person === undefined ? null : { id: person.id, name: personName(person), code: person.code },
    accountingEntryLines: [{ lineAmount: amount, netAmount: amount, ...(form.account_code === '' ? {} : { account }) }],
  });
}

const shownSchema = z.object({
  type: z.string().catch(''),
  date: z.string().catch(''),
  note: z.string().catch(''),
  supplier: z.object({ name: z.string().catch('') }).catch({ name: '' }),
  amount: z
    .object({
      inWalletCurrency: z.object({
        currency: z.string().catch(''),
        value: z.instanceof(LosslessNumber).catch(new LosslessNumber('0')),
      }),
    })
    .catch({ inWalletCurrency: { currency: '', value: new LosslessNumber('0') } }),
});

/** What the page shows of an item; what is missing or malformed is left empty. */
export function shownItem({ id, body }: Pick<StoredItem, 'id' | 'body'>): ShownItem {
  const { type, date, note, supplier, amount } = shownSchema.parse(parse(body));
  const { currency, value } = amount.inWalletCurrency;
  return {
    id,
    date: date.slice(0, 10),
    type,
    text: [supplier.name, note].filter((text) => text !== '').join(' – '),
    amount: `${mainUnits(value.toString())} ${currency}`,
  };
}

/** `12.5` is `1250`. */
function hundredths(amount: string): string {
  const [whole = '0', fraction = ''] = amount.replace('-', '').split('.');
  const value = BigInt(whole + fraction.padEnd(DECIMALS, '0'));
  return (amount.startsWith('-') ? -value : value).toString();
}

/** `1250` hundredths is `12.50`; some currencies have fractions of them. */
function mainUnits(text: string): string {
  const value = parseDecimal(text);
  return value === undefined ? text : formatScaled(value.coefficient, value.scale + DECIMALS);
}

function written(value: object): string {
  return stringify(value) ?? '{}';
}
