// The world that the rounds take place in, where it is not the usual one: options of `npm run crash`.
import type { DemoCustomer } from '../../../src/sandbox/launch/demo/demo-customers.js';
import type { ProgramClient } from '../../../src/sandbox/launch/demo/program-client.js';

/** What the ERP promises against double posting (docs/rules/capability-levels.md): the connector's variables, and the ledger's behavior. */
const LEVELS = {
  'permanent-key': { variables: {}, books: { idempotency: 'forever' } },
  'expiring-key': {
    variables: { LEDGER_LEVEL: 'E2', LEDGER_KEY_LIFE_SECONDS: '40' },
    books: { idempotency: 'short', idempotencySeconds: 40 },
  },
  'searchable-reference': {
    variables: { LEDGER_LEVEL: 'E1', LEDGER_SEARCH_LAG_SECONDS: '5' },
    books: { idempotency: 'reference-only', searchLagSeconds: 5 },
  },
  none: { variables: { LEDGER_LEVEL: 'E0' }, books: { idempotency: 'none' } },
} as const;
/** A search is believed after the lag and the longest time of a request, which is 30 s. */
const IN_DOUBT_S: Readonly<Record<Level, number>> = {
  'permanent-key': 0,
  'expiring-key': 0,
  'searchable-reference': 40,
  none: 0,
};
const CLOCK = new URL('./wrong-clock.mjs', import.meta.url).href;

export type Level = keyof typeof LEVELS;

export interface Variant {
  readonly erp: Level;
  readonly apis: number;
  readonly workers: number;
  /** The clock of the first process of that kind is ahead by so many hours, or behind. */
  readonly clock?: { readonly program: 'api' | 'worker' | 'simulator' | 'ledger'; readonly hours: number };
}

export const USUAL: Variant = { erp: 'permanent-key', apis: 1, workers: 1 };

/** @returns the ERP's variables, for both kinds of process of the connector */
export function erpVariables({ erp }: Variant): Readonly<Record<string, string>> {
  return LEVELS[erp].variables;
}

/** Has the books of a company keep what the level promises, and no more. */
export async function setBooksLevel(
  ledger: ProgramClient,
  { company }: DemoCustomer,
  { erp }: Pick<Variant, 'erp'>,
): Promise<void> {
  const { ledgerId, name, registrationNumber, functionalCurrency, timeZone, country } = company;
  const json = { name, registrationNumber, functionalCurrency, timeZone, country, ...LEVELS[erp].books };
  await ledger.put(`/companies/${ledgerId}`, { json });
}

/** @returns the variables of the one process whose clock is wrong */
export function clockVariables({ clock }: Variant): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return clock === undefined
    ? {}
    : { [clock.program]: { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_AHEAD_HOURS: clock.hours.toString() } };
}

/** @returns whether the ERP has a key or reference by which a posting is the same one again */
export function recognizesRepeats({ erp }: Variant): boolean {
  return erp !== 'none';
}

/** @returns seconds that an export may take longer than with keys that last */
export function inDoubtSeconds({ erp }: Variant): number {
  return IN_DOUBT_S[erp];
}
