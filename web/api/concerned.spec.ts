import { expect, it } from '@jest/globals';
import { isConcerned } from './concerned.js';

it.each([
  ['job', '/api/v1/jobs/{id}/items', true],
  ['job', '/api/v1/entries', true],
  ['job', '/api/v1/entries/{accountingEntryId}', true],
  ['job', '/api/v1/in-doubt-postings', true],
  ['job', '/api/v1/overview/readiness', true],
  ['job', '/api/v1/month-ends/{month}', true],
  ['job', '/api/v1/mapping/suggestions', true],
  ['job', '/api/v1/mapping/rules', false],
  ['job', '/api/v1/members', false],
  ['progress', '/api/v1/jobs/{id}', true],
  ['progress', '/api/v1/entries', false],
  ['progress', '/api/v1/overview/readiness', false],
  ['issue', '/api/v1/issues/totals', true],
  ['reexport', '/api/v1/mapping/rules', true],
  ['discrepancies', '/api/v1/month-ends/{month}', true],
  ['reconciliation', '/api/v1/month-ends/{month}', true],
  ['reconciliation', '/api/v1/in-doubt-postings', true],
  ['reset', '/api/v1/members', true],
  ['return', '/api/v1/members', true],
  ['return', '/api/v1/api-tokens', true],
  ['return', '/api/v1/month-ends/{month}', true],
  ['return', '/api/v1/entries', false],
  ['reset', '/api/v1/overview/readiness', false],
  ['of a later release', '/api/v1/jobs', false],
])('an event of the kind %s and what was read from %s: %s', (kind, path, concerned) => {
  expect(isConcerned(new Set([kind]), path)).toBe(concerned);
});
