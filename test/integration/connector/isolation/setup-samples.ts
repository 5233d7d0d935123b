import { key, number, uuid, type RouteSample } from './route-sample.js';

const rule = { subject: 'account', source: '404', target: '6110' };

/** Routes about the connection, people, the mapping and reference data. */
export const SETUP_SAMPLES: Readonly<Record<string, RouteSample>> = {
  'GET /api/v1/events': { own: 200 },
  'GET /api/v1/overview': { own: 200 },
  'GET /api/v1/overview/readiness': { own: 200 },
  'GET /api/v1/settings': { own: 200 },
  'PUT /api/v1/settings': {
    ifMatch: true,
    body: {
      accounts: { wallets: { EUR: '1936' } },
      policies: { unknownVendor: 'fail', closedPeriod: 'fail', postingState: 'draft' },
    },
    own: 200,
  },
  'PUT /api/v1/erp-company': { body: { erpCompanyId: 'nobody’s' }, own: 422 },
  'GET /api/v1/erp-kinds': { own: 200 },
  'GET /api/v1/erp-connection': { own: 200 },
  'PUT /api/v1/erp-connection': {
    body: { kind: 'fake', settings: { place: 'another', password: 'of-the-accounting-system' }, confirmChange: true },
    own: 200,
  },
  'GET /api/v1/erp-connection/test-posting': { own: 200 },
  'POST /api/v1/erp-connection/test-posting': { body: { debit: '5410', credit: '1935' }, own: 200 },
  'POST /api/v1/erp-connection/test': { body: {}, own: 200 },
  // This kind has none; whose state comes back is proved where one has (installations/erp-sign-in).
  'POST /api/v1/erp-connection/sign-in': {
    body: { kind: 'fake', settings: { place: 'another', password: 'of-the-accounting-system' }, confirmChange: true },
    own: 409,
  },
  'DELETE /api/v1/erp-connection': { own: 204 },
  'GET /api/v1/erp/companies': { own: 200 },
  'GET /api/v1/erp/accounts': { own: 200 },
  'GET /api/v1/erp/tax-codes': { own: 200 },
  'GET /api/v1/erp/dimensions': { own: 200 },
  // A code of the ERP, which has none here; whose ERP it is, is proved in installations/erp-lists.
  'GET /api/v1/erp/dimensions/{dimension}/values': { params: { dimension: 'CC' }, own: 404 },
  'GET /api/v1/erp/vendors': { own: 200 },
  // What is connected here takes no files; whose they are is proved where files are (installations/file-batches).
  'GET /api/v1/erp-batches': { own: 409 },
  'POST /api/v1/erp-batches': { own: 409 },
  'GET /api/v1/erp-batches/{number}': { params: { number: '1' }, own: 409 },
  'GET /api/v1/erp-batches/{number}/receipt-list': { params: { number: '1' }, own: 409 },
  'GET /api/v1/erp-batches/{number}/receipts': { params: { number: '1' }, own: 409 },
  'GET /api/v1/webhook-settings': { own: 200 },
  'PUT /api/v1/webhook-settings': { body: { timestampMeaning: 'generation' }, own: 204 },
  'GET /api/v1/setup': { own: 200 },
  'GET /api/v1/connection': { own: 200 },
  'PUT /api/v1/connection/api-key': { body: { apiKey: '' }, own: 400 },
  'GET /api/v1/installation/export': { own: 200 },
  'DELETE /api/v1/installation': { query: 'companyName=Example', own: 200 },
  'GET /api/v1/subscription': { own: 200 },
  'PUT /api/v1/subscription': { body: { status: 'INACTIVE' }, own: 202 },
  'POST /api/v1/subscription/secret-rotation': { own: 202 },
  'GET /api/v1/notifications': { own: 200 },
  'POST /api/v1/notifications/{id}/replay': {
    ids: { 'path.id': key('notificationId', 'accepted.msg_nobodys') },
    own: 202,
  },
  'GET /api/v1/me': { own: 200 },
  'GET /api/v1/me/installations': { own: 200 },
  // A token of the operator's belongs to no member, so it has no language.
  'PUT /api/v1/me/language': { body: { language: 'de' }, own: 403 },
  // A token cannot switch; to which companies a session can is proved in access/switch-installation.
  'PUT /api/v1/me/installation': { body: { installationId: 'e0000000-0000-4000-8000-000000000000' }, own: 403 },
  // A token of the operator's belongs to no member, and has no sessions; whose they are is proved in access/sessions.
  // Both are for people who have signed in: access/first-admin and access/sign-in.
  'PUT /api/v1/me/first-admin': { body: { code: 'of nobody' }, own: 403 },
  'DELETE /api/v1/sessions/current': { own: 404 },
  'GET /api/v1/sessions': { own: 200 },
  'DELETE /api/v1/sessions/{id}': { params: { id: 'e0000000-0000-4000-8000-000000000000' }, own: 404 },
  'DELETE /api/v1/sessions': { own: 200 },
  'GET /api/v1/members': { own: 200 },
  'PUT /api/v1/members/{id}': { ids: { 'path.id': uuid('memberId') }, body: { role: 'viewer' }, own: 204 },
  'DELETE /api/v1/members/{id}': { ids: { 'path.id': uuid('memberId') }, own: 204 },
  'GET /api/v1/api-tokens': { own: 200 },
  'POST /api/v1/api-tokens': { body: { role: 'viewer', label: 'reports', days: 1 }, own: 201 },
  'DELETE /api/v1/api-tokens/{id}': { ids: { 'path.id': uuid('apiTokenId') }, own: 204 },
  'GET /api/v1/mapping/rules': {
    ids: { 'query.version': number('mappingVersion', { malformedStatus: 400 }) },
    own: 200,
  },
  'POST /api/v1/mapping/rules': { ifMatch: true, body: rule, own: 201 },
  'POST /api/v1/mapping/rules/bulk': {
    ids: { 'body.deletes': number('ruleId', { missingStatus: 422, malformedStatus: 400 }) },
    ifMatch: true,
    body: {},
    own: 200,
  },
  'GET /api/v1/mapping/rules/findings': { own: 200 },
  'GET /api/v1/mapping/rules/export': {
    ids: { 'query.version': number('mappingVersion', { malformedStatus: 400 }) },
    own: 200,
  },
  'POST /api/v1/mapping/rules/import': { ifMatch: true, body: { rules: [rule] }, own: 200 },
  'GET /api/v1/mapping/rules/{id}': { ids: { 'path.id': number('ruleId') }, own: 200 },
  'PUT /api/v1/mapping/rules/{id}': {
    ids: { 'path.id': number('ruleId') },
    ifMatch: true,
    body: rule,
    own: 200,
  },
  'DELETE /api/v1/mapping/rules/{id}': { ids: { 'path.id': number('ruleId') }, ifMatch: true, own: 200 },
  'GET /api/v1/mapping/suggestions': { own: 200 },
  'GET /api/v1/mapping/versions': { own: 200 },
  'GET /api/v1/mapping/versions/{version}': { ids: { 'path.version': number('mappingVersion') }, own: 200 },
  'POST /api/v1/mapping/versions/{version}/restore': {
    ids: { 'path.version': number('mappingVersion') },
    ifMatch: true,
    own: 200,
  },
  'GET /api/v1/mapping/versions/{from}/diff/{to}': {
    ids: { 'path.from': number('mappingVersion'), 'path.to': number('mappingVersion') },
    own: 200,
  },
  'GET /api/v1/reference-data/runs': { own: 200 },
  'POST /api/v1/reference-data/runs': { body: { kinds: ['accounts'] }, own: 202 },
  'GET /api/v1/reference-data/runs/{id}': { ids: { 'path.id': uuid('syncRunId') }, own: 200 },
  'GET /api/v1/reference-data/runs/{id}/records': { ids: { 'path.id': uuid('syncRunId') }, own: 200 },
  'GET /api/v1/exchange-rates': { own: 200 },
  // The version that is named here and below is one of the mapping.
  'PUT /api/v1/exchange-rates': {
    ifMatch: true,
    body: { csv: 'date,from,to,rate\n2026-03-02,USD,EUR,0.9\n' },
    own: 412,
  },
  'GET /api/v1/reference-data/dimensions': { own: 200 },
  'PUT /api/v1/reference-data/dimensions': { ifMatch: true, body: { codes: [] }, own: 412 },
  'GET /api/v1/reference-data/vendor-matches': { own: 200 },
  'POST /api/v1/reference-data/vendor-matches/{platformVendorId}/decision': {
    ids: { 'path.platformVendorId': uuid('vendorId') },
    body: { decision: 'archive' },
    own: 202,
  },
  'GET /api/v1/reference-data/companies': { own: 200 },
  'GET /api/v1/reference-data/categories': { own: 200 },
  'GET /api/v1/reference-data/tax-codes': { own: 200 },
  'GET /api/v1/reference-data/tags': { own: 200 },
  'GET /api/v1/reference-data/vendors': { own: 200 },
};
