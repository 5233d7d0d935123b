// The fields of answers in both documents, copied: those that are there always, those that may be null, those that can be asked for.
// Each of them has a row of its own.
import type { DocumentedFacts } from './documented-facts.js';

export const DOCUMENTED_RESPONSES: readonly DocumentedFacts[] = [
  [
    'a job is answered with {}',
    'wire-facts §1.3',
    [
      ...['companyId', 'createdAt', 'expiresIn', 'id', 'isInteractive', 'numberOfItems', 'status'],
      'vendorBasedBookkeeping',
    ],
  ],
  ['a result is answered with {}', 'wire-facts §1.6', ['accountingEntryId', 'exportJobId', 'status']],
  [
    'an export item is answered with {}',
    'wire-facts §1.8',
    [
      ...['_links', 'accountingEntryId', 'accountingEntryLines', 'additionalInformation', 'amount'],
      ...['companyId', 'date', 'type'],
    ],
  ],
  [
    'a line of an item is answered with {}',
    'wire-facts §1.8',
    ['accountingEntryLineId', 'lineAmount', 'netAmount'],
  ],
  ['an amount of an item is answered with {}', 'wire-facts §1.8', ['inSupplierCurrency', 'inWalletCurrency']],
  [
    'a subscription is answered with {}',
    'wire-facts §2.1',
    ['id', 'status', 'eventTypes', 'endpointUrl', 'createdAt', 'updatedAt'],
  ],
  [
    'an activity is answered with {}',
    'wire-facts §2.1',
    ['id', 'subscriptionId', 'operationType', 'actorUrn', 'description', 'createdAt'],
  ],
  [
    'an installation is answered with {}',
    'wire-facts §3.6',
    ['applicationId', 'createdAt', 'id', 'metadata', 'resource', 'status', 'updatedAt'],
  ],
  ['an account is answered with {}', 'wire-facts §4', ['archived', 'companyId', 'externalId', 'id', 'name']],
  [
    'a tax code is answered with {}',
    'wire-facts §5',
    ['archived', 'companyId', 'name', 'rate', 'type', 'id', 'createdAt', 'updatedAt'],
  ],
  ['a vendor is answered with {}', 'wire-facts §6', ['companyId', 'defaultCurrency', 'id', 'name', 'state']],
  ['a company is answered with {}', 'wire-facts §8', ['address', 'id', 'name']],
  ['an amount of money is answered with {}', 'wire-facts §1.8', ['currency', 'value']],
  ['the account of a line is answered with {}', 'wire-facts §1.8', ['id', 'name']],
  ['a tag of a line is answered with {}', 'wire-facts §1.8', ['id', 'code', 'groupCode']],
  ['the tax of a line is answered with {}', 'wire-facts §1.8', ['amount', 'id', 'rate', 'type']],
  ['the vendor of an item is answered with {}', 'wire-facts §1.8', ['id', 'name', 'defaultCurrency']],
  ['the contra account of an item is answered with {}', 'wire-facts §1.8', ['id', 'name']],
  ['the user of an item is answered with {}', 'wire-facts §1.8', ['id', 'name']],
  ['the team of an item is answered with {}', 'wire-facts §1.8', ['id', 'name']],
  ['a file of an item is answered with {}', 'wire-facts §13', ['url', 'type', 'size']],
  ['the service period of an item is answered with {}', 'wire-facts §1.8', ['from', 'to']],
  ['the bookkeeping of an item is answered with {}', 'wire-facts §1.8', ['method']],
  ['the additional information of an item is answered with {}', 'wire-facts §1.8', ['reconciliationId']],
  ['an invoice is answered with {}', 'wire-facts §1.8', ['invoiceDate', 'invoiceNumber', 'status']],
  ['the bank account of a supplier is answered with {}', 'wire-facts §1.8', ['bankName', 'country']],
  ['the links of an item is answered with {}', 'wire-facts §1.8', ['web', 'mobile', 'api']],
  [
    'the pagination of a list is answered with {}',
    'given, Pagination object',
    [...['currentRequestPagination', 'hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'], 'total'],
  ],
  [
    'the request in a pagination is answered with {}',
    'given, Pagination object',
    ['parameters', 'limit', 'sortingKeys', 'sortingOrder'],
  ],
  ['the cursor of {} is told back', 'given, Pagination object', ['after', 'before']],
  [
    'a tag group is answered with {}',
    'given, Tag group',
    ['id', 'companyId', 'name', 'code', 'archived', 'metadata', 'createdAt', 'updatedAt'],
  ],
  [
    'a tag is answered with {}',
    'given, Tag',
    ['id', 'groupId', 'name', 'code', 'archived', 'createdAt', 'updatedAt'],
  ],
  ['a dimension is answered with {}', 'wire-facts §7', ['code', 'name', 'visible', 'displayOrder']],
  ['an employee is answered with {}', 'wire-facts §8', ['id', 'companyId', 'email', 'firstName', 'lastName']],
  ['an error of a result is answered with {}', 'wire-facts §1.6', ['accountingEntryId', 'message', 'type']],
  ['calculated tax is told with {}', 'wire-facts §5', ['gross', 'net', 'tax']],
  ['a company is told with its {}', 'given, Company', ['organizationId', 'registrationNumber', 'address']],
  ['an API key is told with {}', 'wire-facts §3.1', ['authMethod', 'clientId', 'scope', 'subjectURN']],
  [
    'a vendor keeps its {}',
    'given, Vendor',
    ['code', 'country', 'externalId', 'registrationNumber', 'taxRegistrationNumber'],
  ],
  ['a vendor is answered with {}', 'given, Vendor', ['createdAt', 'updatedAt']],
  ['a deleted subscription is answered with {}', 'given, Subscription', ['deletedAt', 'deletedBy']],
  [
    'a fresh job has {} with null',
    'wire-facts §1.3',
    ['createdBy', 'startedAt', 'completedAt', 'expiredAt', 'failureReason'],
  ],
  [
    'a fresh result has {} with null',
    'wire-facts §1.6',
    ['exportedAt', 'externalId', 'externalUrl', 'failureReason'],
  ],
  [
    'an account has {} with null when it is not known',
    'wire-facts §4',
    ['code', 'taxCodeExternalId', 'metadata'],
  ],
  [
    'a tax code has {} with null when it is not known',
    'wire-facts §5',
    ['code', 'ingoingTaxAccount', 'outgoingTaxAccount', 'accountingIntegrationSystem'],
  ],
  [
    'a new job is told with {}',
    'given, Export job',
    [
      ...['id', 'companyId', 'createdAt', 'createdBy', 'expiresIn', 'numberOfItems', 'status'],
      'lastUpdatedAt',
    ],
  ],
  [
    'a new vendor is told with {}',
    'wire-facts §2.3',
    [
      ...['id', 'companyId', 'name', 'country', 'registrationNumber', 'taxRegistrationNumber', 'code'],
      ...['state', 'defaultCurrency', 'createdBy', 'createdAt', 'updatedAt', 'deletedAt'],
    ],
  ],
  [
    'accounts are found by {}',
    'given, Search accounts; wire-facts §4',
    ['archived', 'code', 'codes', 'externalId', 'ids', 'name'],
  ],
  ['tax codes are found by {}', 'wire-facts §5', ['archived', 'code', 'taxCodeIds', 'type']],
  [
    'vendors are found by {}',
    'wire-facts §6',
    ['ids', 'codes', 'externalIds', 'countries', 'states', 'taxRegistrationNumbers', 'name'],
  ],
  ['tags are found by {}', 'wire-facts §7', ['archived', 'tagIds', 'textSearch']],
  ['employees are found by {}', 'wire-facts §8', ['email', 'code']],
];

/** What the documents state and nothing can show, and why. */
export const WITHOUT_ROW: readonly (readonly [fact: string, reason: string])[] = [
  ['ACCOUNTING_ENTRY_UPDATE_FAILED', 'wire-facts §1.6: nothing that a client can do is known to provoke it'],
  ['OTHER as a reason of a batch', 'wire-facts §4: what it stands for is not said'],
  ['accountingSystems in a search of vendors', 'wire-facts §6: nothing a client does gives a vendor one'],
  ['excludeIfAssignedToCategory', 'wire-facts §4: categories are of the web application'],
  ['the addresses notifications come from', 'wire-facts §2.5, §11: the list is not published'],
];
