import { ApiProperty } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { ROLES, type Role } from '../../access/domain/role.js';
import { MoneyResponse } from '../http/money.dto.js';

export class MyInstallationResponse {
  @ApiProperty({ format: 'uuid' }) readonly installationId!: string;
  @ApiProperty({ example: 'Example ApS' }) readonly companyName!: string;
  @ApiProperty({ enum: ROLES }) readonly role!: Role;
  @ApiProperty({ description: 'whether it is the one of this request' }) readonly current!: boolean;
  @ApiProperty({
    enum: ['authorized', 'active', 'needs_reauthorization'],
    description: 'of the connection to the platform',
  })
  readonly connection!: string;
  @ApiProperty({ description: 'open issues, postings in doubt and discrepancies', example: 3 })
  readonly needsAttention!: number;
  @ApiProperty({ description: 'entries that open issues block', example: 12 }) readonly failedEntries!: number;
  @ApiProperty({ type: [MoneyResponse], description: 'what open issues hold back, by currency' })
  readonly amounts!: readonly MoneyResponse[];
}

export class MyInstallationsResponse {
  @ApiProperty({ type: [MyInstallationResponse], description: 'by name, at most 50' })
  readonly data!: readonly MyInstallationResponse[];
}

export class SwitchInstallationRequest {
  @ApiProperty({ format: 'uuid' })
  @IsUUID()
  readonly installationId!: string;
}
