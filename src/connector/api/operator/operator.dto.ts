import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, Max, Min } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { NumberInDigits } from '../../../foundation/http/number-in-digits.js';

export class InstallationsQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 1000, default: 100 })
  @OptionalField()
  @NumberInDigits()
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly limit: number = 100;
}

export class InstallationResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ format: 'uuid' }) readonly companyId!: string;
  @ApiProperty() readonly companyName!: string;
  @ApiProperty({ enum: ['authorized', 'active', 'needs_reauthorization', 'uninstalled'] })
  readonly state!: string;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
}

export class FirstAdminCodeResponse {
  @ApiProperty({ format: 'uuid', description: 'by which it is listed and revoked' }) readonly id!: string;
  @ApiProperty({ description: 'for the customer, who enters it in the settings' }) readonly code!: string;
  @ApiProperty({ format: 'date-time' }) readonly expiresAt!: Date;
}

export class FirstAdminCodeSummaryResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ description: 'as in the audit log' }) readonly madeBy!: string;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
  @ApiProperty({ format: 'date-time' }) readonly expiresAt!: Date;
}

export class FirstAdminCodesResponse {
  @ApiProperty({ type: [FirstAdminCodeSummaryResponse], description: 'newest first' })
  readonly data!: readonly FirstAdminCodeSummaryResponse[];
}

export class OperatorSessionResponse {
  @ApiProperty({ description: 'as in the audit log', example: 'operator anna' }) readonly name!: string;
}

export class InstallationsResponse {
  @ApiProperty({ type: [InstallationResponse] }) readonly data!: readonly InstallationResponse[];
}
