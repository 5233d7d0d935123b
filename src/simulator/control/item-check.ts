import type { ItemCheck } from '../exports/export-item.js';
import { queryFlag, type Query } from '../wire/parse-request.js';

/** The switch `unknown_values=true`: items are taken that the platform could never send. */
export function itemCheck(query: Query): ItemCheck {
  return queryFlag(query, 'unknown_values') ? 'anything' : 'as_documented';
}
