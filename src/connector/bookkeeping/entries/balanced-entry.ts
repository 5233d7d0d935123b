import { currencyDigits, type CurrencyCode } from '../../../kernel/currency.js';
import { multiplyToMinor, type Decimal } from '../../../kernel/decimal.js';
import type { BookkeepingContext } from '../item/bookkeeping-context.js';
import { postingVendor, resolveCounter } from '../accounts/counter-accounts.js';
import type { ExportItem } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import type { PlannedLine, PostingAccount, SettlementIntent } from '../item/posting-plan.js';
import { configuredAccount, settingCatalog } from '../accounts/settings-accounts.js';
import type { ItemAmounts } from './amounts.js';
import type { EntryShape } from './entry-shapes.js';
import type { Leg } from './entry-forms.js';
import { divideLines } from './divide-lines.js';
import { negatedTax, type UnconvertedLine } from './plan-lines.js';

/** What all entries of an item are made from. */
interface EntryMaterial {
  readonly item: ExportItem;
  readonly amounts: ItemAmounts;
  /** The item's own lines as debits. */
  readonly ownLines: readonly UnconvertedLine[];
  readonly context: BookkeepingContext;
  readonly findings: Findings;
}

/** An entry with its accounts, before dates and functional amounts. */
export interface EntryDraft {
  readonly shape: EntryShape;
  readonly lines: readonly UnconvertedLine[];
  readonly settlement?: SettlementIntent;
}

/**
 * Fills the two legs of an entry with lines that add up to 0 in the entry's currency, the debit side first. A counter
 * line of 0 is left out and needs no account. An account that does not resolve becomes a finding.
 */
export function draftEntry(shape: EntryShape, material: EntryMaterial): EntryDraft {
  const debit = legLines(shape.debit, 1n, shape, material);
  const credit = legLines(shape.credit, -1n, shape, material);
  const lines = material.amounts.totalMinor < 0n ? [...credit, ...debit] : [...debit, ...credit];
  const settlement = settlementOf(shape, material);
  return { shape, lines, ...(settlement && { settlement }) };
}

function legLines(leg: Leg, sign: bigint, shape: EntryShape, material: EntryMaterial): readonly UnconvertedLine[] {
  const { item, amounts, ownLines, context, findings } = material;
  if (leg === 'lines') return sign === 1n ? ownLines : ownLines.map(creditedLine);
  if (amounts.totalMinor === 0n) return [];
  const side = resolveCounter(leg, item, amounts.currency, shape.vendor, context, findings);
  return side ? [{ ...side, amountMinor: sign * amounts.totalMinor, dimensions: [] }] : [];
}

function creditedLine(line: UnconvertedLine): UnconvertedLine {
  return { ...line, amountMinor: -line.amountMinor, ...(line.tax && { tax: negatedTax(line.tax) }) };
}

function settlementOf(shape: EntryShape, material: EntryMaterial): SettlementIntent | undefined {
  const { currency, totalMinor } = material.amounts;
  const { vendor } = shape;
  if (shape.settlement === undefined || vendor === undefined || currency === undefined) return undefined;
  const { kind, numbers } = shape.settlement;
  const realizedFx = kind === 'within' ? undefined : realizedFxAccount(currency, material);
  return {
    kind,
    vendor: postingVendor(vendor),
    numbers,
    currency,
    amountMinor: totalMinor < 0n ? -totalMinor : totalMinor,
    ...(realizedFx && { realizedFx }),
  };
}

// Within one item both sides have the same base amount. A payment that comes back is settled against the one it returns,
// and each was converted with the rate of its own day.
function realizedFxAccount(currency: CurrencyCode, { context, findings }: EntryMaterial): PostingAccount | undefined {
  const { realizedFx } = context.settings;
  if (realizedFx === undefined || currency === context.functionalCurrency) return undefined;
  return configuredAccount(settingCatalog.realizedFx, realizedFx, context, findings);
}

/**
 * Adds the functional amounts, half-even per line, and the rounding line that takes what is left over, so that the entry
 * balances in both currencies (B4). An entry with more lines than the ERP takes becomes several, whose lines add up to
 * those of the whole one (B9.10).
 *
 * @param rate main units of the functional currency per main unit of `currency`.
 * @returns the lines of each part; one part where nothing is or can be divided. Undefined after a finding about the
 *   rounding account, and for lines that do not add up because some of them could not be resolved.
 */
export function convertLines(
  lines: readonly UnconvertedLine[],
  currency: CurrencyCode,
  rate: Decimal,
  context: BookkeepingContext,
  findings: Findings,
): readonly (readonly PlannedLine[])[] | undefined {
  if (lines.reduce((sum, line) => sum + line.amountMinor, 0n) !== 0n) return undefined;
  const exponent = (currencyDigits(context.functionalCurrency) ?? 0) - (currencyDigits(currency) ?? 0);
  const inBase = (minor: bigint) => multiplyToMinor(minor, rate, exponent);
  const converted = lines.map((line) => ({ ...line, baseMinor: inBase(line.amountMinor) }));
  const isForeign = currency !== context.functionalCurrency;
  const balanced = [];
  for (const part of partsOf(converted, isForeign, inBase, context)) {
    const residue = part.reduce((left, line) => left - line.baseMinor, 0n);
    const account =
      residue !== 0n && configuredAccount(settingCatalog.fxRounding, context.settings.fxRounding, context, findings);
    if (account === undefined) return undefined;
    const planned = part.map((line) => plannedLine(line, inBase, context));
    balanced.push(account ? [...planned, { account, amountMinor: 0n, baseMinor: residue, dimensions: [] }] : planned);
  }
  return balanced;
}

type ConvertedLine = UnconvertedLine & { readonly baseMinor: bigint };

function partsOf(
  lines: readonly ConvertedLine[],
  isForeign: boolean,
  inBase: (minor: bigint) => bigint,
  { linesPerEntry = Infinity }: BookkeepingContext,
): readonly (readonly ConvertedLine[])[] {
  const residue = lines.reduce((left, line) => left - line.baseMinor, 0n);
  if (lines.length + (residue === 0n ? 0 : 1) <= linesPerEntry) return [lines];
  // Shares of what was given out, so that they add up to the whole line also in base.
  let given = 0n;
  const shareOf = (counter: ConvertedLine, amountMinor: bigint) => {
    const before = given;
    given += amountMinor;
    return { ...counter, amountMinor, baseMinor: inBase(given) - inBase(before) };
  };
  return divideLines(lines, linesPerEntry - (isForeign ? 1 : 0), shareOf) ?? [lines];
}

function plannedLine(
  { tax, ...line }: ConvertedLine,
  inBase: (minor: bigint) => bigint,
  { taxDetails }: BookkeepingContext,
): PlannedLine {
  if (tax === undefined || taxDetails !== true) return line;
  const inBoth = { taxableBaseMinor: inBase(tax.taxableMinor), taxBaseMinor: inBase(tax.taxMinor) };
  return { ...line, tax: { ...tax, ...inBoth } };
}
