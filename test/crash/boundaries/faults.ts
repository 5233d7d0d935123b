/**
 * What may happen at a boundary. `before`: the other side has not heard of the request; `after`: it has, and its answer is
 * withheld. `stop`: the program stands still for longer than a lease; what it has sent, or what was answered, comes after that.
 */
export const HTTP_FAULTS = [
  'reset-after',
  'reset-before',
  '500-after',
  '500-before',
  'duplicate',
  '429',
  'html',
  'truncated',
  'drip',
  'kill-after',
  'kill-before',
  'hole-after',
  'hole-before',
  'stop-after',
  'stop-before',
] as const;
const DATABASE_FAULTS = [
  'kill-before',
  'kill-after',
  'reset-before',
  'reset-after',
  'hole-before',
  'hole-after',
  'stop-before',
  'stop-after',
] as const;

export type Fault = (typeof HTTP_FAULTS)[number];

/** `<from>><to> <what passes>`, and its number among those of the same name in the scenario, from 1. */
export interface Boundary {
  readonly name: string;
  readonly ordinal: number;
}

export interface Round extends Boundary {
  readonly fault: Fault;
}

/** Names a round in commands and results. */
export function roundId({ name, ordinal, fault }: Round): string {
  return `${name}#${ordinal.toString()}@${fault}`;
}

/** Whether it is the API that a fault is for. */
export function isOfApi({ name }: Boundary): boolean {
  return name.startsWith('api>') || name.includes('>api ');
}

/** What an ERP without unique keys or references books once more each time that it comes. */
export const POSTING = 'worker>ledger POST /companies/*/posting-groups';

/**
 * Fast ones first, so that a bounded run sees the most.
 * @param recognizesRepeats whether the ERP does; one that does not has no means to tell a posting that arrives twice from two
 */
export function roundsOf(boundaries: readonly Boundary[], recognizesRepeats: boolean): readonly Round[] {
  return HTTP_FAULTS.flatMap((fault) =>
    boundaries
      .filter(({ name }) => !name.includes('>db ') || (DATABASE_FAULTS as readonly string[]).includes(fault))
      // Which task comes is known by the answer alone.
      .filter(({ name }) => !(name.endsWith(' take task') && fault.endsWith('-before')))
      .filter(({ name }) => recognizesRepeats || !(name === POSTING && fault === 'duplicate'))
      .map((boundary) => ({ ...boundary, fault })),
  );
}
