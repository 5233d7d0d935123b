// The lists of both documents, copied: the values of every enumeration, the fields that a request must have and those that an
// answer has always. Each of them has a row of its own.

/** Facts that are alike; `{}` stands for each value of the list. */
export type DocumentedFacts = readonly [fact: string, source: string, values: readonly string[]];

const ITEM_FAILURES_OF_V2 = [
  ...['receipt_upload_failure', 'receipt_download_failure', 'receipt_file_size_limit_exceeded'],
  ...['receipt_conversion_failure', 'unexpected_failure', 'invalid_configuration', 'missing_configuration'],
  ...['accounting_system_authentication_failure', 'accounting_system_rate_limit'],
  ...['accounting_system_unreachable', 'validation_failure', 'accounting_system_validation_failure'],
  ...['authorization_failure', 'accounting_system_timeout'],
];
const ITEM_FAILURES_OF_V3 = ['vendor_unknown', 'account_unknown', 'tax_code_unknown', 'tag_unknown'];
const JOB_STATES = ['pending', 'in_progress', 'failed', 'completed', 'completed_with_errors'];

const VALUES_OF_EXPORTS: readonly DocumentedFacts[] = [
  ['started moves a job that is {}', 'P1.4', ['pending']],
  ['started is refused to a job that is {}', 'P1.4', JOB_STATES.slice(1)],
  ['failed moves a job that is {}', 'P1.4', ['pending', 'in_progress']],
  ['failed is refused to a job that is {}', 'P1.4', JOB_STATES.slice(2)],
  ['{} moves a job that is in_progress', 'P1.4', ['failed', 'completed', 'completed_with_errors']],
  [
    'a job may fail for {}',
    'P1.5',
    [
      ...['invalid_configuration', 'missing_configuration', 'authentication_failure', 'platform_rate_limit'],
      ...['accounting_system_authentication_failure', 'accounting_system_rate_limit', 'service_unreachable'],
      ...['accounting_system_unreachable', 'validation_failure', 'authorization_failure'],
      ...['integration_unusable', 'job_expired', 'service_timeout', 'accounting_system_timeout'],
      'canceled_by_user',
    ],
  ],
  ['an item may be {}', 'P1.6', ['pending', 'in_progress', 'failed', 'successful', 'abandoned']],
  ['v3 takes the reason {} of an item', 'P1.6', [...ITEM_FAILURES_OF_V2, ...ITEM_FAILURES_OF_V3]],
  ['v2 takes the reason {} of an item', 'P1.6', ITEM_FAILURES_OF_V2],
  ['v2 refuses the reason {} of an item', 'P1.6', ITEM_FAILURES_OF_V3],
  [
    'an item of type {} shows contra account',
    'P1.8',
    [
      ...['card_purchase', 'fee', 'cashback', 'refund', 'chargeback', 'direct_reimbursement'],
      ...['invoice_payment', 'card_invoice', 'atm_withdrawal', 'personal_spend', 'wallet_topup'],
      'wallet_unload',
    ],
  ],
  [
    'an item of type {} has no contra account',
    'P1.8',
    ['out_of_pocket', 'mileage', 'per_diem', 'external_reimbursement', 'invoice'],
  ],
  [
    'an item may have the subtype {}',
    'P1.8',
    [
      ...['reimbursement_to_employee_refund', 'reimbursement_to_company', 'reimbursement_to_employee'],
      ...['invoice_payment_returned', 'invoice_payment_sent', 'interest'],
    ],
  ],
  ['the tax of a line may be {}', 'P1.8', ['inclusive', 'exclusive', 'reverse']],
  ['an item may be booked by {}', 'P1.8', ['none', 'journal', 'accounts_payable']],
  [
    'an invoice may be {}',
    'P1.8',
    [
      ...['pending_approval', 'parsed', 'preparing', 'prepared', 'ready', 'rejected_by_approver'],
      ...['marked_as_paid', 'scheduled', 'payment_in_progress', 'paid', 'voided_by_user'],
      ...['rejected_by_user', 'failed_payment'],
    ],
  ],
];

/** Country codes that are not, or no longer, those of a country. */
const LEGACY_COUNTRIES = 'AC AN BU CP CS DG EA EU EZ FX IC NT SF SU TA TP UK XI XU XK YU ZR'.split(' ');

const OTHER_VALUES: readonly DocumentedFacts[] = [
  [
    'a list is sorted {}',
    'P0.2',
    ['ASC', 'ASC_NULLS_FIRST', 'ASC_NULLS_LAST', 'DESC', 'DESC_NULLS_FIRST', 'DESC_NULLS_LAST'],
  ],
  ['an installation may be {}', 'P3.6', ['AUTHORIZED', 'PENDING_INTEGRATION', 'ACTIVATED', 'INACTIVE', 'ERROR']],
  ['an installation may be in error for {}', 'P3.6', ['NOT_ENTITLED', 'AUTH_ERROR']],
  ['a subscription may be {}', 'P2.1', ['ACTIVE', 'INACTIVE']],
  ['{} can be subscribed to', 'P2.2', ['v1.export-job.created', 'v1.vendor.created']],
  ['an endpointAuth of type {} is taken', 'P2.1', ['NONE', 'BASIC']],
  ['activities of a subscription are found by {}', 'P2.1', ['CREATE', 'UPDATE', 'DELETE']],
  ['a tax code of type {} is taken', 'P5', ['inclusive', 'reverse']],
  ['a tax code of type {} is not supported', 'P5', ['exclusive']],
  ['a vendor may be of the country {}', 'P1.8', ['DK', 'UNDEFINED', ...LEGACY_COUNTRIES]],
  ['a vendor is updated to {}, and found by it', 'P6', ['DRAFT', 'ACTIVE', 'ARCHIVED']],
  [
    'a batch names {}',
    'P4 (reasons)',
    [
      'EXTERNAL_ID_ALREADY_EXISTS for an account that is there',
      'EXTERNAL_ID_TOO_LONG for an account with an externalId of 256 characters',
      'EXTERNAL_ID_EMPTY for an account with an empty externalId',
      'NAME_TOO_LONG for an account with a name of 256 characters',
      'NAME_EMPTY for an account with no name',
      'CODE_TOO_LONG for an account with a code of 256 characters',
    ],
  ],
];

const NEEDED: readonly DocumentedFacts[] = [
  ['a new account needs {}', 'P4', ['archived', 'companyId', 'externalId', 'name']],
  ['the update of an account needs {}', 'P4', ['archived', 'name']],
  ['a batch of accounts needs {}', 'P4', ['companyId', 'items']],
  ['a search of accounts needs {}', 'P4', ['companyId']],
  ['a new tax code needs {}', 'P5', ['archived', 'companyId', 'name', 'rate', 'type']],
  ['the update of a tax code needs {}', 'P5', ['archived', 'companyId', 'name', 'rate', 'type']],
  ['a vendor needs {}', 'P6', ['companyId', 'defaultCurrency', 'name']],
  ['the update of a vendor needs {}', 'P6', ['companyId', 'defaultCurrency', 'externalId', 'name', 'state']],
  ['the activation of a vendor needs {}', 'P6', ['externalId']],
  ['a search of vendors needs {}', 'P6', ['company_id']],
  ['a new tag group needs {}', 'P7', ['archived', 'code', 'name']],
  ['the update of a tag group needs {}', 'P7', ['archived', 'code', 'metadata', 'name']],
  ['a new tag needs {}', 'P7', ['archived', 'code']],
  ['the update of a tag needs {}', 'P7', ['archived', 'code']],
  ['archiving tags in bulk needs {}', 'P7', ['archived', 'companyId', 'tagIds']],
  ['deleting tags in bulk needs {}', 'P7', ['companyId', 'tagIds']],
  ['the value of a dimension needs {}', 'P7', ['value']],
  ['a job event needs {}', 'P1.5', ['event', 'jobId']],
  ['a new job needs {}', 'P1.7', ['accountingEntryIds', 'companyId']],
  ['a result needs {}', 'P1.6', ['accountingEntryId', 'status']],
  ['a subscription needs {}', 'P2.1', ['endpointUrl', 'eventTypes']],
  ['the update of a subscription needs {}', 'P2.1', ['endpointUrl', 'eventTypes']],
  ['the update of an installation needs {}', 'P3.6', ['status']],
];

export const DOCUMENTED_FACTS: readonly DocumentedFacts[] = [...VALUES_OF_EXPORTS, ...OTHER_VALUES, ...NEEDED];
