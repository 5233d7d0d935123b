/** The columns of an ageing, by days after the due date; the last one has the amounts without a due date. */
export const AGES = ['notDue', 'overdue1To30', 'overdue31To60', 'overdue61To90', 'overdueOver90', 'baseOnly'] as const;
export type Age = (typeof AGES)[number];

/** An amount of a vendor in one age, signed minor units of its currency and of the functional one. */
export interface AgedPart {
  readonly currency: string;
  readonly age: Age;
  readonly amountMinor: bigint;
  readonly baseMinor: bigint;
}

export interface AgedAmount {
  readonly amountMinor: string;
  readonly baseMinor: string;
}

/** Every age and the total of them. */
export type AgedAmounts = Readonly<Record<Age | 'total', AgedAmount>>;

/** @param parts of one currency, any number per age */
export function spread(parts: readonly AgedPart[]): AgedAmounts {
  const of = (age: Age): AgedAmount => sum(parts.filter((part) => part.age === age));
  return {
    notDue: of('notDue'),
    overdue1To30: of('overdue1To30'),
    overdue31To60: of('overdue31To60'),
    overdue61To90: of('overdue61To90'),
    overdueOver90: of('overdueOver90'),
    baseOnly: of('baseOnly'),
    total: sum(parts),
  };
}

function sum(parts: readonly AgedPart[]): AgedAmount {
  return {
    amountMinor: parts.reduce((total, part) => total + part.amountMinor, 0n).toString(),
    baseMinor: parts.reduce((total, part) => total + part.baseMinor, 0n).toString(),
  };
}
