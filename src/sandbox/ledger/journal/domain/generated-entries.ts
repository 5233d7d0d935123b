// Pure: the entries that the ledger generates: reversals, realized exchange differences, transfers between payable accounts.
import { cutText } from '../../../../kernel/text.js';
import type { PayableTransfer, RealizedFx } from './settlements/open-item.js';
import type { BookEntry, LineTax, PostingLine, PostingSettlement } from './posting-group.js';
import type { EntryRole, EntryState } from './posting-outcome.js';

/** An entry of the books. */
export interface StoredEntry {
  readonly id: string;
  readonly groupId: string;
  readonly key: string;
  readonly role: EntryRole;
  readonly state: EntryState;
  readonly fiscalYear: number;
  /** Null for a draft. */
  readonly number: string | null;
  /** `YYYY-MM-DD`. */
  readonly postingDate: string;
  readonly documentNumber: string | null;
  readonly currency: string;
  readonly description: string;
  readonly reference: string | null;
  readonly settlement: PostingSettlement | null;
  readonly lines: readonly PostingLine[];
}

const MAX_DESCRIPTION_LENGTH = 1_000;

/**
 * The same lines with their sides swapped.
 * @param reason given by the caller
 */
export function reversalOf(entry: StoredEntry, postingDate: string, reason?: string): BookEntry {
  const { currency, reference, documentNumber } = entry;
  return {
    role: 'reversal',
    state: 'posted',
    postingDate,
    currency,
    documentNumber,
    description: cutText(`Reversal of ${entry.number ?? entry.id}: ${entry.description}`, MAX_DESCRIPTION_LENGTH),
    reference,
    metadata: reason === undefined ? {} : { reason },
    lines: entry.lines.map((line) => ({
      ...line,
      amountMinor: -line.amountMinor,
      baseMinor: -line.baseMinor,
      ...(line.tax && { tax: reversedTax(line.tax) }),
    })),
  };
}

function reversedTax(tax: LineTax): LineTax {
  return {
    ...tax,
    taxableMinor: -tax.taxableMinor,
    taxableBaseMinor: -tax.taxableBaseMinor,
    taxMinor: -tax.taxMinor,
    taxBaseMinor: -tax.taxBaseMinor,
  };
}

/** The realized exchange difference of a settlement: in the functional currency only, with the payable account as the other line. */
export function realizedFxEntry(fx: RealizedFx, postingDate: string): BookEntry {
  const { accountCode, payableAccountCode, vendorNumber, currency, documentNumber, baseMinor } = fx;
  return {
    role: 'realized-fx',
    state: 'posted',
    postingDate,
    currency,
    documentNumber,
    description: `Realized exchange difference, ${documentNumber ?? ''} of vendor ${vendorNumber}`,
    metadata: {},
    lines: [
      { accountCode, amountMinor: 0n, baseMinor, dimensions: {} },
      {
        accountCode: payableAccountCode,
        amountMinor: 0n,
        baseMinor: -baseMinor,
        vendorNumber,
        dimensions: {},
      },
    ],
  };
}

/** What is settled moves to the account of its document, so that the accounts agree with the open items (B9.3). */
export function transferEntry(transfer: PayableTransfer, postingDate: string): BookEntry {
  const { fromAccountCode, toAccountCode, vendorNumber, currency, documentNumber, amountMinor, baseMinor } = transfer;
  const dimensions = {};
  return {
    role: 'transfer',
    state: 'posted',
    postingDate,
    currency,
    documentNumber,
    description: `Settled ${documentNumber ?? ''} of vendor ${vendorNumber}: from account ${fromAccountCode} to ${toAccountCode}`,
    metadata: {},
    lines: [
      { accountCode: toAccountCode, amountMinor, baseMinor, vendorNumber, dimensions },
      { accountCode: fromAccountCode, amountMinor: -amountMinor, baseMinor: -baseMinor, vendorNumber, dimensions },
    ],
  };
}
