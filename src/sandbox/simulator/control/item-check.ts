import type { ItemCheck } from '../exports/export-item.js';
import { queryFlag, type Query } from '../wire/parse-request.js';

/** Any item is accepted, so that a wrong one can be served; with `documented_only=true` only those the platform could send. */
export function itemCheck(query: Query): ItemCheck {
  return queryFlag(query, 'documented_only') ? 'as_documented' : 'anything';
}
