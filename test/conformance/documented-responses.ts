// The fields of answers in both documents, copied: those that are there always, those that may be null, those that can be asked for.
// Each of them has a row of its own.
import type { DocumentedFacts } from './documented-facts.js';

export const DOCUMENTED_RESPONSES: readonly DocumentedFacts[] = [
  [
    'a job is answered with {}',
    'P1.3',
    [
      ...['companyId', 'createdAt', 'expiresIn', 'id', 'isInteractive', 'numberOfItems', 'status'],
      'vendorBasedBookkeeping',
    ],
  ],
  ['a result is answered with {}', 'P1.6', ['accountingEntryId', 'exportJobId', 'status']],
  [
    'an export item is answered with {}',
    'P1.8',
    [
      ...['_links', 'accountingEntryId', 'accountingEntryLines', 'additionalInformation', 'amount'],
      ...['companyId', 'date', 'type'],
    ],
  ],
  ['a line of an item is answered with {}', 'P1.8', ['accountingEntryLineId', 'lineAmount', 'netAmount']],
  ['an amount of an item is answered with {}', 'P1.8', ['inSupplierCurrency', 'inWalletCurrency']],
  [
    'a subscription is answered with {}',
    'P2.1',
    ['id', 'status', 'eventTypes', 'endpointUrl', 'createdAt', 'updatedAt'],
  ],
  [
    'an activity is answered with {}',
    'P2.1',
    ['id', 'subscriptionId', 'operationType', 'actorUrn', 'description', 'createdAt'],
  ],
  [
    'an installation is answered with {}',
    'P3.6',
    ['applicationId', 'createdAt', 'id', 'metadata', 'resource', 'status', 'updatedAt'],
  ],
  ['an account is answered with {}', 'P4', ['archived', 'companyId', 'externalId', 'id', 'name']],
  [
    'a tax code is answered with {}',
    'P5',
    ['archived', 'companyId', 'name', 'rate', 'type', 'id', 'createdAt', 'updatedAt'],
  ],
  ['a vendor is answered with {}', 'P6', ['companyId', 'defaultCurrency', 'id', 'name', 'state']],
  ['a company is answered with {}', 'P8', ['address', 'id', 'name']],
  ['an amount of money is answered with {}', 'P1.8', ['currency', 'value']],
  ['the account of a line is answered with {}', 'P1.8', ['id', 'name']],
  ['a tag of a line is answered with {}', 'P1.8', ['id', 'code', 'groupCode']],
  ['the tax of a line is answered with {}', 'P1.8', ['amount', 'id', 'rate', 'type']],
  ['the vendor of an item is answered with {}', 'P1.8', ['id', 'name', 'defaultCurrency']],
  ['the contra account of an item is answered with {}', 'P1.8', ['id', 'name']],
  ['the user of an item is answered with {}', 'P1.8', ['id', 'name']],
  ['the team of an item is answered with {}', 'P1.8', ['id', 'name']],
  ['a file of an item is answered with {}', 'P13', ['url', 'type', 'size']],
  ['the service period of an item is answered with {}', 'P1.8', ['from', 'to']],
  ['the bookkeeping of an item is answered with {}', 'P1.8', ['method']],
  ['the additional information of an item is answered with {}', 'P1.8', ['reconciliationId']],
  ['an invoice is answered with {}', 'P1.8', ['invoiceDate', 'invoiceNumber', 'status']],
  ['the bank account of a supplier is answered with {}', 'P1.8', ['bankName', 'country']],
  ['the links of an item is answered with {}', 'P1.8', ['web', 'mobile', 'api']],
  [
    'the pagination of a list is answered with {}',
    'P0.2',
    [...['currentRequestPagination', 'hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'], 'total'],
  ],
  ['the request in a pagination is answered with {}', 'P0.2', ['parameters', 'limit', 'sortingKeys', 'sortingOrder']],
  ['the cursor of {} is returned', 'P0.2', ['after', 'before']],
  [
    'a tag group is answered with {}',
    'P7',
    ['id', 'companyId', 'name', 'code', 'archived', 'metadata', 'createdAt', 'updatedAt'],
  ],
  ['a tag is answered with {}', 'P7', ['id', 'groupId', 'name', 'code', 'archived', 'createdAt', 'updatedAt']],
  ['a dimension is answered with {}', 'P7', ['code', 'name', 'visible', 'displayOrder']],
  ['an employee is answered with {}', 'P8', ['id', 'companyId', 'email', 'firstName', 'lastName']],
  ['an error of a result is answered with {}', 'P1.6', ['accountingEntryId', 'message', 'type']],
  ['calculated tax is returned with {}', 'P5', ['gross', 'net', 'tax']],
  ['a company is returned with its {}', 'P8', ['organizationId', 'registrationNumber', 'address']],
  ['an API key is returned with {}', 'P3.1', ['authMethod', 'clientId', 'scope', 'subjectURN']],
  ['a vendor keeps its {}', 'P6', ['code', 'country', 'externalId', 'registrationNumber', 'taxRegistrationNumber']],
  ['a vendor is answered with {}', 'P6', ['createdAt', 'updatedAt']],
  ['a deleted subscription is answered with {}', 'P2.1', ['deletedAt', 'deletedBy']],
  ['a fresh job has {} with null', 'P1.3', ['createdBy', 'startedAt', 'completedAt', 'expiredAt', 'failureReason']],
  ['a fresh result has {} with null', 'P1.6', ['exportedAt', 'externalId', 'externalUrl', 'failureReason']],
  ['an account has {} with null when it is not known', 'P4', ['code', 'taxCodeExternalId', 'metadata']],
  [
    'a tax code has {} with null when it is not known',
    'P5',
    ['code', 'ingoingTaxAccount', 'outgoingTaxAccount', 'accountingIntegrationSystem'],
  ],
  [
    'a new job is announced with {}',
    'P1.3',
    [...['id', 'companyId', 'createdAt', 'createdBy', 'expiresIn', 'numberOfItems', 'status'], 'lastUpdatedAt'],
  ],
  [
    'a new vendor is announced with {}',
    'P2.3',
    [
      ...['id', 'companyId', 'name', 'country', 'registrationNumber', 'taxRegistrationNumber', 'code'],
      ...['state', 'defaultCurrency', 'createdBy', 'createdAt', 'updatedAt', 'deletedAt'],
    ],
  ],
  ['accounts are found by {}', 'P4', ['archived', 'code', 'codes', 'externalId', 'ids', 'name']],
  ['tax codes are found by {}', 'P5', ['archived', 'code', 'taxCodeIds', 'type']],
  [
    'vendors are found by {}',
    'P6',
    ['ids', 'codes', 'externalIds', 'countries', 'states', 'taxRegistrationNumbers', 'name'],
  ],
  ['tags are found by {}', 'P7', ['archived', 'tagIds', 'textSearch']],
  ['employees are found by {}', 'P8', ['email', 'code']],
];

/** What the documents state and nothing can show, and why. */
export const WITHOUT_ROW: readonly (readonly [fact: string, reason: string])[] = [
  ['ACCOUNTING_ENTRY_UPDATE_FAILED', 'nothing that a client can do is known to provoke it [P1.6]'],
  ['OTHER as a reason of a batch', 'what it stands for is not said [P4]'],
  ['accountingSystems in a search of vendors', 'nothing a client does gives a vendor one [P6]'],
  ['excludeIfAssignedToCategory', 'categories are of the web application [P4]'],
  ['the addresses notifications come from', 'the list is not published [P2.5, P11]'],
];
