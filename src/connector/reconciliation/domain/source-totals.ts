// One source of a certificate, added up posting by posting.
import type { CertifiedEntry, CertifiedSource } from './certificate.js';
import { taxText, type ComparedLine } from './compared-sources.js';

/** A hash that texts are fed into; the caller brings it, since pure code computes none. */
export interface RunningDigest {
  update(text: string): unknown;
  digest(encoding: 'hex'): string;
}

/**
 * The canonical text of one posting: the same for what was planned and for what an ERP shows of it, whatever the order of
 * entries, lines or dimensions.
 * @param revision of the accounting entry's content
 */
export function postingText(accountingEntryId: string, revision: number, entries: readonly CertifiedEntry[]): string {
  return JSON.stringify([accountingEntryId.toLowerCase(), revision, sorted(entries.map(entryList))]);
}

/** Totals of one source. Postings are added in the order of their keys and revisions. */
export class SourceTotals {
  private entries = 0;
  private readonly totals = new Map<string, { readonly debit: bigint; readonly credit: bigint }>();

  constructor(private readonly running: RunningDigest) {}

  /** @param text as `postingText` makes it */
  add(text: string, entries: readonly CertifiedEntry[]): void {
    this.running.update(`${text}\n`);
    this.entries += entries.length;
    for (const { currency, lines } of entries) {
      const { debit, credit } = this.totals.get(currency) ?? { debit: 0n, credit: 0n };
      this.totals.set(currency, {
        debit: lines.reduce((sum, { amountMinor }) => (amountMinor > 0n ? sum + amountMinor : sum), debit),
        credit: lines.reduce((sum, { amountMinor }) => (amountMinor < 0n ? sum - amountMinor : sum), credit),
      });
    }
  }

  /** Once, at the end. */
  result(): CertifiedSource {
    const totals = [...this.totals]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([currency, { debit, credit }]) => ({
        currency,
        debitMinor: debit.toString(),
        creditMinor: credit.toString(),
      }));
    return { entries: this.entries, totals, digest: this.running.digest('hex') };
  }
}

function entryList({ role, postingDate, currency, lines }: CertifiedEntry) {
  return [role, postingDate, currency, sorted(lines.map(lineList))];
}

// What a line has of its tax comes last and only where there is any: texts of earlier postings stay as they were.
function lineList(line: ComparedLine) {
  const { accountCode, amountMinor, taxCode, vendorCode, dimensions } = line;
  const tax = taxText(line);
  const values = sorted(Object.entries(dimensions));
  const common = [accountCode, amountMinor.toString(), taxCode ?? null, vendorCode ?? null, values];
  return tax === undefined ? common : [...common, tax];
}

function sorted<T>(values: readonly T[]): readonly T[] {
  return values
    .map((value) => [JSON.stringify(value), value] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([, value]) => value);
}
