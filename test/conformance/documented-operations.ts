// The endpoint tables of both documents, copied: what an integration may call, which scope it needs, how it is answered.

export interface DocumentedOperation {
  /** Method and path; `*` stands for an id. */
  readonly operation: string;
  readonly source: string;
  /** The spellings of its scope; empty: any valid credential will do. */
  readonly scopes: readonly string[];
  readonly success: number;
  /** Documented statuses of refusals, but for 401 and 403, which every operation has, and those of a broken server. */
  readonly refusals: readonly number[];
}

const JOBS_READ = ['export-jobs:read'];
const JOBS_WRITE = ['export-jobs:write'];
const ITEMS_READ = ['export-items:read'];
const ACCOUNTS_READ = ['accounts:read'];
const ACCOUNTS_WRITE = ['accounts:write'];
const TAX_READ = ['tax-codes:read'];
const TAX_WRITE = ['tax-codes:write'];
const VENDORS_READ = ['vendors:read'];
const VENDORS_WRITE = ['vendors:write'];
const TAGS_READ = ['tag-groups:read', 'tag-group:read'];
const TAGS_WRITE = ['tag-groups:write', 'tag-group:write'];
const NONE: readonly string[] = [];

type Line = readonly [operation: string, scopes: readonly string[], success: number, refusals?: readonly number[]];

const EXPORT = (version: 'v2' | 'v3', missingContra: readonly number[]): readonly Line[] => [
  [`GET /${version}/export-items`, ITEMS_READ, 200, [400, 422]],
  [`POST /${version}/export-job-events`, JOBS_WRITE, 202, [422]],
  [`GET /${version}/export-jobs`, JOBS_READ, 200],
  [`POST /${version}/export-jobs`, JOBS_WRITE, 201, [...missingContra, 409]],
  [`GET /${version}/export-jobs/*`, JOBS_READ, 200, [404]],
  [`GET /${version}/export-jobs/*/items`, JOBS_READ, 200, [404]],
  [`PUT /${version}/export-jobs/*/items`, JOBS_WRITE, 200, [404, 413, 422]],
];

const TABLES: readonly (readonly [source: string, lines: readonly Line[]])[] = [
  ['P1.1', EXPORT('v3', [400])],
  ['P1.1, P1.9', EXPORT('v2', [])],
  [
    'P2.1',
    [
      ['GET /v1/subscriptions', NONE, 200, [400]],
      ['POST /v1/subscriptions', NONE, 200, [400]],
      ['GET /v1/subscriptions/*', NONE, 200, [404]],
      ['PUT /v1/subscriptions/*', NONE, 200, [400, 404]],
      ['DELETE /v1/subscriptions/*', NONE, 204, [404]],
      ['GET /v1/subscriptions/*/activities', NONE, 200, [404]],
      ['GET /v1/subscriptions/*/secret', NONE, 200, [404]],
    ],
  ],
  ['P3.1', [['GET /v1/introspect', NONE, 200]]],
  [
    'P3.6',
    [
      ['GET /v1/installations/me', NONE, 200, [400]],
      ['POST /v1/installations/me', NONE, 200, [400]],
      ['PUT /v1/installations/me', NONE, 200, [400]],
      ['DELETE /v1/installations/me', NONE, 204, [404]],
      ['POST /v1/installations/me:activate', NONE, 200],
      ['PUT /v1/installations/completions', NONE, 200],
      // As they are documented, too (P3.6).
      ['POST /installations/me:activate', NONE, 200],
      ['PUT /installations/completions', NONE, 200],
    ],
  ],
  [
    'P4',
    [
      ['POST /v1/chart-of-accounts', ACCOUNTS_WRITE, 201, [400, 409]],
      ['POST /v1/chart-of-accounts/batch', ACCOUNTS_WRITE, 201, [400]],
      ['GET /v1/chart-of-accounts/*', ACCOUNTS_READ, 200, [404]],
      ['PUT /v1/chart-of-accounts/*', ACCOUNTS_WRITE, 200, [400, 404]],
      ['DELETE /v1/chart-of-accounts/*', ACCOUNTS_WRITE, 204, [404, 409]],
      ['POST /v1/chart-of-accounts:search', ACCOUNTS_READ, 200, [400]],
    ],
  ],
  [
    'P5',
    [
      ['POST /v0/tax-codes', TAX_WRITE, 201],
      ['GET /v0/tax-codes/*', TAX_READ, 200],
      ['PUT /v0/tax-codes/*', TAX_WRITE, 200],
      ['DELETE /v0/tax-codes/*', TAX_WRITE, 204],
      ['POST /v0/tax-codes:search', TAX_READ, 200],
      ['POST /v0/tax-codes:calculate-tax-amounts', TAX_READ, 200],
    ],
  ],
  [
    'P6',
    [
      ['POST /v1/vendors', VENDORS_WRITE, 201, [409]],
      ['GET /v1/vendors/*', VENDORS_READ, 200, [404]],
      ['PUT /v1/vendors/*', VENDORS_WRITE, 200, [400, 404, 409]],
      ['POST /v1/vendors/*:activate', VENDORS_WRITE, 204, [404]],
      ['POST /v1/vendors/*:archive', VENDORS_WRITE, 204, [404]],
      ['POST /v1/vendors:search', VENDORS_READ, 200],
    ],
  ],
  [
    'P7',
    [
      ['GET /v0/tag-groups', TAGS_READ, 200],
      ['POST /v0/tag-groups', TAGS_WRITE, 201],
      ['GET /v0/tag-groups/*', TAGS_READ, 200],
      ['PUT /v0/tag-groups/*', TAGS_WRITE, 200],
      ['DELETE /v0/tag-groups/*', TAGS_WRITE, 204],
      ['GET /v0/tag-groups/*/dimensions', TAGS_READ, 200],
      ['POST /v0/tag-groups/*/dimensions', TAGS_WRITE, 201],
      ['GET /v0/tag-groups/*/dimensions/*', TAGS_READ, 200],
      ['PUT /v0/tag-groups/*/dimensions/*', TAGS_WRITE, 200],
      ['DELETE /v0/tag-groups/*/dimensions/*', TAGS_WRITE, 204],
      ['GET /v0/tag-groups/*/usage', TAGS_READ, 200, [404]],
      ['GET /v0/aggregations/tag-groups', TAGS_READ, 200],
      ['POST /v0/aggregations/tags', TAGS_READ, 200],
      ['GET /v0/tag-groups/*/tags', TAGS_READ, 200],
      ['POST /v0/tag-groups/*/tags', TAGS_WRITE, 201, [400, 409]],
      ['GET /v0/tags/*', TAGS_READ, 200],
      ['PUT /v0/tags/*', TAGS_WRITE, 200, [404, 409]],
      ['DELETE /v0/tags/*', TAGS_WRITE, 204],
      ['POST /v0/tags/archive', TAGS_WRITE, 200],
      ['DELETE /v0/tags', TAGS_WRITE, 204],
      ['POST /v0/tags:search', TAGS_READ, 200],
      ['GET /v0/tags', TAGS_READ, 200],
      ['GET /v0/tags/*/dimensions', TAGS_READ, 200],
      ['POST /v0/tags/*/dimensions/*', TAGS_WRITE, 201],
      ['GET /v0/tags/*/dimensions/*', TAGS_READ, 200],
      ['PUT /v0/tags/*/dimensions/*', TAGS_WRITE, 200],
      ['DELETE /v0/tags/*/dimensions/*', TAGS_WRITE, 204],
    ],
  ],
  [
    'P8',
    [
      ['GET /v1/companies', ['companies:read'], 200],
      ['GET /v1/companies/*', ['companies:read'], 200, [404]],
      ['GET /v2/employees', ['users:read'], 200],
      ['GET /v2/employees/*', ['users:read'], 200, [404]],
    ],
  ],
];

export const DOCUMENTED_OPERATIONS: readonly DocumentedOperation[] = TABLES.flatMap(([source, lines]) =>
  lines.map(([operation, scopes, success, refusals = []]) => ({
    operation,
    source,
    scopes,
    success,
    refusals,
  })),
);

/** The error table of P0.4 that the Export API answers with. */
export const DOCUMENTED_ERRORS: readonly (readonly [status: number, type: string])[] = [
  [400, 'UNSUPPORTED_API_VERSION'],
  [400, 'MISSING_CONTRA_ACCOUNTS'],
  [404, 'EXPORT_NOT_FOUND'],
  [409, 'EXPORT_ALREADY_IN_PROGRESS'],
  [413, 'EXPORT_JOB_ITEMS_UPDATE_LIMIT'],
  [422, 'EXPORT_JOB_STATUS_UNPROCESSABLE'],
  [422, 'INVALID_EXPORT_JOB_STATUS_CHANGE'],
  [400, 'VALIDATION_FAILED'],
  [400, 'PARAMETER_VALIDATION_FAILED'],
  [400, 'JSON_MAPPING_EXCEPTION'],
];

/** Paths that the documents name and an integration does not call, and why. */
export const NOT_FOR_INTEGRATIONS: readonly (readonly [path: string, reason: string])[] = [
  ['/v3/export-job-items', 'hidden from external consumers [P1.1]'],
  ['/v1/vendors/csv-import', 'hidden from external documents [P6]'],
  ['/v1-beta/accounts', 'the older shape of the same accounts [P4, P13]'],
  ['/v1/accounting-entries', 'reading outside exports; its answers are not described [P8, P13]'],
];
