// Reasons a client may give (P1.5 and P1.6). Pure.

const JOB_REASONS: ReadonlySet<string> = new Set([
  'invalid_configuration',
  'missing_configuration',
  'authentication_failure',
  'accounting_system_authentication_failure',
  'accounting_system_rate_limit',
  'service_unreachable',
  'accounting_system_unreachable',
  'validation_failure',
  'authorization_failure',
  'integration_unusable',
  'job_expired',
  'service_timeout',
  'accounting_system_timeout',
  'canceled_by_user',
]);

const ITEM_REASONS_V2 = [
  'receipt_upload_failure',
  'receipt_download_failure',
  'receipt_file_size_limit_exceeded',
  'receipt_conversion_failure',
  'unexpected_failure',
  'invalid_configuration',
  'missing_configuration',
  'accounting_system_authentication_failure',
  'accounting_system_rate_limit',
  'accounting_system_unreachable',
  'validation_failure',
  'accounting_system_validation_failure',
  'authorization_failure',
  'accounting_system_timeout',
] as const;

export type ExportVersion = 'v2' | 'v3';

const ITEM_REASONS: Readonly<Record<ExportVersion, ReadonlySet<string>>> = {
  v2: new Set(ITEM_REASONS_V2),
  v3: new Set([...ITEM_REASONS_V2, 'vendor_unknown', 'account_unknown', 'tax_code_unknown', 'tag_unknown']),
};

/** The platform's own rate limit is named after the platform, so only the end of its name is known here. */
const PLATFORM_RATE_LIMIT = /^[a-z]+_rate_limit$/;

export function isJobFailureReason(type: string): boolean {
  return JOB_REASONS.has(type) || PLATFORM_RATE_LIMIT.test(type);
}

export function isItemFailureReason(version: ExportVersion, type: string): boolean {
  return ITEM_REASONS[version].has(type);
}
