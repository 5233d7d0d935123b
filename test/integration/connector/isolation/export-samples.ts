import { FILTER, key, uuid, type RouteSample } from './route-sample.js';

/** Routes about exports, what keeps them back, and whether the books agree. */
export const EXPORT_SAMPLES: Readonly<Record<string, RouteSample>> = {
  'GET /api/v1/jobs': { own: 200 },
  'POST /api/v1/jobs/detections': { own: 202 },
  'GET /api/v1/jobs/{id}': { ids: { 'path.id': uuid('exportJobId') }, own: 200 },
  'GET /api/v1/jobs/{id}/items': { ids: { 'path.id': uuid('exportJobId') }, own: 200 },
  'GET /api/v1/in-doubt-postings': { own: 200 },
  'POST /api/v1/in-doubt-postings/{accountingEntryId}/resolution': {
    ids: { 'path.accountingEntryId': uuid('uncertainEntryId') },
    body: { outcome: 'not-in-the-books' },
    own: 204,
  },
  'GET /api/v1/issues': { own: 200 },
  'GET /api/v1/issues/{issueKey}': { ids: { 'path.issueKey': key('issueKey', 'account:00000') }, own: 200 },
  'GET /api/v1/issues/{issueKey}/entries': {
    ids: { 'path.issueKey': key('issueKey', 'account:00000') },
    own: 200,
  },
  'POST /api/v1/issues/{issueKey}/resolution': {
    ids: { 'path.issueKey': key('issueKey', 'account:00000') },
    body: {},
    own: 202,
  },
  'PUT /api/v1/issues/{issueKey}/handling': {
    ids: { 'path.issueKey': key('issueKey', 'account:00000') },
    body: { assignee: 'Ada', note: 'asked', snoozedUntil: null },
    own: 200,
  },
  // Another installation's keys are not distinguished from any others: each is `unknown` in the answer.
  'POST /api/v1/issues/resolutions': { body: { issueKeys: ['account:00000'] }, own: 202 },
  'GET /api/v1/reexports/{id}': { ids: { 'path.id': uuid('reexportId') }, own: 200 },
  'POST /api/v1/previews': {
    ids: { 'body.jobId': uuid('exportJobId', { malformedStatus: 400 }) },
    body: {},
    own: 201,
  },
  'GET /api/v1/previews/{id}': { ids: { 'path.id': uuid('previewId') }, own: 200 },
  'GET /api/v1/previews/{id}/entries': { ids: { 'path.id': uuid('previewId') }, own: 200 },
  'POST /api/v1/previews/{id}/commit': {
    ids: { 'path.id': uuid('previewId') },
    body: { digest: 'ab'.repeat(32) },
    own: 409,
  },
  'GET /api/v1/entries': { own: 200 },
  'GET /api/v1/entries/totals': { own: 200 },
  'GET /api/v1/issues/totals': { own: 200 },
  'GET /api/v1/entries/{accountingEntryId}': { ids: { 'path.accountingEntryId': uuid('accountingEntryId') }, own: 200 },
  'GET /api/v1/entries/{accountingEntryId}/explanation': {
    ids: { 'path.accountingEntryId': uuid('accountingEntryId') },
    own: 200,
  },
  'GET /api/v1/drift': { own: 200 },
  'POST /api/v1/drift/checks': { own: 200 },
  'GET /api/v1/reconciliation': { own: 200 },
  'POST /api/v1/reconciliation': {
    ids: { 'body.exportJobId': uuid('exportJobId', { malformedStatus: 400 }) },
    body: {},
    own: 202,
  },
  'PUT /api/v1/reconciliation/settings': { body: { alertAfterDays: 14 }, own: 204 },
  'GET /api/v1/discrepancies': { own: 200 },
  'POST /api/v1/discrepancies/{id}/actions': {
    ids: { 'path.id': uuid('discrepancyId') },
    body: { action: 'accept', note: 'agreed' },
    own: 204,
  },
  'GET /api/v1/month-ends': { own: 200 },
  'GET /api/v1/month-ends/{month}': { params: { month: '2026-11' }, own: 200 },
  'POST /api/v1/month-ends/{month}/sign-off': { params: { month: '2025-10' }, body: { reason: 'agreed' }, own: 200 },
  'POST /api/v1/month-ends/{month}/reopening': { params: { month: '2026-09' }, body: { reason: 'late' }, own: 409 },
  'GET /api/v1/certificates': { own: 200 },
  'GET /api/v1/certificates/{exportJobId}': { ids: { 'path.exportJobId': uuid('exportJobId') }, own: 200 },
  'GET /api/v1/audit': {
    ids: { 'query.objectId': uuid('exportJobId', FILTER) },
    own: 200,
  },
  'GET /api/v1/audit/verification': { own: 200 },
  'GET /api/v1/alert-settings': { own: 200 },
  'PUT /api/v1/alert-settings': { ifMatch: true, body: { channel: 'off', kinds: [] }, own: 412 },
  'POST /api/v1/alert-settings/test': { own: 200 },
  'GET /api/v1/alerts': { own: 200 },
};
