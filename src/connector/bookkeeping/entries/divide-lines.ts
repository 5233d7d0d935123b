import type { UnconvertedLine } from './plan-lines.js';

/** A line of an entry that may have to be divided. */
type Line = Pick<UnconvertedLine, 'source' | 'amountMinor' | 'vendor'>;

/**
 * Divides an entry into parts that the ERP takes (B9.10): as many whole source lines as fit, and the share of the counter
 * line that balances them. The shares of a vendor's line, each an open item of its own, are all on its side.
 *
 * @param lines with at most one counter line
 * @param shareOf the counter line with this share of it, given part by part
 * @returns undefined where the lines cannot be divided: a source line alone is too long, the entry has no counter line, or
 *   a vendor's share would change sides or be nothing
 */
export function divideLines<L extends Line>(
  lines: readonly L[],
  linesPerPart: number,
  shareOf: (counter: L, amountMinor: bigint) => L,
): readonly (readonly L[])[] | undefined {
  const counter = lines.find(({ source }) => source === undefined);
  if (counter === undefined) return undefined;
  const parts: L[][] = [];
  for (const group of Map.groupBy(
    lines.filter((line) => line !== counter),
    ({ source }) => source,
  ).values()) {
    const room = linesPerPart - 1 - group.length;
    if (room < 0) return undefined;
    const last = parts.at(-1);
    if (last !== undefined && last.length <= room) last.push(...group);
    else parts.push([...group]);
  }
  const shares = parts.map((part) => part.reduce((sum, { amountMinor }) => sum - amountMinor, 0n));
  const isOnItsSide = (share: bigint) => share * counter.amountMinor > 0n;
  if (counter.vendor !== undefined && !shares.every(isOnItsSide)) return undefined;
  const isFirst = lines[0] === counter;
  return parts.map((part, index) => {
    const share = shares[index] ?? 0n;
    // Asked for a share of 0, too: the functional amounts are shared by what has been given out.
    const own = shareOf(counter, share);
    if (share === 0n) return part;
    return isFirst ? [own, ...part] : [...part, own];
  });
}
