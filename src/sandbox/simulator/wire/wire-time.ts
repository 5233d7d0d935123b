/** An instant as the Export API writes it, with seconds precision: `2025-05-23T15:21:32Z` (P0.1). */
export function wireTime(instant: Date): string {
  return `${instant.toISOString().slice(0, 19)}Z`;
}

/** As `wireTime`, null when there is no instant. */
export function nullableWireTime(instant: Date | null): string | null {
  return instant === null ? null : wireTime(instant);
}
