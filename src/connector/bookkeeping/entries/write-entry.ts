import type { CurrencyCode } from '../../../kernel/currency.js';
import { formatDecimal, type Decimal } from '../../../kernel/decimal.js';
import type { BookkeepingContext } from '../item/bookkeeping-context.js';
import { cleanText, describeItem } from '../item/description.js';
import type { EntryDraft } from './balanced-entry.js';
import type { ExportItem } from '../item/export-item.js';
import { PLANNER_VERSION, type EntryInformation, type PlannedEntry, type PlannedLine } from '../item/posting-plan.js';
import type { InvoiceDates, PostingDates } from '../item/item-dates.js';

/** What an entry says besides its lines, the same for all entries of an item. */
interface EntryHeader {
  readonly dates: PostingDates;
  readonly invoiceDates: InvoiceDates;
  readonly currency: CurrencyCode;
  readonly rate: Decimal;
}

/** Puts an entry together from what the steps have decided. */
export function writeEntry(
  item: ExportItem,
  { shape, settlement }: EntryDraft,
  lines: readonly PlannedLine[],
  header: EntryHeader,
  context: BookkeepingContext,
): PlannedEntry {
  return {
    role: shape.role,
    state: context.policies.postingState,
    ...header.dates,
    ...header.invoiceDates,
    ...(shape.documentNumber !== undefined && { documentNumber: shape.documentNumber }),
    currency: header.currency,
    functionalCurrency: context.functionalCurrency,
    ...(header.currency !== context.functionalCurrency && { rate: formatDecimal(header.rate) }),
    lines,
    description: describeItem(item, context.descriptionLimit),
    reference: cleanText(item.additionalInformation.reconciliationId) ?? '',
    ...(settlement && { settlement }),
    information: informationOf(item),
    mappingVersion: context.mappingVersion,
    plannerVersion: PLANNER_VERSION,
  };
}

function informationOf(item: ExportItem): EntryInformation {
  const { servicePeriod } = item;
  return {
    supplierAmount: item.amount.inSupplierCurrency,
    ...(servicePeriod && { servicePeriod: { from: servicePeriod.from, to: servicePeriod.to } }),
  };
}
