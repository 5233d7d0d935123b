// What the platform's items keep to (P1.8, P9.6, P12): an item that does not is nothing the platform could ever send.
import { isLosslessNumber, type LosslessNumber } from 'lossless-json';
import { z } from 'zod';
import { currencyDigits } from '../../../kernel/currency.js';
import { COUNTRY_CODES } from '../vendors/domain/country-codes.js';
import { publishedCurrencyField } from '../wire/request-fields.js';
import { showsContraAccount } from './domain/contra-accounts.js';
import { ITEM_SUB_TYPES, ITEM_TYPES, INVOICE_STATUSES, isInvoice, isReimbursement } from './domain/item-kinds.js';

/** Numbers keep every digit of their text. */
const number = z.custom<LosslessNumber>(isLosslessNumber, 'is no number');
/** Numbers are objects here. */
const noNumber = z.unknown().refine((value) => !isLosslessNumber(value), 'is no object');
/** A whole number. */
const bytes = number.refine((size) => /^\d{1,10}$/.test(size.toString()), 'is no number of bytes');
const instant = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'is no time to the second, in UTC')
  .refine(isOfCalendar, 'is in no calendar');
/** Declared as a day, shown as a time: both are sent. */
const day = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?$/, 'is no day')
  .refine(isOfCalendar, 'is in no calendar');
const country = z.enum(COUNTRY_CODES);
const text = z.string().nullish();
/** Left out where there is none, never null (P13). */
const textIfAny = z.string().optional();

/** `value` is in hundredths; a fraction of one has to be a whole number of the currency's smallest unit. */
const money = z.looseObject({ currency: publishedCurrencyField, value: number }).refine(({ currency, value }) => {
  const fraction = /^-?\d+(?:\.(\d+))?$/.exec(value.toString())?.[1]?.replace(/0+$/, '') ?? '';
  return fraction.length <= Math.max(0, (currencyDigits(currency) ?? 2) - 2);
}, 'is no whole number of the smallest unit of its currency');
const dual = z.looseObject({ inSupplierCurrency: money, inWalletCurrency: money });
const named = z.looseObject({ id: z.guid(), name: z.string(), code: text });
const account = named.extend({ identifier: text });

const line = z.looseObject({
  accountingEntryLineId: z.guid(),
  lineAmount: dual,
  netAmount: dual,
  account: account.nullish(),
  tags: z.array(z.looseObject({ id: z.guid(), code: z.string(), groupCode: z.string() }).nullable()).nullish(),
  tax: z
    .looseObject({
      id: z.guid(),
      code: text,
      rate: number,
      type: z.enum(['inclusive', 'exclusive', 'reverse']),
      amount: dual,
      ingoingTaxAccount: textIfAny,
      outgoingTaxAccount: textIfAny,
    })
    .nullish(),
});

const vendor = z.looseObject({
  id: z.guid(),
  name: z.string(),
  defaultCurrency: publishedCurrencyField,
  code: textIfAny,
  externalId: textIfAny,
  registrationNumber: textIfAny,
  taxRegistrationNumber: textIfAny,
  country: country.optional(),
});
const supplier = noNumber.pipe(
  z.looseObject({
    name: text,
    code: text,
    account: text,
    categoryCode: text,
    country: country.nullish(),
    taxIdentifier: text,
  }),
);
const bankAccount = z.looseObject({
  bankName: z.string(),
  country,
  accountNumber: text,
  bankCode: text,
  bic: text,
  iban: text,
});
const invoice = z.looseObject({
  invoiceNumber: z.string(),
  invoiceDate: day,
  dueDate: day.nullish(),
  paymentDate: day.nullish(),
  status: z.enum(INVOICE_STATUSES),
  supplierBankAccount: bankAccount.nullish(),
});
const entries = z
  .array(z.string().nullable())
  .refine((values) => new Set(values).size === values.length, 'names an entry twice');

const links = z.record(z.string(), z.string()).optional();

const item = z.looseObject({
  accountingEntryId: z.guid(),
  companyId: z.guid(),
  type: z.enum(ITEM_TYPES),
  subType: z.enum(ITEM_SUB_TYPES).optional(),
  date: instant,
  amount: dual,
  note: text,
  accountingEntryLines: z.array(line),
  bookkeeping: z.looseObject({ method: z.enum(['none', 'journal', 'accounts_payable']) }).nullish(),
  vendor: vendor.nullish(),
  supplier: supplier.nullish(),
  contraAccount: account.nullish(),
  user: named.nullish(),
  team: named.nullish(),
  files: z.array(z.looseObject({ url: z.url(), type: z.string(), size: bytes }).nullable()).nullish(),
  servicePeriod: z.looseObject({ from: instant, to: instant }).nullish(),
  additionalInformation: z.looseObject({
    reconciliationId: z.string(),
    attendees: z.array(z.string().nullable()).nullish(),
    reconciledEntries: entries.nullish(),
    invoiceInformation: invoice.nullish(),
  }),
  _links: noNumber.pipe(z.looseObject({ web: links, mobile: links, api: links })),
});
type Item = z.output<typeof item>;

/** What depends on something else in the item: whether it must be there, or must not. */
const DEPENDENT: readonly (readonly [path: string, holds: (item: Item) => boolean, rule: string])[] = [
  [
    'vendor',
    ({ bookkeeping, vendor: owed }) => bookkeeping?.method !== 'accounts_payable' || owed != null,
    'must be there for accounts_payable',
  ],
  [
    'contraAccount',
    ({ type, contraAccount }) => contraAccount == null || showsContraAccount(type),
    'is not shown by items of this type',
  ],
  [
    'additionalInformation.reconciledEntries',
    ({ type, subType, additionalInformation }) =>
      additionalInformation.reconciledEntries == null || isReimbursement(type, subType),
    'is of reimbursements only',
  ],
  [
    'additionalInformation.invoiceInformation',
    ({ type, additionalInformation }) => additionalInformation.invoiceInformation == null || isInvoice(type),
    'is of invoices only',
  ],
];

const rules = item.superRefine((checked, context) => {
  for (const [path, holds, rule] of DEPENDENT) {
    if (!holds(checked)) {
      context.addIssue({ code: 'custom', path: path.split('.'), message: rule });
    }
  }
});

/** JavaScript takes 30 February for 1 or 2 March. */
function isOfCalendar(text: string): boolean {
  const moment = new Date(text);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text.replace('Z', ''));
}

/**
 * @param companyId whose item it is to be
 * @param value an item as it would be served by version 3, its numbers as `LosslessNumber`
 * @returns what the platform would never send, each with its path; empty when it might send the item
 */
export function brokenItemRules(companyId: string, value: unknown): readonly string[] {
  const { error, data } = rules.safeParse(value);
  if (data !== undefined && data.companyId.toLowerCase() !== companyId) {
    return ['companyId: is of another company'];
  }
  return (error?.issues ?? []).map(({ path, message }) => `${path.join('.')}: ${message}`);
}
