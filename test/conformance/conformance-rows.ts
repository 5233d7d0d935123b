import { ACCESS_ROWS } from './access-rows.js';
import type { ConformanceRow } from './conformance-row.js';
import { EXPORT_ROWS } from './export-rows.js';
import { PAGING_ROWS } from './paging-rows.js';
import { REFERENCE_ROWS } from './reference-rows.js';
import { SUBSCRIPTION_ROWS } from './subscription-rows.js';
import { TAG_ROWS_OF_V0 } from './tag-rows.js';

/** The whole suite, by what it judges. */
export const CONFORMANCE_ROWS: readonly (readonly [string, readonly ConformanceRow[]])[] = [
  ['access and installations', ACCESS_ROWS],
  ['paging', PAGING_ROWS],
  ['subscriptions', SUBSCRIPTION_ROWS],
  ['export', EXPORT_ROWS],
  ['accounts, tax codes, vendors', REFERENCE_ROWS],
  ['tags', TAG_ROWS_OF_V0],
];
