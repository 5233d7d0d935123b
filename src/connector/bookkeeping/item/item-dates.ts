import { message } from '../../../kernel/message.js';
import type { CurrencyCode } from '../../../kernel/currency.js';
import type { Decimal } from '../../../kernel/decimal.js';
import { localDateIn, parseLocalDate, type LocalDate } from '../../../kernel/local-date.js';
import type { EntryForm } from '../entries/entry-forms.js';
import type { Treatment } from '../accounts/vendor-resolution.js';
import { entryIssue } from './issues.js';
import { MAX_RATE_AGE_DAYS, type BookkeepingContext } from './bookkeeping-context.js';
import { textOf, type ExportItem, type Nullable } from './export-item.js';
import type { Findings } from './findings.js';

export interface PostingDates {
  readonly postingDate: LocalDate;
  /** Set when a closed period moved the posting date. */
  readonly originalDate?: LocalDate;
}

export interface InvoiceDates {
  readonly documentDate?: LocalDate;
  readonly dueDate?: LocalDate;
}

// Years before 1000 and after 2999 are typing errors, and no calendar arithmetic has to cope with them.
const PLAUSIBLE_YEAR = /^[12]\d{3}-/;
/** A day after the first of those years, so that an offset or a time zone does not lead to the year before. */
const FIRST_INSTANT_MS = Date.UTC(1000, 0, 2);
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * The item's own day, which decides its posting date and its rate (B4, B6.1): that of an instant in the company's time
 * zone; a plain day is that day.
 *
 * @param timeZone IANA name.
 * @returns undefined when the text is neither.
 */
export function ownDayOf(date: string, timeZone: string): LocalDate | undefined {
  if (!PLAUSIBLE_YEAR.test(date)) return undefined;
  const day = parseLocalDate(date);
  if (day !== undefined) return day;
  const instant = parseInstant(date);
  return instant && instant.getTime() >= FIRST_INSTANT_MS ? localDateIn(instant, timeZone) : undefined;
}

/** The item's own day; undefined after a finding of `validation_failure`. */
export function readOwnDay(item: ExportItem, context: BookkeepingContext, findings: Findings): LocalDate | undefined {
  const day = ownDayOf(item.date, context.timeZone);
  if (day === undefined) {
    findings.fail('validation_failure', message('reason.date', { date: item.date }), entryIssue('date'));
  }
  return day;
}

/** @returns undefined unless the text is an ISO 8601 date-time with a zone, on a day that exists. */
export function parseInstant(text: string): Date | undefined {
  if (!INSTANT.test(text) || parseLocalDate(text.slice(0, 10)) === undefined) return undefined;
  const instant = new Date(text);
  return Number.isNaN(instant.getTime()) ? undefined : instant;
}

/**
 * Dates of an invoice, its own date also for every other document of accounts payable (B9.5). They are days on a paper: the
 * day as it is written counts, also in a date-time.
 *
 * @returns only the dates that are there; a date that cannot be read is a finding of `validation_failure`.
 */
export function readInvoiceDates(
  item: ExportItem,
  form: EntryForm | undefined,
  treatment: Treatment,
  findings: Findings,
): InvoiceDates {
  const isInvoice = form?.payable === 'document';
  const isPayable = treatment.kind === 'payable' || treatment.kind === 'payable-without-vendor';
  const invoice = item.additionalInformation.invoiceInformation;
  const documentDate = isInvoice || isPayable ? readPaperDay(invoice?.invoiceDate, 'invoice', findings) : undefined;
  const dueDate = isInvoice ? readPaperDay(invoice?.dueDate, 'due', findings) : undefined;
  return { ...(documentDate && { documentDate }), ...(dueDate && { dueDate }) };
}

/**
 * The day on which the item is posted: its own, or by the policy the first day of the next open period.
 *
 * @returns undefined after a finding of `accounting_system_validation_failure` naming the period.
 */
export function choosePostingDates(
  ownDay: LocalDate,
  context: BookkeepingContext,
  findings: Findings,
): PostingDates | undefined {
  const period = context.periods.find((candidate) => candidate.from <= ownDay && ownDay <= candidate.to);
  if (period?.open === true) return { postingDate: ownDay };
  const where = { day: ownDay, where: period === undefined ? 'nowhere' : 'closed', period: period?.name ?? '' };
  const isFailing = context.policies.closedPeriod === 'fail';
  const next = isFailing ? undefined : context.periods.find((candidate) => candidate.open && candidate.from > ownDay);
  if (next === undefined) {
    findings.fail(
      'accounting_system_validation_failure',
      message('reason.period', { ...where, later: isFailing ? 'not_asked' : 'none' }),
      period === undefined
        ? { kind: 'no-period', reference: ownDay.slice(0, 7) }
        : { kind: 'period', reference: period.name },
    );
    return undefined;
  }
  findings.warn(
    'moved-to-open-period',
    message('warning.moved-to-open-period', { ...where, postedOn: next.from, next: next.name }),
  );
  return { postingDate: next.from, originalDate: ownDay };
}

/**
 * The rate from a wallet currency to the functional currency for the item's own day, or the last one of the seven days
 * before (B4).
 *
 * @returns main units per main unit; 1 within one currency; undefined after a finding of `missing_configuration`.
 */
export function findRate(
  currency: CurrencyCode,
  ownDay: LocalDate,
  context: BookkeepingContext,
  findings: Findings,
): Decimal | undefined {
  if (currency === context.functionalCurrency) return { coefficient: 1n, scale: 0 };
  const rate = context.ratesByCurrency.get(currency)?.get(ownDay);
  if (rate !== undefined) return rate;
  findings.fail(
    'missing_configuration',
    message('reason.rate', {
      from: currency,
      to: context.functionalCurrency,
      day: ownDay,
      days: MAX_RATE_AGE_DAYS,
      source: context.ratesAreUploaded === true ? 'uploaded' : 'erp',
    }),
    { kind: 'rate', reference: `${currency}-${context.functionalCurrency}-${ownDay}` },
  );
  return undefined;
}

function readPaperDay(text: Nullable<string>, which: 'invoice' | 'due', findings: Findings): LocalDate | undefined {
  const written = textOf(text);
  if (written === undefined) return undefined;
  const day = /^.{10}(?:T|$)/.test(written) ? parseLocalDate(written.slice(0, 10)) : undefined;
  if (day === undefined) {
    findings.fail(
      'validation_failure',
      message('reason.invoice-date', { which, date: written }),
      entryIssue('invoice-date'),
    );
  }
  return day;
}
