// Pure: checks that the entries of an audit log are unchanged. Each entry is chained to the one before it by
// hash = SHA-256(bytes of the hash before ‖ UTF-8 of the entry's canonical text); before the first one there are no bytes.

export interface AuditRecord {
  readonly installationId: string;
  /** From 1, without gaps. */
  readonly position: bigint;
  /** Microseconds since 1970 by the database's clock. */
  readonly occurredAtMicros: bigint;
  readonly actor: string;
  readonly requestId: string | null;
  readonly object: string;
  readonly objectId: string;
  readonly action: string;
  /** The JSON text as it is stored, character by character; null without one. */
  readonly before: string | null;
  readonly after: string | null;
  /** As stored, in lower-case hexadecimal. */
  readonly hash: string;
}

/** A position of the chain with the hash of its entry. */
export interface LogChainEnd {
  readonly position: bigint;
  readonly hash: string;
}

export interface LogChainBreak {
  /** `entry-missing`: no entry has the position · `hash-differs`: the entry or its hash is not what was written. */
  readonly reason: 'entry-missing' | 'hash-differs';
  readonly position: bigint;
}

/** The position before the first entry. */
export const LOG_CHAIN_START: LogChainEnd = { position: 0n, hash: '' };

/** SHA-256 over the bytes of the hash before and the UTF-8 of the text, in hexadecimal. */
export type AuditHash = (hashBefore: string, text: string) => string;

/**
 * The text that an entry's hash covers: a JSON array of ten members with a comma and a space between them. Texts are written as
 * `JSON.stringify` does; `before` and `after` are copied as they are stored, so that nothing has to be sorted or rounded.
 */
export function canonicalText(record: AuditRecord): string {
  const { installationId, position, occurredAtMicros, actor, requestId, object, objectId, action } = record;
  const members = [
    JSON.stringify(installationId),
    position.toString(),
    occurredAtMicros.toString(),
    JSON.stringify(actor),
    JSON.stringify(requestId),
    JSON.stringify(object),
    JSON.stringify(objectId),
    JSON.stringify(action),
    record.before ?? 'null',
    record.after ?? 'null',
  ];
  return `[${members.join(', ')}]`;
}

/**
 * Checks the next entries of a chain.
 * @param end the last entry found unchanged so far
 * @param records the entries that follow, up to position `last`, in order
 * @returns the last unchanged entry now, and the first break of the chain
 */
export function checkEntries(
  end: LogChainEnd,
  records: readonly AuditRecord[],
  last: bigint,
  hashOf: AuditHash,
): { readonly end: LogChainEnd; readonly broken?: LogChainBreak } {
  let reached = end;
  for (const record of records) {
    const { position, hash } = record;
    if (position !== reached.position + 1n) {
      break;
    }
    if (hashOf(reached.hash, canonicalText(record)) !== hash) {
      return { end: reached, broken: { reason: 'hash-differs', position } };
    }
    reached = { position, hash };
  }
  return reached.position === last
    ? { end: reached }
    : { end: reached, broken: { reason: 'entry-missing', position: reached.position + 1n } };
}
