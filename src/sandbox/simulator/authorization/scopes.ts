/** Every scope the platform knows (P3.2), both spellings of the tag scopes included. */
export const PLATFORM_SCOPES = [
  'export-jobs:read',
  'export-jobs:write',
  'export-items:read',
  'accounts:read',
  'accounts:write',
  'vendors:read',
  'vendors:write',
  'users:read',
  'companies:read',
  'tag-groups:read',
  'tag-groups:write',
  'tag-group:read',
  'tag-group:write',
  'tax-codes:read',
  'tax-codes:write',
  'test:test',
] as const;
