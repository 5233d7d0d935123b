import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDateString, IsIn, IsInt, IsNotEmpty, IsString, IsUUID, Max, MaxLength, Min } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { MessageResponse } from '../../messages/message.dto.js';
import { DISCREPANCY_CLASSES } from '../../reconciliation/domain/discrepancy-class.js';
import { MONEY_OR_NULL, type MoneyResponse } from '../http/money.dto.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';

export const MAX_NOTE_LENGTH = 1_000;
const STATES = ['open', 'accepted', 'repaired'] as const;
const ACTIONS = ['accept', 'reverse', 're-export'] as const;

export class ReconciliationRunResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ enum: ['period', 'job'] }) readonly kind!: string;
  @ApiProperty({ enum: ['schedule', 'person', 'job'] }) readonly reason!: string;
  @ApiProperty({ enum: ['requested', 'running', 'completed', 'failed'] }) readonly state!: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) readonly exportJobId!: string | null;
  @ApiProperty({
    format: 'date-time',
    description: 'start, inclusive, by the creation of the job on the platform',
  })
  readonly from!: Date;
  @ApiProperty({ format: 'date-time', description: 'end, exclusive' }) readonly until!: Date;
  @ApiProperty({ format: 'date-time' }) readonly requestedAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly startedAt!: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly finishedAt!: Date | null;
  @ApiProperty({ description: 'jobs compared' }) readonly jobs!: number;
  @ApiProperty({ description: 'items compared' }) readonly items!: number;
  @ApiProperty({ description: 'discrepancies seen, those repaired at once included' })
  readonly discrepancies!: number;
  @ApiProperty() readonly repaired!: number;
  @ApiProperty({ type: String, nullable: true, description: 'what can be done about it' })
  readonly failure!: string | null;
}

export class ReconciliationResponse extends PageResponse {
  @ApiProperty({
    type: String,
    nullable: true,
    example: 'Europe/Copenhagen',
    description: 'of the nightly run',
  })
  readonly timeZone!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly nextRunAt!: Date | null;
  @ApiProperty({ description: 'days after which an open discrepancy raises an alert' })
  readonly alertAfterDays!: number;
  @ApiProperty() readonly openDiscrepancies!: number;
  @ApiProperty({ description: 'open for longer than that' }) readonly overdueDiscrepancies!: number;
  @ApiProperty({ type: [ReconciliationRunResponse], description: 'newest first' })
  readonly data!: readonly ReconciliationRunResponse[];
}

export class ReconciliationRequest {
  @ApiPropertyOptional({ format: 'uuid', description: 'only this job' })
  @OptionalField()
  @IsUUID()
  readonly exportJobId?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'start, inclusive, by the creation of the job on the platform',
  })
  @OptionalField()
  @IsDateString({ strict: true })
  @MaxLength(40)
  readonly from?: string;

  @ApiPropertyOptional({ format: 'date-time', description: 'end, exclusive; both or neither' })
  @OptionalField()
  @IsDateString({ strict: true })
  @MaxLength(40)
  readonly until?: string;
}

export class RequestedReconciliationResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
}

export class ReconciliationSettingsRequest {
  @ApiProperty({
    minimum: 1,
    maximum: 365,
    description: 'days after which an open discrepancy raises an alert',
  })
  @IsInt()
  @Min(1)
  @Max(365)
  readonly alertAfterDays!: number;
}

export class DiscrepanciesQuery extends LongPageQuery {
  @ApiPropertyOptional({ enum: STATES, default: 'open' })
  @OptionalField()
  @IsIn(STATES)
  readonly state: (typeof STATES)[number] = 'open';

  @ApiPropertyOptional({ enum: DISCREPANCY_CLASSES })
  @OptionalField()
  @IsIn(DISCREPANCY_CLASSES)
  readonly class?: (typeof DISCREPANCY_CLASSES)[number];
}

export class DiscrepancyEvidence {
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) readonly platform!: unknown;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true, description: 'of the connector' })
  readonly record!: unknown;
  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true }) readonly erp!: unknown;
  @ApiPropertyOptional({ description: 'why the ERP refused the action, and what to do' })
  readonly refusal?: string;
}

export class DiscrepancyResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ enum: DISCREPANCY_CLASSES }) readonly class!: string;
  @ApiProperty({ type: MessageResponse, description: 'what differs' }) readonly message!: MessageResponse;
  @ApiProperty({ description: 'an accounting entry, a job, or a key of the ERP' }) readonly subject!: string;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) readonly accountingEntryId!: string | null;
  @ApiProperty({ type: String, format: 'uuid', nullable: true }) readonly exportJobId!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly erpCompanyId!: string | null;
  @ApiProperty({ type: DiscrepancyEvidence }) readonly evidence!: DiscrepancyEvidence;
  @ApiProperty({ type: String, nullable: true, example: 'EUR' }) readonly currency!: string | null;
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'left unexplained, in main units',
    example: '125.00',
  })
  readonly amount!: string | null;
  @ApiProperty({ ...MONEY_OR_NULL, description: 'left unexplained' })
  readonly money!: MoneyResponse | null;
  @ApiProperty({ enum: STATES }) readonly state!: string;
  @ApiProperty({ format: 'date-time' }) readonly firstSeenAt!: Date;
  @ApiProperty({ format: 'date-time' }) readonly lastSeenAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly settledAt!: Date | null;
  @ApiProperty({ type: String, nullable: true }) readonly settledBy!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'what was done' })
  readonly settledAs!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly note!: string | null;
  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'of the requested re-export',
  })
  readonly reexportId!: string | null;
  @ApiProperty({ enum: ACTIONS, isArray: true, description: 'what can be done about it' })
  readonly actions!: readonly string[];
}

export class DiscrepanciesResponse extends PageResponse {
  @ApiProperty({ type: [DiscrepancyResponse] }) readonly data!: readonly DiscrepancyResponse[];
}

export class DiscrepancyActionRequest {
  @ApiProperty({ enum: ACTIONS })
  @IsIn(ACTIONS)
  readonly action!: (typeof ACTIONS)[number];

  @ApiProperty({ maxLength: MAX_NOTE_LENGTH, description: 'why, for the record' })
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_NOTE_LENGTH)
  readonly note!: string;
}
