// What the sandbox's ledger was set up to promise about keys: LEDGER_LEVEL and the times that belong to a level.
import { z } from 'zod';
import type { PostingGuarantee } from '../erp/erp-ledger.js';

/** How long a request to the ledger may be under way: its time-out, and what the other side still does after that. */
const REQUEST_SECONDS = 30;

const CAPABILITY_LETTERS = ['E3', 'E2', 'E1', 'E0'] as const;
/** What LEDGER_LEVEL accepts, and the guarantee it means (docs/rules/capability-levels.md). */
const LEVEL_BY_LETTER = {
  E3: 'permanent-key',
  E2: 'expiring-key',
  E1: 'searchable-reference',
  E0: 'none',
} as const satisfies Readonly<Record<(typeof CAPABILITY_LETTERS)[number], PostingGuarantee['level']>>;

export const ledgerLevelVariables = {
  LEDGER_LEVEL: z.enum(CAPABILITY_LETTERS, 'needs E3, E2, E1 or E0').default('E3'),
  LEDGER_KEY_LIFE_SECONDS: z.coerce
    .number('needs a number of seconds')
    .int()
    .min(REQUEST_SECONDS + 1, `needs more than ${REQUEST_SECONDS.toString()}: that long a request may be under way`)
    .optional(),
  LEDGER_SEARCH_LAG_SECONDS: z.coerce.number('needs a number of seconds').int().min(0).max(600).optional(),
};

/** A time is required with its level; with another level it would be a promise without effect. */
const DURATION_OF_LEVEL = { LEDGER_KEY_LIFE_SECONDS: 'E2', LEDGER_SEARCH_LAG_SECONDS: 'E1' } as const;

export function ledgerLevelRules(set: Readonly<Record<string, string | undefined>>): readonly string[] {
  const level = set['LEDGER_LEVEL'] ?? 'E3';
  return Object.entries(DURATION_OF_LEVEL).flatMap(([name, needed]) => {
    if (level === needed && set[name] === undefined) {
      return [`${name}: is required with LEDGER_LEVEL=${needed}`];
    }
    return level !== needed && set[name] !== undefined ? [`${name}: is for LEDGER_LEVEL=${needed} only`] : [];
  });
}

/** The times are the ledger's own; a request under way shortens the life of its key, and comes before any lag. */
export function ledgerCapabilityOf(values: z.output<z.ZodObject<typeof ledgerLevelVariables>>): PostingGuarantee {
  const { LEDGER_LEVEL: letter, LEDGER_KEY_LIFE_SECONDS: keyLife = 0, LEDGER_SEARCH_LAG_SECONDS: lag = 0 } = values;
  const level = LEVEL_BY_LETTER[letter];
  switch (level) {
    case 'permanent-key':
    case 'none':
      return { level };
    case 'expiring-key':
      return { level, keyLifeMs: (keyLife - REQUEST_SECONDS) * 1_000 };
    case 'searchable-reference':
      return { level, searchLagMs: (lag + REQUEST_SECONDS) * 1_000 };
  }
}
