// Pure: who has to act before an entry gets into the books.
import type { MissingEntry } from './month-end.js';

/** `bookkeeper`: here, in mapping or inbox · `accounting-system`, `platform`: a person there · `none`: the entry is in progress. */
export type WhoActs = 'bookkeeper' | 'accounting-system' | 'platform' | 'none';

export function whoActs({ why, issue }: Pick<MissingEntry, 'why' | 'issue'>): WhoActs {
  if (why === 'waiting') return 'none';
  switch (issue?.kind) {
    case 'vendor':
    case 'vendor-refused':
    case 'vendor-blocked':
    case 'vendor-account':
    case 'contra-account':
    case 'tax-account':
    case 'tax-share':
    case 'period':
    case 'no-period':
    case 'rate':
    case 'refused':
      return 'accounting-system';
    case 'entry':
    case 'unreadable':
    case 'receipt':
    case 'changed':
      return 'platform';
    default:
      return 'bookkeeper';
  }
}
