// For ERPs that read files: what was posted is given out in numbered batches, each entry in exactly one.

export interface ErpBatch {
  /** From 1, without gaps. */
  readonly number: number;
  readonly fileName: string;
  readonly mediaType: string;
  readonly entryCount: number;
  /** Receipts behind its entries; left out where receipts are not given out. */
  readonly receipts?: number;
  /** Of the file's bytes, in hex. */
  readonly sha256: string;
  /** RFC 3339, UTC. */
  readonly closedAt: string;
}

export type ErpBatchesClosed =
  /** Oldest first; none when nothing was waiting. */
  | { readonly outcome: 'closed'; readonly batches: readonly ErpBatch[] }
  /** An entry does not fit into the file; the message is a sentence for a bookkeeper. The batches before it are closed. */
  | { readonly outcome: 'refused'; readonly message: string; readonly batches: readonly ErpBatch[] };

export interface ErpBatches {
  /** Closes what no batch has into the next ones. Of two calls at the same time one gets an entry. */
  close(): Promise<ErpBatchesClosed>;

  /**
   * Oldest first.
   * @param after number of the last batch of the page before; 0 for the first page
   * @param limit at most 1,000
   */
  list(after: number, limit: number): Promise<readonly ErpBatch[]>;

  /** @returns the same bytes each time; undefined when there is no such batch */
  read(number: number): Promise<{ readonly batch: ErpBatch; readonly content: Buffer } | undefined>;

  /** Only where receipts are given out. @returns undefined when there is no such batch */
  receipts?(number: number): Promise<ErpBatchReceipts | undefined>;
}

/** The receipts behind the entries of a batch. */
export interface ErpBatchReceipts {
  readonly count: number;
  /** Which receipt belongs to which entry, with its checksum. */
  readonly list: { readonly fileName: string; readonly mediaType: string; readonly content: Buffer };
  /** All of them in one file, read at the pace of its reader. */
  readonly archive: {
    readonly fileName: string;
    readonly mediaType: string;
    open(): AsyncIterable<Buffer>;
  };
}
