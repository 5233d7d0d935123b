import { message } from '../../../kernel/message.js';
import { toErpVendorId } from '../../../kernel/ids.js';
import { entryIssue } from '../item/issues.js';
import type { BookkeepingContext, ErpVendor, VendorIndexes } from '../item/bookkeeping-context.js';
import type { BookkeepingMethod, EntryForm } from '../entries/entry-forms.js';
import { textOf, type ExportItem, type ItemVendor } from '../item/export-item.js';
import type { Findings } from '../item/findings.js';
import type { CodeIndex } from './code-index.js';
import { named } from './named.js';
import { normalizedTaxNumber, vendorNameKey } from './vendor-keys.js';

/** As what the item is booked, and with `payable` against which vendor. */
export type Treatment =
  | { readonly kind: 'journal' }
  /** With `toCreate` the vendor only stands in, so that all the rest can be checked before one is created. */
  | { readonly kind: 'payable'; readonly vendor: ErpVendor; readonly toCreate?: ItemVendor }
  | { readonly kind: 'payable-without-vendor' }
  /** The vendor was needed and not found, or the method is unknown: there is a finding. */
  | { readonly kind: 'undecided' };

const JOURNAL: Treatment = { kind: 'journal' };
export const UNDECIDED: Treatment = { kind: 'undecided' };
const STAND_IN_ID = toErpVendorId('vendor to be created');

/**
 * Decides between journal and accounts payable, and finds the vendor (B3.5). Adds a finding of
 * `vendor_unknown` where a vendor is needed and is not in the ERP or blocked there.
 */
export function decideTreatment(
  item: ExportItem,
  form: EntryForm,
  method: BookkeepingMethod | 'absent' | undefined,
  context: BookkeepingContext,
  findings: Findings,
): Treatment {
  if (method === undefined) return UNDECIDED;
  if (form.payable === 'never' || method === 'journal' || method === 'none') return JOURNAL;
  const found = item.vendor ? findVendor(item.vendor, context) : findSupplier(item, method, context);
  if (found !== undefined) return payableTo(found, findings);
  if (method === 'absent') return JOURNAL;
  // A reimbursement only looks for an employee who is kept as vendor: none is created for it (B9.6).
  const isReimbursement = form.payable === 'employee-reimbursement';
  if (item.vendor && !isReimbursement) return unknownVendor(item.vendor, context, findings);
  if (form.payable === 'employee-cost' || isReimbursement) return { kind: 'payable-without-vendor' };
  findings.fail('vendor_unknown', message('reason.vendor.missing'), entryIssue('vendor'));
  return UNDECIDED;
}

function payableTo(vendor: ErpVendor, findings: Findings): Treatment {
  if (!vendor.blocked) return { kind: 'payable', vendor };
  findings.fail('vendor_unknown', message('reason.vendor.blocked', { code: vendor.code, name: vendor.name }), {
    kind: 'vendor-blocked',
    reference: vendor.code,
    name: vendor.name,
  });
  return UNDECIDED;
}

function unknownVendor(vendor: ItemVendor, context: BookkeepingContext, findings: Findings): Treatment {
  if (context.policies.unknownVendor === 'create') {
    return { kind: 'payable', vendor: standInFor(vendor), toCreate: vendor };
  }
  const key = textOf(vendor.code) ?? textOf(vendor.externalId);
  const reason = matchesSeveral(vendor, context) ? 'reason.vendor.ambiguous' : 'reason.vendor.unknown';
  findings.fail('vendor_unknown', message(reason, { vendor: named(key, vendor.name) }), {
    kind: 'vendor',
    reference: key ?? vendor.name,
    name: vendor.name,
  });
  return UNDECIDED;
}

function matchesSeveral(vendor: ItemVendor, indexes: VendorIndexes): boolean {
  return lookUpsOf(vendor, indexes).some(([index, key]) => index.isAmbiguous(key));
}

function standInFor(vendor: ItemVendor): ErpVendor {
  const code = textOf(vendor.code) ?? '';
  return { id: STAND_IN_ID, code, name: vendor.name, blocked: false, isEmployee: false };
}

function findVendor(vendor: ItemVendor, context: BookkeepingContext): ErpVendor | undefined {
  return context.vendorsByPlatformId?.get(vendor.id) ?? matchVendor(vendor, context);
}

/** The ERP vendor that has the platform vendor's code, id, tax number, or name and country (B3.5). */
export function matchVendor(vendor: ItemVendor, indexes: VendorIndexes): ErpVendor | undefined {
  for (const [index, key] of lookUpsOf(vendor, indexes)) {
    const found = index.get(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Where a vendor is looked for, and by what, in this order; nothing has an empty key. */
function lookUpsOf(vendor: ItemVendor, indexes: VendorIndexes): readonly (readonly [CodeIndex<ErpVendor>, string])[] {
  return [
    [indexes.vendorsByCode, textOf(vendor.code) ?? ''],
    [indexes.vendorsByExternalId, textOf(vendor.externalId) ?? ''],
    [indexes.vendorsByTaxNumber, normalizedTaxNumber(vendor.taxRegistrationNumber) ?? ''],
    [indexes.vendorsByName, vendorNameKey(vendor.name, vendor.country) ?? ''],
  ];
}

// Items without a method are older than vendors on the platform: there the merchant's keys stand in. Its name does not,
// because the name of a card terminal does not identify a vendor.
function findSupplier(
  { supplier }: ExportItem,
  method: BookkeepingMethod | 'absent',
  context: BookkeepingContext,
): ErpVendor | undefined {
  if (!supplier || method !== 'absent') return undefined;
  return (
    context.vendorsByCode.get(textOf(supplier.code) ?? '') ??
    context.vendorsByExternalId.get(textOf(supplier.code) ?? '') ??
    context.vendorsByCode.get(textOf(supplier.account) ?? '') ??
    context.vendorsByTaxNumber.get(normalizedTaxNumber(supplier.taxIdentifier) ?? '')
  );
}
