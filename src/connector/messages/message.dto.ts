import { ApiProperty } from '@nestjs/swagger';

export class MessageResponse {
  @ApiProperty({ description: 'stable; names the text in every language', example: 'issue.account' })
  readonly code!: string;
  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    description: 'what stands in the text',
    example: { reference: '6420', named: '6420 (Software)' },
  })
  readonly parameters!: Readonly<Record<string, string | number>>;
  @ApiProperty({ description: 'in the language of `Accept-Language`: English or German' }) readonly text!: string;
}
