// Lines of moves, to be shown and to be reversed.
import { z } from 'zod';
import { negateDecimal, addDecimals, formatDecimal, type Decimal } from '../../../kernel/decimal.js';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { JsonValue } from '../../../kernel/json.js';
import type { ErpCall } from '../erp-call.js';
import type { InspectedLine } from '../erp-books.js';
import type { TrytonRpc } from './tryton-rpc.js';
import { decimal, minorOf, text } from './tryton-values.js';

const coded = z.object({ id: z.int(), code: text.nullish() });
const lineSchema = z.object({
  id: z.int(),
  move: z.int(),
  'account.': coded,
  'party.': coded.nullish(),
  debit: decimal,
  credit: decimal,
  second_currency: z.int().nullish(),
  amount_second_currency: decimal.nullish(),
  description: text.nullish(),
  'tax_lines.': z.array(
    z.object({ 'tax.': z.object({ id: z.int(), name: text }).nullish(), type: text.nullish(), amount: decimal }),
  ),
});
const analyticLine = z.object({
  debit: decimal,
  credit: decimal,
  'account.': coded.extend({ 'root.': coded.nullish() }),
});
const dimensionedSchema = lineSchema.extend({ 'analytic_lines.': z.array(analyticLine) });
export type TrytonLine = z.output<typeof lineSchema> & {
  readonly 'analytic_lines.': readonly z.output<typeof analyticLine>[];
};

export class TrytonLines {
  constructor(
    private readonly rpc: TrytonRpc,
    /** Whether analytic accounts are in use. */
    private readonly analytic: boolean,
  ) {}

  /** @returns lines by id of their move, in the order in which they were posted. @throws ErpUnavailable */
  async read(call: ErpCall, moveIds: readonly number[]): Promise<ReadonlyMap<number, readonly TrytonLine[]>> {
    if (moveIds.length === 0) {
      return new Map();
    }
    const domain = [['move', 'in', [...moveIds]]];
    const lines: readonly TrytonLine[] = this.analytic
      ? await this.rpc.readAll(call, 'account.move.line', dimensionedSchema, domain)
      : (await this.rpc.readAll(call, 'account.move.line', lineSchema, domain)).map((line) => ({
          ...line,
          'analytic_lines.': [],
        }));
    return Map.groupBy(lines, ({ move }) => move);
  }
}

/**
 * @param currency of the entry
 * @param functional of the company
 */
export function inspectedLine(line: TrytonLine, currency: CurrencyCode, functional: CurrencyCode): InspectedLine {
  const amount =
    currency === functional ? addDecimals(line.debit, negateDecimal(line.credit)) : line.amount_second_currency;
  return {
    accountCode: line['account.'].code ?? '',
    amountMinor: amount == null ? 0n : minorOf(amount, currency),
    taxCode: line['tax_lines.'][0]?.['tax.']?.name,
    vendorCode: line['party.']?.code ?? undefined,
    dimensions: Object.fromEntries(
      line['analytic_lines.'].map(({ 'account.': account }) => [account['root.']?.code ?? '', account.code ?? '']),
    ),
  };
}

/** Values of the line that cancels this one: debit and credit change sides. */
export function reversedLine(line: TrytonLine, date: JsonValue): Readonly<Record<string, JsonValue>> {
  const swapped = (sides: { readonly debit: Decimal; readonly credit: Decimal }) => ({
    debit: decimalValue(sides.credit),
    credit: decimalValue(sides.debit),
  });
  const { second_currency: secondCurrency, amount_second_currency: second, 'party.': party } = line;
  return {
    account: line['account.'].id,
    ...swapped(line),
    description: line.description ?? null,
    ...(party != null && { party: party.id }),
    ...(secondCurrency != null && { second_currency: secondCurrency }),
    ...(second != null && { amount_second_currency: decimalValue(negateDecimal(second)) }),
    tax_lines: [
      [
        'create',
        line['tax_lines.'].map(({ 'tax.': tax, type, amount }) => ({
          tax: tax?.id ?? null,
          type: type ?? null,
          amount: decimalValue(negateDecimal(amount)),
        })),
      ],
    ],
    ...(line['analytic_lines.'].length > 0 && {
      analytic_lines: [
        ['create', line['analytic_lines.'].map((each) => ({ account: each['account.'].id, date, ...swapped(each) }))],
      ],
    }),
  };
}

function decimalValue(value: Decimal): JsonValue {
  return { __class__: 'Decimal', decimal: formatDecimal(value) };
}
