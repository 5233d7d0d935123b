// Planned entries in the ledger's words.
import type { LineTax, PlannedEntry, PlannedLine, SettlementIntent } from '../../bookkeeping/item/posting-plan.js';
import type { PostingGroup } from '../erp-ledger.js';

/** One group of the body of `POST /companies/{id}/posting-groups`. */
export function postingGroupBody(group: PostingGroup): object {
  return {
    key: group.key,
    revision: group.revision,
    contentDigest: group.contentDigest,
    entries: group.entries.map((entry) => entryBody(group, entry)),
    documents: group.documents.map(({ documentId, fileName }) => ({ digest: documentId, fileName })),
  };
}

function entryBody(group: PostingGroup, entry: PlannedEntry): object {
  const { trail } = group;
  return {
    role: entry.role,
    part: entry.part,
    state: entry.state,
    postingDate: entry.postingDate,
    documentDate: entry.documentDate,
    dueDate: entry.dueDate,
    documentNumber: entry.documentNumber,
    currency: entry.currency,
    description: entry.description,
    reference: entry.reference,
    lines: entry.lines.map(lineBody),
    ...(entry.settlement === undefined ? {} : { settlement: settlementBody(entry.settlement) }),
    metadata: {
      accountingEntryId: group.key,
      installationId: trail.installationId,
      exportJobId: trail.exportJobId,
      mappingVersion: trail.mappingVersion,
      // As text: it is a 64-bit number, and JSON numbers are floats.
      fence: trail.fence.toString(),
      originalDate: entry.originalDate,
      supplierAmount: entry.information.supplierAmount,
      servicePeriod: entry.information.servicePeriod,
    },
  };
}

function lineBody(line: PlannedLine): object {
  return {
    accountCode: line.account.code,
    amountMinor: line.amountMinor.toString(),
    baseMinor: line.baseMinor.toString(),
    vendorNumber: line.vendor?.code,
    employee: line.employee,
    taxCode: line.taxCode?.code,
    tax: line.tax && taxBody(line.tax),
    dimensions: Object.fromEntries(line.dimensions.map(({ dimension, value }) => [dimension, value])),
  };
}

function taxBody(tax: LineTax): object {
  return {
    ...tax,
    taxableMinor: tax.taxableMinor.toString(),
    taxableBaseMinor: tax.taxableBaseMinor.toString(),
    taxMinor: tax.taxMinor.toString(),
    taxBaseMinor: tax.taxBaseMinor.toString(),
  };
}

function settlementBody(intent: SettlementIntent): object {
  return {
    kind: intent.kind,
    vendorNumber: intent.vendor.code,
    numbers: intent.numbers,
    currency: intent.currency,
    amountMinor: intent.amountMinor.toString(),
    realizedFxAccountCode: intent.realizedFx?.code,
  };
}
