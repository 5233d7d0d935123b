import { z } from 'zod';
import { parseCurrency } from '../../../kernel/currency.js';
import { listed, message, type Message } from '../../../kernel/message.js';
import { formatMinor } from '../../../kernel/money.js';

const entries = z.array(
  z.object({
    state: z.string().optional(),
    currency: z.string(),
    lineCount: z.number(),
    lines: z.array(z.object({ accountCode: z.string(), amountMinor: z.string().regex(/^-?\d+$/) })),
  }),
);
const evidenceSchema = z.object({
  record: z.object({ posting: z.object({ entries }) }),
  erp: z.array(z.object({ entries })),
});
type Entries = z.infer<typeof entries>;

/**
 * What differs; of accounts with their names and both figures, as far as the evidence has all lines.
 * @param evidence as it is kept
 */
export function discrepancyText(kind: string, evidence: unknown): Message {
  const differences = kind === 'account-drift' ? accountDifferences(evidence) : [];
  return differences.length === 0
    ? message(`discrepancy.${kind}`)
    : message('discrepancy.account-drift.named', { accounts: listed(differences, ' ') });
}

function accountDifferences(evidence: unknown): readonly Message[] {
  const { data } = evidenceSchema.safeParse(evidence);
  if (data === undefined) {
    return [];
  }
  const planned = data.record.posting.entries;
  const booked = data.erp.flatMap((group) =>
    group.entries.filter(({ state }) => state === 'draft' || state === 'posted'),
  );
  const all = [...planned, ...booked];
  const currency = parseCurrency(planned[0]?.currency ?? '');
  const isComparable = all.every((one) => one.currency === currency && one.lineCount === one.lines.length);
  if (currency === undefined || !isComparable) {
    return [];
  }
  const [meant, found] = [sumsOf(planned), sumsOf(booked)];
  return [...new Set([...meant.keys(), ...found.keys()])].toSorted().flatMap((account) => {
    const [ours, theirs] = [meant.get(account) ?? 0n, found.get(account) ?? 0n];
    const figures = { planned: formatMinor(ours, currency), booked: formatMinor(theirs, currency) };
    return ours === theirs ? [] : [message('discrepancy.account', { account, currency, ...figures })];
  });
}

/** By account, debits positive. */
function sumsOf(of: Entries): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { accountCode, amountMinor } of of.flatMap(({ lines }) => lines)) {
    sums.set(accountCode, (sums.get(accountCode) ?? 0n) + BigInt(amountMinor));
  }
  return sums;
}
