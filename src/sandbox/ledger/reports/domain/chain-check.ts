// Pure: whether the links of an audit chain follow from the books. Each posted entry is linked to the one posted before
// it by hash = SHA-256(hash before ‖ content), hashes as lower-case hexadecimal text here.

export interface ChainLink {
  /** From 1, without gaps. */
  readonly position: bigint;
  readonly entryId: string;
  /** As stored. */
  readonly hash: string;
  /** Of the entry, such as 2026-000017; null when it has none. */
  readonly number: string | null;
  /** Everything in the books under the entry; null when the entry, its group or its lines are missing. */
  readonly content: string | null;
}

/** The last link that was verified. */
export interface ChainEnd {
  readonly position: bigint;
  readonly hash: string;
}

export interface ChainBreak {
  readonly reason: 'link-missing' | 'entry-missing' | 'hash-differs';
  readonly position: bigint;
  /** Null where no link names it. */
  readonly entryId: string | null;
  readonly number: string | null;
}

/** Before the first link. */
export const CHAIN_START: ChainEnd = { position: 0n, hash: '' };

/** SHA-256 over the bytes of the hash before and the UTF-8 of the content, in hexadecimal. */
export type ChainHash = (hashBefore: string, content: string) => string;

/**
 * Checks the next links of a chain.
 * @param end the last verified link
 * @param links of the positions that follow, up to `last`, in order
 * @returns the last verified link now, and the first break
 */
export function checkLinks(
  end: ChainEnd,
  links: readonly ChainLink[],
  last: bigint,
  hashOf: ChainHash,
): { readonly end: ChainEnd; readonly broken?: ChainBreak } {
  let reached = end;
  for (const { position, entryId, number, hash, content } of links) {
    if (position !== reached.position + 1n) {
      break;
    }
    if (content === null) {
      return { end: reached, broken: { reason: 'entry-missing', position, entryId, number } };
    }
    if (hashOf(reached.hash, content) !== hash) {
      return { end: reached, broken: { reason: 'hash-differs', position, entryId, number } };
    }
    reached = { position, hash };
  }
  return reached.position === last
    ? { end: reached }
    : {
        end: reached,
        broken: { reason: 'link-missing', position: reached.position + 1n, entryId: null, number: null },
      };
}
