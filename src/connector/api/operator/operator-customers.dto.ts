import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsString, MaxLength, MinLength } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { CONCERNS, type Concern } from '../../operations/customer.reader.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';

export class CustomersQuery extends LongPageQuery {
  @ApiPropertyOptional({
    minLength: 1,
    maxLength: 100,
    description: 'part of the company’s name, or the id of the installation or of its company',
  })
  @OptionalField()
  @IsString()
  @MinLength(1)
  @MaxLength(100)
  readonly search?: string;

  @ApiPropertyOptional({
    enum: CONCERNS,
    description:
      'near-expiry: an export ends within 15 minutes · stuck: one is due for five minutes and nobody works on it, or it fails again and again · uncertain: a posting of which nobody knows whether it is in the books · failed-tasks: all attempts were used up · discrepancies: some are open · authorization-lost: the platform or the ERP refuses the connection · paused: by an operator',
  })
  @OptionalField()
  @IsIn(CONCERNS)
  readonly concern?: Concern;
}

export class CustomerResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ format: 'uuid' }) readonly companyId!: string;
  @ApiProperty() readonly companyName!: string;
  @ApiProperty({ enum: ['authorized', 'active', 'needs_reauthorization', 'uninstalled'] }) readonly state!: string;
  @ApiProperty({ type: Date, format: 'date-time', nullable: true }) readonly pausedAt!: Date | null;
  @ApiProperty() readonly openJobs!: number;
  @ApiProperty() readonly stuckJobs!: number;
  @ApiProperty({
    type: Date,
    format: 'date-time',
    nullable: true,
    description: 'of its open jobs, by the platform’s clock',
  })
  readonly nearestExpiry!: Date | null;
  @ApiProperty({ description: 'at most 1,000 are counted' }) readonly uncertainPostings!: number;
  @ApiProperty({ description: 'at most 1,000 are counted' }) readonly failedTasks!: number;
  @ApiProperty({ description: 'open ones, at most 1,000 are counted' }) readonly discrepancies!: number;
  @ApiProperty() readonly authorizationLost!: boolean;
  @ApiProperty({ type: Date, format: 'date-time', nullable: true }) readonly lastExportAt!: Date | null;
  @ApiProperty({ type: String, nullable: true }) readonly lastExportState!: string | null;
}

export class CustomersResponse extends PageResponse {
  @ApiProperty({ type: [CustomerResponse], description: 'by name; without those that are uninstalled' })
  readonly data!: readonly CustomerResponse[];
}

export class CustomerJobResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ enum: ['detected', 'running', 'verdict_decided'] }) readonly state!: string;
  @ApiProperty() readonly items!: number;
  @ApiProperty() readonly successful!: number;
  @ApiProperty() readonly failed!: number;
  @ApiProperty({ format: 'date-time' }) readonly detectedAt!: Date;
  @ApiProperty({ format: 'date-time', description: 'by the platform’s clock' }) readonly expiresAt!: Date;
  @ApiProperty({ description: 'until then; negative when it is over' }) readonly secondsLeft!: number;
  @ApiProperty() readonly attempts!: number;
  @ApiProperty({ format: 'date-time', description: 'when a worker may look at it next' }) readonly nextRunAt!: Date;
  @ApiProperty() readonly stuck!: boolean;
}

export class PauseResponse {
  @ApiProperty({ format: 'date-time' }) readonly at!: Date;
  @ApiProperty({ description: 'as in the audit log' }) readonly by!: string;
  @ApiProperty() readonly reason!: string;
}

export class CustomerErpResponse {
  @ApiProperty() readonly kind!: string;
  @ApiProperty({ enum: ['ok', 'needs-reauthorization'] }) readonly state!: string;
  @ApiProperty({ type: String, nullable: true }) readonly problem!: string | null;
}

export class CustomerDetailResponse extends CustomerResponse {
  @ApiProperty({ type: PauseResponse, nullable: true }) readonly pause!: PauseResponse | null;
  @ApiProperty({ type: String, nullable: true, description: 'why connecting does not go on' })
  readonly connectionProblem!: string | null;
  @ApiProperty({ type: CustomerErpResponse, nullable: true }) readonly erp!: CustomerErpResponse | null;
  @ApiProperty({ type: [CustomerJobResponse], description: 'that have not ended, the nearest end first, at most 100' })
  readonly jobs!: readonly CustomerJobResponse[];
}

export class PauseRequest {
  @ApiProperty({ minLength: 1, maxLength: 300, description: 'in words that the customer reads in a verdict' })
  @IsString()
  @MinLength(1)
  @MaxLength(300)
  readonly reason!: string;
}
