import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';

const ROLES = ['viewer', 'bookkeeper', 'admin'] as const;

export class InstallationsQuery {
  @ApiPropertyOptional({ minimum: 1, maximum: 1000, default: 100 })
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(1_000)
  readonly limit: number = 100;
}

export class InstallationResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ format: 'uuid' }) readonly companyId!: string;
  @ApiProperty() readonly companyName!: string;
  @ApiProperty({ enum: ['authorised', 'active', 'needs_reauthorisation', 'uninstalled'] })
  readonly state!: string;
  @ApiProperty({ format: 'date-time' }) readonly createdAt!: Date;
}

export class InstallationsResponse {
  @ApiProperty({ type: [InstallationResponse] }) readonly data!: readonly InstallationResponse[];
}

export class ApiTokenRequest {
  @ApiProperty({ enum: ROLES })
  @IsIn(ROLES)
  readonly role!: (typeof ROLES)[number];

  @ApiProperty({ description: 'what the token is for', maxLength: 100 })
  @IsString()
  @IsNotEmpty()
  @MaxLength(100)
  readonly label!: string;

  @ApiPropertyOptional({ description: 'days until it expires', minimum: 1, maximum: 366, default: 90 })
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(366)
  readonly days: number = 90;
}

export class ApiTokenResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ description: 'shown only now' }) readonly token!: string;
  @ApiProperty({ enum: ROLES }) readonly role!: string;
  @ApiProperty({ format: 'date-time' }) readonly expiresAt!: Date;
}
