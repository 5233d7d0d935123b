import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

export class ProblemTypeResponse {
  @ApiProperty({ example: 'version-changed' }) readonly name!: string;
  @ApiProperty({ description: '`type` of the problem', example: 'urn:problem:version-changed' })
  readonly type!: string;
  @ApiProperty({ description: 'HTTP status', example: 412 }) readonly status!: number;
  @ApiProperty({ example: 'Precondition failed' }) readonly title!: string;
  @ApiProperty({ description: 'what a client does about it' }) readonly remedy!: string;
}

export class ProblemTypesResponse {
  @ApiProperty({ type: [ProblemTypeResponse], description: 'by name' })
  readonly data!: readonly ProblemTypeResponse[];
}

export class InvalidValueResponse {
  @ApiProperty({ description: 'JSON pointer (RFC 6901)', example: '/rule/target' }) readonly pointer!: string;
  @ApiProperty({ example: 'should not be empty' }) readonly detail!: string;
  @ApiPropertyOptional({ description: 'of some: the kind of error' }) readonly code?: string;
}

/** RFC 9457, as the API writes it; some types have further members. */
export class ProblemResponse {
  @ApiProperty({ description: '`/problems/<name>` says more', example: 'urn:problem:version-changed' })
  readonly type!: string;
  @ApiProperty({ example: 'Precondition failed' }) readonly title!: string;
  @ApiProperty({ example: 412 }) readonly status!: number;
  @ApiProperty({ description: 'what is wrong and what to do about it, as the title in the language of the reader' })
  readonly detail!: string;
  @ApiProperty({ description: 'names the request in the log', example: 'urn:request:0198c0de-…' })
  readonly instance!: string;
  @ApiPropertyOptional({ type: [InvalidValueResponse] }) readonly errors?: readonly InvalidValueResponse[];
}
