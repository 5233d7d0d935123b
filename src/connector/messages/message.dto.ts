import { field, shape } from '../../foundation/http/shape.js';

export class MessageResponse extends shape({
  code: field.text({ description: 'stable; names the text in every language', example: 'issue.account' }),
  parameters: field.of<Readonly<Record<string, string | number>>>({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    description: 'what stands in the text',
    example: { reference: '6420', named: '6420 (Software)' },
  }),
  text: field.text('in the language of `Accept-Language`: English or German'),
}) {}
