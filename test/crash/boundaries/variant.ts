// The world that the rounds take place in, where it is not the usual one: options of `npm run crash`.

/** What the ERP promises against double posting (docs/rules/capability-levels.md). */
const LEVELS = {
  'permanent-key': {},
  'expiring-key': { LEDGER_LEVEL: 'E2', LEDGER_KEY_LIFE_SECONDS: '40' },
  'searchable-reference': { LEDGER_LEVEL: 'E1', LEDGER_SEARCH_LAG_SECONDS: '0' },
  none: { LEDGER_LEVEL: 'E0' },
} as const;
/** What is in doubt is looked up after the lag and the longest time of a request, 30 s; the search comes at the next minute. */
const IN_DOUBT_S: Readonly<Record<Level, number>> = {
  'permanent-key': 0,
  'expiring-key': 60,
  'searchable-reference': 90,
  none: 60,
};
const CLOCK = new URL('../../support/wrong-clock.mjs', import.meta.url).href;

export type Level = keyof typeof LEVELS;

export interface Variant {
  readonly erp: Level;
  readonly apis: number;
  readonly workers: number;
  /** The clock of the first process of that kind is ahead by so many hours, or behind. */
  readonly clock?: { readonly program: 'api' | 'worker' | 'simulator' | 'ledger'; readonly hours: number };
}

export const USUAL: Variant = { erp: 'permanent-key', apis: 1, workers: 1 };

/** @returns what both kinds of process of the connector are told of the ERP */
export function erpVariables({ erp }: Variant): Readonly<Record<string, string>> {
  return LEVELS[erp];
}

/** @returns what the one process is told whose clock is wrong */
export function clockVariables({ clock }: Variant): Readonly<Record<string, Readonly<Record<string, string>>>> {
  return clock === undefined
    ? {}
    : { [clock.program]: { NODE_OPTIONS: `--import=${CLOCK}`, CLOCK_AHEAD_HOURS: clock.hours.toString() } };
}

/** @returns seconds that an export may take longer than with keys that last */
export function inDoubtSeconds({ erp }: Variant): number {
  return IN_DOUBT_S[erp];
}
