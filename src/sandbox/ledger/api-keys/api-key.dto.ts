import { ApiProperty } from '@nestjs/swagger';

export class ApiKeyDto {
  @ApiProperty({ format: 'uuid' })
  readonly id!: string;

  @ApiProperty({ format: 'date-time', type: String })
  readonly createdAt!: Date;
}

export class CreatedApiKeyDto extends ApiKeyDto {
  @ApiProperty({ description: 'the key itself, shown this once' })
  readonly apiKey!: string;
}

export class ApiKeysDto {
  @ApiProperty({ type: [ApiKeyDto], maxItems: 20 })
  readonly data!: readonly ApiKeyDto[];
}
