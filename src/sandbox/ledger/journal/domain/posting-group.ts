/** What a tax return needs of a line; amounts have the sign of the line. */
export interface LineTax {
  /** `input`, `output`: the line is that tax. `expense`: nothing of the tax is deducted, so that it has no line. */
  readonly place: 'input' | 'output' | 'expense';
  readonly reverseCharge: boolean;
  /** Decimal text: 0.25 is 25 %. */
  readonly rate?: string | null | undefined;
  /** Decimal text from 0 to 1. */
  readonly deductible: string;
  /** What the tax is on, in minor units of the entry's currency; the full amount, whatever the share. */
  readonly taxableMinor: bigint;
  readonly taxableBaseMinor: bigint;
  /** The tax before the share. */
  readonly taxMinor: bigint;
  readonly taxBaseMinor: bigint;
}

/** As statements and responses have it. */
export type LineTaxText = { readonly [Name in keyof LineTax]: LineTax[Name] extends bigint ? string : LineTax[Name] };

/** One debit (positive) or credit (negative) line. */
export interface PostingLine {
  readonly accountCode: string;
  /** Minor units of the entry's currency. */
  readonly amountMinor: bigint;
  /** Minor units of the company's functional currency. */
  readonly baseMinor: bigint;
  readonly vendorNumber?: string | null | undefined;
  readonly employee?: string | null | undefined;
  readonly taxCode?: string | null | undefined;
  readonly tax?: LineTax | null | undefined;
  /** Dimension code → value code. */
  readonly dimensions: Readonly<Record<string, string>>;
}

/** The settlement intent of an entry: stored with it, carried out once both items are posted. */
export interface PostingSettlement {
  readonly kind: 'within' | 'settles' | 'reopens';
  readonly vendorNumber: string;
  /** Document numbers of the open items meant; empty for "within". */
  readonly numbers: readonly string[];
  readonly currency: string;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  /** Account for a difference in base. */
  readonly realizedFxAccountCode?: string | null | undefined;
}

export type PostingRole = 'entry' | 'invoice' | 'payment' | 'credit-note' | 'receipt';

/** Days are `YYYY-MM-DD`. */
export interface PostingEntry {
  readonly role: PostingRole;
  /** From 1, among the entries of its role. */
  readonly part: number;
  readonly state: 'draft' | 'posted';
  readonly postingDate: string;
  readonly documentDate?: string | null | undefined;
  readonly dueDate?: string | null | undefined;
  readonly documentNumber?: string | null | undefined;
  /** ISO 4217. */
  readonly currency: string;
  readonly description: string;
  readonly reference?: string | null | undefined;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly lines: readonly PostingLine[];
  readonly settlement?: PostingSettlement | null | undefined;
}

/** A stored document, and its file name as an attachment. */
export interface GroupDocument {
  /** SHA-256 of its bytes in hex. */
  readonly digest: string;
  readonly fileName: string;
}

/** The entries under one key: posted whole or not at all. */
export interface PostingGroup {
  readonly key: string;
  /** From 1; the next one may be posted once everything of the one before is cancelled. */
  readonly revision: number;
  /** Digest of the content that the entries were made from; distinguishes a repetition from a conflict. */
  readonly contentDigest: string;
  readonly entries: readonly PostingEntry[];
  /** Stored before; no part of the content that is compared. */
  readonly documents: readonly GroupDocument[];
}

/** An entry of the books: posted by a caller, or generated. */
export type BookEntry = Omit<PostingEntry, 'role' | 'part'> & {
  /** 1 where it is absent. */
  readonly part?: number;
  readonly role: PostingRole | 'reversal' | 'realized-fx' | 'transfer';
};
