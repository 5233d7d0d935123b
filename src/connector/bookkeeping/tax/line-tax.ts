import { message, type Message } from '../../../kernel/message.js';
import {
  addDecimals,
  formatDecimal,
  multiplyToMinor,
  negateDecimal,
  parseDecimal,
  type Decimal,
} from '../../../kernel/decimal.js';
import { entryIssue } from '../item/issues.js';
import type { LineAmounts } from '../entries/amounts.js';
import type { BookkeepingContext, ErpTaxCode } from '../item/bookkeeping-context.js';
import { textOf, type ItemTax } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import type { LineTax, PostingAccount, PostingTaxCode } from '../item/posting-plan.js';
import type { RuleScope } from '../accounts/rule-index.js';
import { activeAccount } from '../accounts/settings-accounts.js';
import { describeTax, resolveTaxCode, taxKey } from './resolve-tax-code.js';

/** Before the amounts are known in the functional currency. */
export type UnconvertedTax = Omit<LineTax, 'taxableBaseMinor' | 'taxBaseMinor'>;

/** A tax amount with the account it goes to. */
interface TaxPosting {
  readonly account: PostingAccount;
  readonly minor: bigint;
}

/** How one source line divides into its expense, its input tax and its output tax (B2). */
interface TaxedLine {
  readonly expenseMinor: bigint;
  readonly input?: TaxPosting;
  readonly output?: TaxPosting;
  readonly taxCode?: PostingTaxCode;
  /** Of the input side. */
  readonly details?: Omit<UnconvertedTax, 'place'>;
}

const ONE: Decimal = { coefficient: 1n, scale: 0 };

/**
 * Divides one line by its tax and finds the tax's code and accounts.
 *
 * @returns undefined after at least one finding: `validation_failure` for a tax that cannot be, `tax_code_unknown` for one
 *   the ERP has no code or account for, `invalid_configuration` for a tax code whose deductible share is no share.
 */
export function planLineTax(
  line: LineAmounts,
  scope: RuleScope,
  context: BookkeepingContext,
  findings: Findings,
): TaxedLine | undefined {
  const { tax } = line.source;
  if (!tax) return { expenseMinor: line.lineMinor };
  const amount = isPossible(line, tax, findings) ? taxAmount(line, tax, findings) : undefined;
  const resolved = resolveTaxCode(tax, line.position, scope, context, findings);
  if (amount === undefined || resolved === 'unknown') return undefined;
  const share = deductibleShare(resolved?.taxCode, findings);
  if (share === undefined) return undefined;
  const split = splitLine(line.lineMinor, amount, tax.type, share);
  const accountFinder = { tax, line: line.position, erpTaxCode: resolved?.taxCode, context, findings };
  const input = taxPosting(split.inputMinor, tax.ingoingTaxAccount, 'input', accountFinder);
  const output = taxPosting(split.outputMinor, tax.outgoingTaxAccount, 'output', accountFinder);
  if (input === 'unknown' || output === 'unknown') return undefined;
  return {
    expenseMinor: split.expenseMinor,
    ...(input && { input }),
    ...(output && { output }),
    ...(resolved && { taxCode: resolved.posting }),
    details: {
      reverseCharge: tax.type === 'reverse',
      ...rateOf(tax),
      deductible: formatDecimal(share),
      taxableMinor: line.lineMinor - (tax.type === 'reverse' ? 0n : amount),
      taxMinor: amount,
    },
  };
}

const MAX_RATE_DIGITS = 12;

// A tax line is not refused for a rate that only informs: the amount stands (B2.3).
function rateOf(tax: ItemTax): { readonly rate?: string } {
  const rate = parseDecimal(tax.rate);
  const isShort =
    rate !== undefined && rate.scale <= MAX_RATE_DIGITS && rate.coefficient < 10n ** BigInt(MAX_RATE_DIGITS);
  return isShort && rate.coefficient >= 0n ? { rate: formatDecimal(rate) } : {};
}

// Compared in hundredths, before a currency without decimals rounds the difference away.
function isPossible(line: LineAmounts, tax: ItemTax, findings: Findings): boolean {
  const problem = taxProblem(line, tax);
  if (problem === undefined) return true;
  findings.fail('validation_failure', problem, entryIssue('tax'));
  return false;
}

function taxProblem({ source, position: line }: LineAmounts, tax: ItemTax): Message | undefined {
  if (!['inclusive', 'exclusive', 'reverse'].includes(tax.type)) {
    return message('reason.tax.type', { line, type: tax.type, tax: describeTax(tax) });
  }
  const base = tax.type === 'exclusive' ? source.netAmount : source.lineAmount;
  const baseSign = coefficientOf(base.inWalletCurrency.value);
  const taxSign = coefficientOf(tax.amount.inWalletCurrency.value);
  if (baseSign * taxSign < 0n) {
    return message('reason.tax.sign', { line });
  }
  const isTooMuch =
    tax.type === 'inclusive' && isLarger(tax.amount.inWalletCurrency.value, base.inWalletCurrency.value);
  return isTooMuch ? message('reason.tax.too-large', { line }) : undefined;
}

function coefficientOf(value: string): bigint {
  return parseDecimal(value)?.coefficient ?? 0n;
}

// Both have the same sign here, or one of them is 0.
function isLarger(tax: string, line: string): boolean {
  const taxDecimal = parseDecimal(tax);
  const lineDecimal = parseDecimal(line);
  if (taxDecimal === undefined || lineDecimal === undefined) return false;
  return addDecimals(taxDecimal, negateDecimal(lineDecimal)).coefficient * taxDecimal.coefficient > 0n;
}

// The platform's amount stands, except a reverse charge sent with a rate but without an amount.
function taxAmount(line: LineAmounts, tax: ItemTax, findings: Findings): bigint | undefined {
  const isSent = coefficientOf(tax.amount.inWalletCurrency.value) !== 0n;
  if (tax.type !== 'reverse' || isSent) return line.taxMinor;
  const rate = parseDecimal(tax.rate);
  if (rate === undefined) {
    findings.fail(
      'validation_failure',
      message('reason.tax-rate', { line: line.position, rate: tax.rate, tax: describeTax(tax) }),
      entryIssue('tax-rate'),
    );
    return undefined;
  }
  if (rate.coefficient <= 0n) return line.taxMinor;
  findings.warn(
    'reverse-tax-computed',
    message('warning.reverse-tax-computed', { line: line.position, rate: tax.rate, tax: describeTax(tax) }),
  );
  return multiplyToMinor(line.lineMinor, rate, 0);
}

interface Split {
  readonly expenseMinor: bigint;
  readonly inputMinor: bigint;
  readonly outputMinor: bigint;
}

function deductibleShare(taxCode: ErpTaxCode | undefined, findings: Findings): Decimal | undefined {
  if (taxCode?.deductible === undefined) return ONE;
  const share = parseDecimal(taxCode.deductible);
  if (share && share.coefficient >= 0n && share.coefficient <= 10n ** BigInt(share.scale)) return share;
  findings.fail(
    'invalid_configuration',
    message('reason.tax-share', { code: taxCode.code, name: taxCode.name, share: taxCode.deductible }),
    { kind: 'tax-share', reference: taxCode.code, name: taxCode.name },
  );
  return undefined;
}

function splitLine(lineMinor: bigint, taxMinor: bigint, taxType: string, deductible: Decimal): Split {
  const inputMinor = multiplyToMinor(taxMinor, deductible, 0);
  // A reverse charge is not in the line's amount: what may not be deducted comes on top of the expense.
  const outputMinor = taxType === 'reverse' ? -taxMinor : 0n;
  return { expenseMinor: lineMinor - outputMinor - inputMinor, inputMinor, outputMinor };
}

interface TaxAccountFinder {
  readonly tax: ItemTax;
  readonly line: number;
  readonly erpTaxCode: ErpTaxCode | undefined;
  readonly context: BookkeepingContext;
  readonly findings: Findings;
}

function taxPosting(
  minor: bigint,
  onItem: string | null | undefined,
  side: 'input' | 'output',
  { tax, line, erpTaxCode, context, findings }: TaxAccountFinder,
): TaxPosting | undefined | 'unknown' {
  if (minor === 0n) return undefined;
  const given = textOf(onItem);
  const mapped = side === 'input' ? erpTaxCode?.inputAccount : erpTaxCode?.outputAccount;
  const reference = given ?? textOf(mapped);
  if (reference === undefined) {
    findings.fail('tax_code_unknown', message('reason.tax-account.missing', { line, side, tax: describeTax(tax) }), {
      kind: 'tax-account',
      reference: taxKey(tax),
      name: side,
    });
    return 'unknown';
  }
  const account = activeAccount(reference, context);
  if (account === undefined) {
    const place = given === undefined ? 'erp' : 'platform';
    findings.fail(
      'tax_code_unknown',
      message('reason.tax-account.inactive', { line, side, account: reference, tax: describeTax(tax), place }),
      { kind: 'tax-account', reference: taxKey(tax), name: side },
    );
    return 'unknown';
  }
  const decision = { by: given === undefined ? ('tax-code' as const) : ('tax-account' as const) };
  return { account: { id: account.externalId, code: account.code, decision }, minor };
}
