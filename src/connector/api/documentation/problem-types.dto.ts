import { field, shape } from '../../../foundation/http/shape.js';

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
  pointer: field.text({ description: 'JSON pointer (RFC 6901)', example: '/rule/target' }),
  detail: field.text({ example: 'should not be empty' }),
  code: field.text('of some: the kind of error').optional(),
}) {}

/** RFC 9457, as the API writes it; some types have further members. */
export class ProblemResponse extends shape({
  type: field.text({ description: '`/problems/<name>` says more', example: 'urn:problem:version-changed' }),
  title: field.text({ example: 'Precondition failed' }),
  status: field.number({ example: 412 }),
  detail: field.text('what is wrong and what to do about it, as the title in the language of the reader'),
  instance: field.text({ description: 'names the request in the log', example: 'urn:request:0198c0de-…' }),
  errors: field.many(InvalidValueResponse).optional(),
}) {}
