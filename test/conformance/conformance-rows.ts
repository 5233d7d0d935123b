import { ACCESS_ROWS } from './access-rows.js';
import { ANNOUNCED_ROWS } from './announced-rows.js';
import { ANSWERED_FIELD_ROWS } from './answered-field-rows.js';
import { ANSWERED_ITEM_ROWS } from './answered-item-rows.js';
import type { ConformanceRow } from './conformance-row.js';
import { ENUMERATION_ROWS } from './enumeration-rows.js';
import { EXPORT_ITEM_ROWS } from './export-item-rows.js';
import { EXPORT_ROWS } from './export-rows.js';
import { FILTER_ROWS } from './filter-rows.js';
import { ITEM_RULE_ROWS } from './item-rule-rows.js';
import { ITEM_VALUE_ROWS } from './item-value-rows.js';
import { JOB_OPTION_ROWS } from './job-option-rows.js';
import { JOB_STATE_ROWS } from './job-state-rows.js';
import { LIMIT_ROWS } from './limit-rows.js';
import { LIST_ROWS } from './list-rows.js';
import { OAUTH_ROWS } from './oauth-rows.js';
import { PAGING_ROWS } from './paging-rows.js';
import { REFERENCE_DETAIL_ROWS } from './reference-detail-rows.js';
import { REFERENCE_ROWS } from './reference-rows.js';
import { REQUIRED_FIELD_ROWS } from './required-field-rows.js';
import { SCOPE_ROWS } from './scope-rows.js';
import { SUBSCRIPTION_ROWS } from './subscription-rows.js';
import { TAG_ROWS_OF_V0 } from './tag-rows.js';
import { WEBHOOK_ROWS } from './webhook-rows.js';

/** The whole suite, by what it judges. */
export const CONFORMANCE_ROWS: readonly (readonly [string, readonly ConformanceRow[]])[] = [
  ['access and installations', ACCESS_ROWS],
  ['paging', PAGING_ROWS],
  ['subscriptions', SUBSCRIPTION_ROWS],
  ['export', EXPORT_ROWS],
  ['accounts, tax codes, vendors', REFERENCE_ROWS],
  ['tags', TAG_ROWS_OF_V0],
  ['reference data in detail', REFERENCE_DETAIL_ROWS],
  ['required fields', REQUIRED_FIELD_ROWS],
  ['fields of answers', ANSWERED_FIELD_ROWS],
  ['fields of items', ANSWERED_ITEM_ROWS],
  ['enumerations', ENUMERATION_ROWS],
  ['values on items', ITEM_VALUE_ROWS],
  ['rules of items', ITEM_RULE_ROWS],
  ['lists, and what is not there', LIST_ROWS],
  ['filters', FILTER_ROWS],
  ['limits', LIMIT_ROWS],
  ['jobs, results, errors', JOB_OPTION_ROWS],
  ['states of a job', JOB_STATE_ROWS],
  ['export items, versions and currencies', EXPORT_ITEM_ROWS],
  ['authorization server', OAUTH_ROWS],
  ['webhooks', WEBHOOK_ROWS],
  ['what notifications tell', ANNOUNCED_ROWS],
  ['scopes', SCOPE_ROWS],
];
