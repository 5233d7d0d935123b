import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { PageQuery, PageResponse } from '../http/page.dto.js';

const ITEM_STATES = ['pending', 'successful', 'failed'] as const;

export class ItemQuery extends PageQuery {
  @ApiPropertyOptional({ enum: ITEM_STATES })
  @OptionalField()
  @IsIn(ITEM_STATES)
  readonly state?: (typeof ITEM_STATES)[number];
}

export class JobResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ format: 'uuid' }) readonly companyId!: string;
  @ApiProperty({
    enum: [
      'detected',
      'running',
      'verdict_decided',
      'completed',
      'completed_with_errors',
      'failed',
      'expired',
      'closed_by_platform',
    ],
  })
  readonly state!: string;
  @ApiProperty() readonly numberOfItems!: number;
  @ApiProperty() readonly successful!: number;
  @ApiProperty() readonly failed!: number;
  @ApiProperty({ type: Number, nullable: true }) readonly mappingVersion!: number | null;
  @ApiProperty({ format: 'date-time' }) readonly detectedAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly startedAt!: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly finishedAt!: Date | null;
  @ApiProperty({ format: 'date-time', description: 'by the platform’s clock' }) readonly expiresAt!: Date;
  @ApiProperty({ type: String, nullable: true }) readonly failureType!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'what a bookkeeper can do about it' })
  readonly failureReason!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'said when it began: that it cannot end in time at the accounting system’s limit, with the figures',
  })
  readonly notice!: string | null;
}

export class ItemResponse {
  @ApiProperty() readonly position!: number;
  @ApiProperty({ format: 'uuid' }) readonly accountingEntryId!: string;
  @ApiProperty({ enum: ITEM_STATES }) readonly state!: string;
  @ApiProperty({ type: String, nullable: true, description: 'id of the journal entry in the ERP' })
  readonly externalId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly externalUrl!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly exportedAt!: Date | null;
  @ApiProperty({ type: String, nullable: true }) readonly failureType!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'what a bookkeeper can do about it' })
  readonly failureReason!: string | null;
  @ApiProperty({ type: [String] }) readonly warnings!: readonly string[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly reportedAt!: Date | null;
  @ApiProperty({ type: String, nullable: true, description: 'why the platform did not take the result' })
  readonly reportProblem!: string | null;
}

export class JobsResponse extends PageResponse {
  @ApiProperty({ type: [JobResponse] }) readonly data!: readonly JobResponse[];
}

export class ItemsResponse extends PageResponse {
  @ApiProperty({ type: [ItemResponse] }) readonly data!: readonly ItemResponse[];
}
