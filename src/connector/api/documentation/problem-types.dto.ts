import { field, shape, shapeWith } from '../../../foundation/http/shape.js';
import { ReexportResponse } from '../issues/issue-resolutions.dto.js';

export class ProblemTypeResponse extends shape({
  name: field.text({ example: 'version-changed' }),
  type: field.text({ description: '`type` of the problem', example: 'urn:problem:version-changed' }),
  status: field.number({ description: 'HTTP status', example: 412 }),
  title: field.text({ example: 'Precondition failed' }),
  remedy: field.text('what a client does about it'),
}) {}

export class ProblemTypesResponse extends shape({
  data: field.many(ProblemTypeResponse, 'by name'),
}) {}

export class InvalidValueResponse extends shape({
  pointer: field.text({ description: 'JSON pointer (RFC 6901); not of a file', example: '/rule/target' }).optional(),
  line: field.number({ description: 'of a file: where it is, from 1', example: 3 }).optional(),
  column: field.text('of a file: name of the column').nullable().optional(),
  detail: field.text({ example: 'should not be empty' }),
  code: field.text('of some: the kind of error').optional(),
}) {}

export class ProblemCompanyResponse extends shape({
  id: field.uuid(),
  name: field.text({ example: 'Example ApS' }),
}) {}

export class PreviewChangeResponse extends shape({
  what: field.oneOf(
    ['mapping-version', 'setting', 'rule', 'erp-company', 'item', 'outcome', 'books', 'entries'],
    'item: what the platform says of the entry · outcome: whether it can be posted · books: whether it is in the books · entries: what would be posted',
  ),
  accountingEntryId: field.uuid().nullable(),
  pointer: field.text('JSON pointer into the settings or the planned entries; the number of a rule').nullable(),
  before: field.text().nullable(),
  after: field.text().nullable(),
}) {}

/** RFC 9457 §3.2: a problem of the named type has them beside those that all have. */
export class ProblemMembersResponse extends shape({
  changes: field.many(PreviewChangeResponse, 'of preview-outdated: the first 100').optional(),
  moreChanges: field.flag('of preview-outdated: whether there are more than these').optional(),
  companies: field.many(ProblemCompanyResponse, 'of company-needed: the first 100 to choose from').optional(),
  errorCount: field
    .number('of invalid-rules and payload-too-large: mistakes of the file; `errors` has the first 100')
    .optional(),
  missingEntries: field.number('of month-incomplete').optional(),
  openDiscrepancies: field.number('of month-discrepant').optional(),
  reexport: field.one(ReexportResponse, 'of resolution-in-progress').optional(),
  removedInUse: field.texts('of confirmation-needed: the first 100 rules').optional(),
  signInAt: field.text('of sign-in-again: address of a new sign-in').optional(),
}) {}

/** RFC 9457, as the API writes it. */
export class ProblemResponse extends shapeWith(ProblemMembersResponse, {
  type: field.text({ description: '`/problems/<name>` says more', example: 'urn:problem:version-changed' }),
  title: field.text({ example: 'Precondition failed' }),
  status: field.number({ example: 412 }),
  detail: field.text('what is wrong and what to do about it, as the title in the language of the reader'),
  instance: field.text({ description: 'names the request in the log', example: 'urn:request:0198c0de-…' }),
  errors: field.many(InvalidValueResponse).optional(),
}) {}
