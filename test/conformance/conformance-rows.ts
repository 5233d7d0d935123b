import { ACCESS_ROWS } from './rows/access-rows.js';
import { ANNOUNCED_ROWS } from './rows/announced-rows.js';
import { RESPONSE_FIELD_ROWS } from './rows/response-field-rows.js';
import { RESPONSE_ITEM_ROWS } from './rows/response-item-rows.js';
import type { ConformanceRow } from './conformance-row.js';
import { ENUMERATION_ROWS } from './rows/enumeration-rows.js';
import { EXPORT_ITEM_ROWS } from './rows/export-item-rows.js';
import { EXPORT_ROWS } from './rows/export-rows.js';
import { FILTER_ROWS } from './rows/filter-rows.js';
import { ITEM_RULE_ROWS } from './rows/item-rule-rows.js';
import { ITEM_VALUE_ROWS } from './rows/item-value-rows.js';
import { JOB_OPTION_ROWS } from './rows/job-option-rows.js';
import { JOB_STATE_ROWS } from './rows/job-state-rows.js';
import { LIMIT_ROWS } from './rows/limit-rows.js';
import { LIST_ROWS } from './rows/list-rows.js';
import { OAUTH_ROWS } from './rows/oauth-rows.js';
import { PAGING_ROWS } from './rows/paging-rows.js';
import { REFERENCE_DETAIL_ROWS } from './rows/reference-detail-rows.js';
import { REFERENCE_ROWS } from './rows/reference-rows.js';
import { REQUIRED_FIELD_ROWS } from './rows/required-field-rows.js';
import { SCOPE_ROWS } from './rows/scope-rows.js';
import { SUBSCRIPTION_ROWS } from './rows/subscription-rows.js';
import { TAG_ROWS_OF_V0 } from './rows/tag-rows.js';
import { WEBHOOK_ROWS } from './rows/webhook-rows.js';

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
  ['fields of answers', RESPONSE_FIELD_ROWS],
  ['fields of items', RESPONSE_ITEM_ROWS],
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
  ['contents of notifications', ANNOUNCED_ROWS],
  ['scopes', SCOPE_ROWS],
];
