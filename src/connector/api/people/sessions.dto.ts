import { ApiProperty } from '@nestjs/swagger';

export class SessionResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ description: 'in words, from what the browser says of itself', example: 'Firefox on Windows' })
  readonly device!: string;
  @ApiProperty({ description: 'IP address of the sign-in' }) readonly address!: string;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ format: 'date-time', description: 'to the minute' }) readonly lastUsedAt!: Date;
  @ApiProperty({ description: 'whether it is the session of this request' }) readonly current!: boolean;
}

export class SessionsResponse {
  @ApiProperty({ type: [SessionResponse], description: 'newest first, at most 100' })
  readonly data!: readonly SessionResponse[];
}

export class EndedSessionsResponse {
  @ApiProperty({ description: 'how many sessions were ended' }) readonly ended!: number;
}
