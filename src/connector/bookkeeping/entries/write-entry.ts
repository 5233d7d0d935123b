import type { CurrencyCode } from '../../../kernel/currency.js';
import { formatDecimal, type Decimal } from '../../../kernel/decimal.js';
import type { BookkeepingContext } from '../item/bookkeeping-context.js';
import { cleanText, describeItem } from '../item/description.js';
import type { ExportItem } from '../item/export-item.js';
import {
  PLANNER_VERSION,
  type EntryInformation,
  type PlannedEntry,
  type PlannedLine,
  type SettlementIntent,
} from '../item/posting-plan.js';
import type { InvoiceDates, PostingDates } from '../item/item-dates.js';
import type { EntryDraft } from './balanced-entry.js';

/** What an entry says besides its lines, the same for all entries of an item. */
interface EntryHeader {
  readonly dates: PostingDates;
  readonly invoiceDates: InvoiceDates;
  readonly currency: CurrencyCode;
  readonly rate: Decimal;
}

/**
 * Puts an entry together from what the steps have decided.
 * @param parts its lines; each part is an entry of its own
 */
export function writeEntries(
  item: ExportItem,
  draft: EntryDraft,
  parts: readonly (readonly PlannedLine[])[],
  header: EntryHeader,
  context: BookkeepingContext,
): readonly PlannedEntry[] {
  if (parts.length === 1) return parts.map((lines) => writeEntry(item, draft, lines, header, context));
  return parts.map((lines, index) => {
    const settlement = draft.settlement && { ...draft.settlement, amountMinor: owedIn(lines, draft.settlement) };
    const entry = writeEntry(item, { ...draft, ...(settlement && { settlement }) }, lines, header, context);
    return { ...entry, part: index + 1 };
  });
}

/** What a part is on the vendor's account. */
function owedIn(lines: readonly PlannedLine[], { vendor }: SettlementIntent): bigint {
  const owed = lines.reduce((sum, line) => (line.vendor?.id === vendor.id ? sum + line.amountMinor : sum), 0n);
  return owed < 0n ? -owed : owed;
}

function writeEntry(
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
