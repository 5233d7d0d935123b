import { toErpAccountId } from '../../../kernel/ids.js';
import type { ExportItem, ItemLine } from './export-item.js';
import { companyData, contextWith, currency, day, itemOf, line } from './planning.fixtures.js';

// Items of every type, method and currency, whose own lines can be distinguished in what is planned: source line 3 goes to
// account L3, its input tax to I3, its output tax to O3.

export const MAX_LINES = 6;
const DIGITS = { EUR: 2, USD: 2, JPY: 0, KWD: 3 };
export const WALLETS = { EUR: '1935', USD: '1936', JPY: '1937', KWD: '1936' };
export type Code = keyof typeof DIGITS;

export type Side = 'lines' | 'wallet' | 'out-of-pocket' | 'bank' | 'payables';

/** A row of the table of B3.3; `noise`: the sign of the total says nothing. */
interface TypeRow {
  readonly type: string;
  readonly subType?: string;
  readonly debit: Side;
  readonly credit: Side;
  readonly noise: boolean;
}

const row = (type: string, debit: Side, credit: Side, noise: boolean, subType?: string): TypeRow => ({
  type,
  debit,
  credit,
  noise,
  ...(subType !== undefined && { subType }),
});

/** Written down from the specification, not from the code. */
export const TYPE_ROWS: readonly TypeRow[] = [
  ...['card_purchase', 'card_invoice', 'atm_withdrawal', 'fee'].map((type) => row(type, 'lines', 'wallet', false)),
  row('fee', 'lines', 'wallet', false, 'interest'),
  ...['refund', 'chargeback', 'cashback'].map((type) => row(type, 'wallet', 'lines', true)),
  ...['out_of_pocket', 'mileage', 'per_diem'].map((type) => row(type, 'lines', 'out-of-pocket', false)),
  ...[undefined, 'reimbursement_to_employee'].flatMap((subType) => [
    row('direct_reimbursement', 'out-of-pocket', 'wallet', true, subType),
    row('external_reimbursement', 'out-of-pocket', 'bank', true, subType),
  ]),
  ...['reimbursement_to_employee_refund', 'reimbursement_to_company'].flatMap((subType) => [
    row('direct_reimbursement', 'wallet', 'out-of-pocket', true, subType),
    row('external_reimbursement', 'bank', 'out-of-pocket', true, subType),
  ]),
  row('personal_spend', 'out-of-pocket', 'wallet', false),
  row('invoice', 'lines', 'payables', false),
  row('invoice_payment', 'payables', 'wallet', true),
  row('invoice_payment', 'payables', 'wallet', true, 'invoice_payment_sent'),
  row('invoice_payment', 'wallet', 'payables', true, 'invoice_payment_returned'),
  row('wallet_topup', 'wallet', 'bank', true),
  row('wallet_unload', 'bank', 'wallet', true),
];

/** Types that cannot go through accounts payable without a vendor. */
const VENDOR_TYPES = ['card_purchase', 'card_invoice', 'fee', 'refund', 'chargeback', 'invoice', 'invoice_payment'];

export interface LineDraft {
  readonly minor: number;
  readonly tax: 'none' | 'inclusive' | 'exclusive' | 'reverse';
  /** In tenths of a minor unit, so that some taxes have to be rounded; 0 without tax. */
  readonly taxTenths: number;
  readonly taxCode: '25' | 'HALF' | 'NONE';
}

export interface RandomItem {
  readonly item: ExportItem;
  readonly row: TypeRow;
  readonly method: string | null;
  readonly vendor: string | undefined;
  /** Of the source lines, in their order. */
  readonly drafts: readonly LineDraft[];
  /** With the sign it is sent with. */
  readonly totalMinor: bigint;
}

const own = (letter: string) => Array.from({ length: MAX_LINES }, (_, index) => `${letter}${(index + 1).toString()}`);

export const randomContext = contextWith({
  accounts: [
    ...companyData.accounts,
    ...['L', 'I', 'O'].flatMap(own).map((code) => ({
      externalId: toErpAccountId(`acc-${code}`),
      code,
      name: code,
      active: true,
    })),
  ],
  settings: { wallets: WALLETS },
  rates: Object.entries({ USD: '0.91237', JPY: '0.0061311', KWD: '2.98765' }).map(([code, rate]) => ({
    from: currency(code),
    to: currency('EUR'),
    date: day('2026-02-10'),
    rate,
  })),
});

/** What chance decides about an item. */
interface ItemDraft {
  readonly row: TypeRow;
  readonly code: Code;
  readonly method: string | null;
  readonly vendor: string | undefined;
  readonly reconciledEntries: readonly string[];
  readonly drafts: readonly LineDraft[];
}

/** An item that is in order, except that its amounts may cancel out to nothing. */
export function randomItemOf(draft: ItemDraft): RandomItem {
  const { row: typeRow, code, method, drafts, reconciledEntries } = draft;
  const needsVendor = method === 'accounts_payable' && VENDOR_TYPES.includes(typeRow.type);
  const vendor = needsVendor ? (draft.vendor ?? 'V-7') : draft.vendor;
  const total = drafts.reduce((sum, { minor }) => sum + minor, 0);
  const item = itemOf({
    type: typeRow.type,
    subType: typeRow.subType ?? null,
    amount: hundredths(total, code),
    currency: code,
    method,
    reconciledEntries,
    invoice: { invoiceNumber: 'A-1', invoiceDate: '2026-02-01', status: 'ready' },
    ...(vendor !== undefined && { vendor }),
  });
  const accountingEntryLines = drafts.map((each, index) => lineOf(each, index + 1, code));
  return {
    item: { ...item, accountingEntryLines },
    row: typeRow,
    method,
    vendor,
    drafts,
    totalMinor: BigInt(total),
  };
}

function lineOf({ minor, tax, taxTenths, taxCode }: LineDraft, position: number, code: Code): ItemLine {
  const place = position.toString();
  const text = { amount: hundredths(minor, code), account: `L${place}`, tags: ['CC=100'] };
  if (tax === 'none') return line(text, code);
  const net = tenths(minor * 10 - taxTenths, code);
  const amount = tenths(taxTenths, code);
  const accounts = { ingoing: `I${place}`, outgoing: `O${place}` };
  return line({ ...text, net, tax: { type: tax, amount, code: taxCode, ...accounts } }, code);
}

/** Minor units as the wire's hundredths, without a float. */
function hundredths(minor: number, code: Code): string {
  return `${minor.toString()}e${(2 - DIGITS[code]).toString()}`;
}

function tenths(tenthsOfMinor: number, code: Code): string {
  return `${tenthsOfMinor.toString()}e${(1 - DIGITS[code]).toString()}`;
}

/** Which sides the item moves money between, all its entries together (B3.3, B3.4). */
export function movedBetween({ row, method, vendor }: RandomItem): {
  readonly debit: Side;
  readonly credit: Side;
} {
  const isPayable = method === 'accounts_payable' || method === null;
  const isOwedToVendor = isPayable && vendor === 'E-3' && row.type !== 'personal_spend';
  const owed = (side: Side): Side => (side === 'out-of-pocket' && isOwedToVendor ? 'payables' : side);
  return { debit: owed(row.debit), credit: owed(row.credit) };
}

/** The quotient, rounded to the even neighbor where it lies half-way (B2). */
export function halfEven(numerator: bigint, denominator: bigint): bigint {
  const down = numerator / denominator - (numerator % denominator < 0n ? 1n : 0n);
  const twiceRest = 2n * (numerator - down * denominator);
  const isUp = twiceRest > denominator || (twiceRest === denominator && down % 2n !== 0n);
  return isUp ? down + 1n : down;
}
