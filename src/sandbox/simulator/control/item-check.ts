import type { ItemCheck } from '../exports/export-item.js';
import { queryFlag, type Query } from '../wire/parse-request.js';

/** Anything is taken, so that a wrong item can be served; with `documented_only=true` only what the platform could send. */
export function itemCheck(query: Query): ItemCheck {
  return queryFlag(query, 'documented_only') ? 'as_documented' : 'anything';
}
