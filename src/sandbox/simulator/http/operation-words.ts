// What each operation does, in words, for the OpenAPI document.
import type { OpenAPIObject } from '@nestjs/swagger';
import { BEHAVIOR_OPERATIONS } from '../control/docs/behavior-operations.js';
import { CONTROL_OPERATIONS } from '../control/docs/control-operations.js';
import { REFERENCE_OPERATIONS } from '../control/docs/reference-operations.js';

/** By method and path; versions of an operation share their words. */
const WORDS: Readonly<Record<string, string>> = {
  'get /control/docs': 'The page that describes these operations',
  'get /control/docs.json': 'The same as JSON',
  'delete /control/failures': 'Removes all failure switches',
  'put /control/failures': 'Replaces all failure switches',
  'delete /control/webhook-failures': 'Removes all failure switches of notifications',
  'get /introspect': 'Shows what the credential opens: company, scopes, how it was issued',
  'post /chart-of-accounts': 'Creates an account of the chart',
  'post /chart-of-accounts/batch': 'Creates accounts of the chart; each fails alone, with its reasons',
  'post /chart-of-accounts:search': 'Lists accounts of the chart by filters, a page at a time',
  'get /chart-of-accounts/{accountId}': 'Shows an account of the chart',
  'put /chart-of-accounts/{accountId}': 'Replaces an account of the chart',
  'delete /chart-of-accounts/{accountId}': 'Deletes an account of the chart',
  'get /oauth/interaction/{uid}': 'The page on which a person approves an application',
  'post /oauth/interaction/{uid}': 'Takes what the person decided, and goes back to the application',
  'post /oauth/token/introspect': 'Shows whether a token is active, and what it opens',
  'get /companies': 'Lists the companies that the credential opens, a page at a time',
  'get /companies/{companyId}': 'Shows a company',
  'get /employees': 'Lists employees, a page at a time',
  'get /employees/{employeeId}': 'Shows an employee',
  'get /export-jobs': 'Lists export jobs by state, a page at a time',
  'post /export-jobs': 'Creates an export job of these accounting entries',
  'get /export-jobs/{jobId}': 'Shows an export job with its state and expiry',
  'get /export-jobs/{jobId}/items': 'Lists the items of an export job with their results, a page at a time',
  'put /export-jobs/{jobId}/items': 'Reports results of items, at most 100 in one request',
  'get /export-items': 'Lists the content of a job’s items: amounts, lines, tax, tags, a page at a time',
  'post /export-job-events': 'Reports that a job has started, completed or failed',
  'get /files/{id}/{name}': 'Downloads a file of an item by its signed address',
  'get /installations/me': 'Shows the installation of the application in the company',
  'post /installations/me': 'Begins an installation of the application in the company',
  'put /installations/me': 'Changes the installation',
  'delete /installations/me': 'Removes the installation',
  'post /installations/me:activate': 'Says that the installation is complete',
  'put /installations/completions': 'Says that the installation is complete, by its deprecated name',
  'get /subscriptions': 'Lists webhook subscriptions, a page at a time',
  'post /subscriptions': 'Creates a webhook subscription',
  'get /subscriptions/{id}': 'Shows a webhook subscription',
  'put /subscriptions/{id}': 'Replaces a webhook subscription',
  'delete /subscriptions/{id}': 'Deletes a webhook subscription',
  'get /subscriptions/{id}/secret': 'Shows the secret that its notifications are signed with',
  'get /subscriptions/{id}/activities': 'Lists who created, changed or deleted the subscription, a page at a time',
  'get /tag-groups': 'Lists the tag groups of a company or an organization',
  'post /tag-groups': 'Creates a tag group',
  'get /tag-groups/{groupId}': 'Shows a tag group',
  'put /tag-groups/{groupId}': 'Replaces a tag group',
  'delete /tag-groups/{groupId}': 'Deletes a tag group with its tags',
  'get /tag-groups/{groupId}/usage': 'Counts the accounting entries that carry each tag of a group',
  'get /tag-groups/{groupId}/tags': 'Lists the tags of a group, a page at a time',
  'post /tag-groups/{groupId}/tags': 'Creates a tag in a group',
  'get /tag-groups/{groupId}/dimensions':
    'Lists the dimensions of a tag group: what its tags say besides name and code',
  'post /tag-groups/{groupId}/dimensions': 'Adds a dimension to a tag group',
  'get /tag-groups/{groupId}/dimensions/{dimensionId}': 'Shows a dimension of a tag group',
  'put /tag-groups/{groupId}/dimensions/{dimensionId}': 'Replaces a dimension of a tag group',
  'delete /tag-groups/{groupId}/dimensions/{dimensionId}': 'Removes a dimension from a tag group',
  'get /tags': 'Lists tags of all groups, a page at a time',
  'delete /tags': 'Deletes tags by their ids',
  'post /tags/archive': 'Archives tags by their ids',
  'post /tags:search': 'Lists tags by filters, a page at a time',
  'get /tags/{tagId}': 'Shows a tag of a group',
  'put /tags/{tagId}': 'Replaces a tag',
  'delete /tags/{tagId}': 'Deletes a tag',
  'get /tags/{tagId}/dimensions': 'Lists the values of a tag in the dimensions of its group',
  'get /tags/{tagId}/dimensions/{dimensionId}': 'Shows the value of a tag in a dimension',
  'post /tags/{tagId}/dimensions/{dimensionId}': 'Gives a tag a value in a dimension',
  'put /tags/{tagId}/dimensions/{dimensionId}': 'Replaces the value of a tag in a dimension',
  'delete /tags/{tagId}/dimensions/{dimensionId}': 'Removes the value of a tag in a dimension',
  'get /aggregations/tag-groups': 'Lists tag groups with their dimensions',
  'post /aggregations/tags': 'Lists tags by filters with their groups and values, a page at a time',
  'post /tax-codes': 'Creates a tax code',
  'post /tax-codes:search': 'Lists tax codes by filters, a page at a time',
  'post /tax-codes:calculate-tax-amounts': 'Calculates net and tax of amounts by tax codes',
  'get /tax-codes/{taxCodeId}': 'Shows a tax code',
  'put /tax-codes/{taxCodeId}': 'Replaces a tax code',
  'delete /tax-codes/{taxCodeId}': 'Deletes a tax code',
  'post /vendors': 'Creates a vendor',
  'post /vendors:search': 'Lists vendors by filters, a page at a time',
  'get /vendors/{id}': 'Shows a vendor',
  'put /vendors/{id}': 'Replaces a vendor',
  'post /vendors/{id}:activate': 'Activates a draft of a vendor',
  'post /vendors/{id}:archive': 'Archives a vendor',
};

/** Gives each operation of the document its summary. */
export function describeOperations(document: OpenAPIObject): OpenAPIObject {
  const ofControl = [...CONTROL_OPERATIONS, ...REFERENCE_OPERATIONS, ...BEHAVIOR_OPERATIONS].map(
    ({ method, path, does }): readonly [string, string] => [
      `${method.toLowerCase()} ${path.replace(/\?.*$/, '')}`,
      does,
    ],
  );
  const words = new Map([...Object.entries(WORDS), ...ofControl]);
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const method of ['get', 'post', 'put', 'delete'] as const) {
      const summary = words.get(`${method} ${path.replace(/^\/v\d/, '')}`);
      if (methods[method] !== undefined && summary !== undefined) {
        methods[method].summary = summary;
      }
    }
  }
  return document;
}
