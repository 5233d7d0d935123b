import { message } from '../../../kernel/message.js';
import { entryIssue } from '../item/issues.js';
import { methodOf, textOf, type ExportItem } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';

// Which side of the books an item touches, by type and subtype: the tables of B3.3 and B3.4.

/** `lines` = each line's own account and tax; the others are one counter line over the total. */
export type Leg = 'lines' | 'wallet' | 'out-of-pocket' | 'company-bank' | 'payables';

/** How the type is booked against a vendor: the rows of the accounts-payable table, or not at all. */
type PayableForm =
  'document-and-payment' | 'document' | 'payment' | 'employee-cost' | 'employee-reimbursement' | 'never';

export interface EntryForm {
  readonly debit: Leg;
  readonly credit: Leg;
  /** `noise`: the type says the direction. `meaning`: a negative total swaps the sides. */
  readonly sign: 'noise' | 'meaning';
  readonly payable: PayableForm;
}

export type BookkeepingMethod = 'none' | 'journal' | 'accounts_payable';

type Row = readonly [
  types: readonly string[],
  subTypes: readonly (string | undefined)[],
  debit: Leg,
  credit: Leg,
  sign: EntryForm['sign'],
  payable: PayableForm,
];

const NO_SUBTYPE = [undefined];
const REIMBURSEMENTS = ['direct_reimbursement'];
const OUTSIDE_REIMBURSEMENTS = ['external_reimbursement'];
const TO_EMPLOYEE = [undefined, 'reimbursement_to_employee'];
const FROM_EMPLOYEE = ['reimbursement_to_employee_refund', 'reimbursement_to_company'];
const SENT = [undefined, 'invoice_payment_sent'];
const RETURNED = ['invoice_payment_returned'];

const ROWS: readonly Row[] = [
  [['card_purchase', 'card_invoice'], NO_SUBTYPE, 'lines', 'wallet', 'meaning', 'document-and-payment'],
  [['fee'], [undefined, 'interest'], 'lines', 'wallet', 'meaning', 'document-and-payment'],
  [['atm_withdrawal'], NO_SUBTYPE, 'lines', 'wallet', 'meaning', 'never'],
  [['refund', 'chargeback'], NO_SUBTYPE, 'wallet', 'lines', 'noise', 'document-and-payment'],
  [['cashback'], NO_SUBTYPE, 'wallet', 'lines', 'noise', 'never'],
  [['out_of_pocket', 'mileage', 'per_diem'], NO_SUBTYPE, 'lines', 'out-of-pocket', 'meaning', 'employee-cost'],
  [REIMBURSEMENTS, TO_EMPLOYEE, 'out-of-pocket', 'wallet', 'noise', 'employee-reimbursement'],
  [REIMBURSEMENTS, FROM_EMPLOYEE, 'wallet', 'out-of-pocket', 'noise', 'employee-reimbursement'],
  [OUTSIDE_REIMBURSEMENTS, TO_EMPLOYEE, 'out-of-pocket', 'company-bank', 'noise', 'employee-reimbursement'],
  [OUTSIDE_REIMBURSEMENTS, FROM_EMPLOYEE, 'company-bank', 'out-of-pocket', 'noise', 'employee-reimbursement'],
  [['personal_spend'], NO_SUBTYPE, 'out-of-pocket', 'wallet', 'meaning', 'never'],
  [['invoice'], NO_SUBTYPE, 'lines', 'payables', 'meaning', 'document'],
  [['invoice_payment'], SENT, 'payables', 'wallet', 'noise', 'payment'],
  [['invoice_payment'], RETURNED, 'wallet', 'payables', 'noise', 'payment'],
  [['wallet_topup'], NO_SUBTYPE, 'wallet', 'company-bank', 'noise', 'never'],
  [['wallet_unload'], NO_SUBTYPE, 'company-bank', 'wallet', 'noise', 'never'],
];

const FORMS: ReadonlyMap<string, ReadonlyMap<string, EntryForm>> = indexForms();

const METHODS: ReadonlyMap<string, BookkeepingMethod> = new Map([
  ['none', 'none'],
  ['journal', 'journal'],
  ['accounts_payable', 'accounts_payable'],
]);

/** @returns undefined after a finding when the type is unknown or the subtype is not one of the type's. */
export function readForm(item: ExportItem, findings: Findings): EntryForm | undefined {
  const bySubType = FORMS.get(item.type);
  const subType = textOf(item.subType);
  const form = bySubType?.get(subType ?? '');
  if (form !== undefined) return form;
  const given = { type: item.type, has: subType === undefined ? 'none' : 'one', subtype: subType ?? '' };
  findings.fail(
    'validation_failure',
    bySubType === undefined ? message('reason.type', given) : message('reason.subtype', given),
    entryIssue('type'),
  );
  return undefined;
}

/** @returns 'absent' when the item names no method; undefined after a finding when it names an unknown one. */
export function readMethod(item: ExportItem, findings: Findings): BookkeepingMethod | 'absent' | undefined {
  const method = methodOf(item);
  if (method === undefined) return 'absent';
  const known = METHODS.get(method);
  if (known === undefined) {
    findings.fail('validation_failure', message('reason.method', { method, type: item.type }), entryIssue('method'));
  }
  return known;
}

/** Whether the item's lines are posted; otherwise only its total is, and nothing else of the lines is looked at. */
export function hasLines(form: EntryForm): boolean {
  return form.debit === 'lines' || form.credit === 'lines';
}

/** Whether lines of this type are owed to an employee, or by one. */
export function isOwedToEmployee(type: string): boolean {
  const forms = [...(FORMS.get(type)?.values() ?? [])];
  return forms.some(({ debit, credit }) => debit === 'out-of-pocket' || credit === 'out-of-pocket');
}

function indexForms(): Map<string, Map<string, EntryForm>> {
  const index = new Map<string, Map<string, EntryForm>>();
  for (const [types, subTypes, debit, credit, sign, payable] of ROWS) {
    for (const type of types) {
      const bySubType = index.get(type) ?? new Map<string, EntryForm>();
      for (const subType of subTypes) bySubType.set(subType ?? '', { debit, credit, sign, payable });
      index.set(type, bySubType);
    }
  }
  return index;
}
