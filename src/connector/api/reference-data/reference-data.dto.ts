import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsString,
  IsUUID,
  Length,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { SYNC_ACTIONS, SYNC_KINDS, SYNC_SUBJECTS, type SyncKind } from '../../reference-data/domain/sync-plan.js';
import { LongPageQuery, PageResponse } from '../http/page.dto.js';

const RUN_STATES = ['requested', 'running', 'completed', 'completed_with_problems', 'needs_confirmation', 'failed'];
const REASONS = ['connected', 'schedule', 'person', 'vendor-created', 'export'];
const OUTCOMES = ['planned', 'sent', 'done', 'problem'] as const;
const WAITING_REASONS = ['ambiguous', 'already-linked', 'blocked', 'unknown', 'refused'];
const DECISIONS = ['link', 'create', 'archive'] as const;
const MAX_CODES = 5;
const MAX_ARCHIVES = 10_000_000;

export class SyncRunsRequest {
  @ApiProperty({
    enum: SYNC_KINDS,
    isArray: true,
    maxItems: SYNC_KINDS.length,
    description: 'parts of the reference data, each a run of its own',
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(SYNC_KINDS.length)
  @ArrayUnique()
  @IsIn(SYNC_KINDS, { each: true })
  readonly kinds!: readonly SyncKind[];

  @ApiPropertyOptional({ default: false, description: 'true: only planned, nothing is changed anywhere' })
  @OptionalField()
  @IsBoolean()
  readonly preview: boolean = false;

  @ApiPropertyOptional({
    default: 0,
    minimum: 0,
    maximum: MAX_ARCHIVES,
    description:
      'so many records of a list may be archived, even if it is more than a fifth: as a run with the state needs_confirmation says',
  })
  @OptionalField()
  @IsInt()
  @Min(0)
  @Max(MAX_ARCHIVES)
  readonly confirmedArchives: number = 0;
}

export class SyncRunsQuery extends LongPageQuery {
  @ApiPropertyOptional({ enum: SYNC_KINDS })
  @OptionalField()
  @IsIn(SYNC_KINDS)
  readonly kind?: SyncKind;
}

export class SyncRecordsQuery extends LongPageQuery {
  @ApiPropertyOptional({ enum: OUTCOMES })
  @OptionalField()
  @IsIn(OUTCOMES)
  readonly outcome?: (typeof OUTCOMES)[number];
}

export class SyncCountsResponse {
  @ApiProperty() readonly created!: number;
  @ApiProperty() readonly updated!: number;
  @ApiProperty() readonly archived!: number;
  @ApiProperty() readonly unarchived!: number;
  @ApiProperty() readonly activated!: number;
  @ApiProperty({ description: 'vendors of the platform that were created in the ERP' })
  readonly createdInErp!: number;
  @ApiProperty({ description: 'differences that need a person' })
  readonly problems!: number;
}

export class SyncRunResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty({ enum: SYNC_KINDS }) readonly kind!: SyncKind;
  @ApiProperty() readonly isPreview!: boolean;
  @ApiProperty({ enum: REASONS, description: 'why it was requested' }) readonly reason!: string;
  @ApiProperty({ enum: RUN_STATES }) readonly state!: string;
  @ApiProperty({ format: 'date-time' }) readonly requestedAt!: Date;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly startedAt!: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly finishedAt!: Date | null;
  @ApiProperty({ type: Number, nullable: true, description: 'from start to end' })
  readonly durationMs!: number | null;
  @ApiProperty({ type: SyncCountsResponse }) readonly counts!: SyncCountsResponse;
  @ApiProperty({ type: String, nullable: true, description: 'what a bookkeeper can do about it' })
  readonly failure!: string | null;
}

export class SyncRunsResponse extends PageResponse {
  @ApiProperty({ type: [SyncRunResponse] }) readonly data!: readonly SyncRunResponse[];
}

export class RequestedSyncRunsResponse {
  @ApiProperty({
    type: [SyncRunResponse],
    description: 'in the order of the kinds; an open run is returned as it is',
  })
  readonly data!: readonly SyncRunResponse[];
}

export class SyncRecordResponse {
  @ApiProperty() readonly seq!: number;
  @ApiProperty({ enum: SYNC_SUBJECTS }) readonly subject!: string;
  @ApiProperty({
    enum: SYNC_ACTIONS,
    nullable: true,
    description: 'null: nothing was changed, there is a problem',
  })
  readonly action!: string | null;
  @ApiProperty({ description: 'the ERP’s key; of a tag with its dimension before it' }) readonly key!: string;
  @ApiProperty() readonly name!: string;
  @ApiProperty({ enum: OUTCOMES, description: '"sent": the outcome is not known yet' })
  readonly outcome!: string;
  @ApiProperty({ type: String, nullable: true, description: 'what a bookkeeper can do about it' })
  readonly detail!: string | null;
}

export class SyncRecordsResponse extends PageResponse {
  @ApiProperty({ type: [SyncRecordResponse] }) readonly data!: readonly SyncRecordResponse[];
}

export class DimensionResponse {
  @ApiProperty() readonly code!: string;
  @ApiProperty() readonly name!: string;
  @ApiProperty() readonly active!: boolean;
  @ApiProperty({ description: 'active values' }) readonly values!: number;
  @ApiProperty({ description: 'it is a tag group on the platform' }) readonly isChosen!: boolean;
}

export class DimensionsResponse {
  @ApiProperty({ description: '0 before the first choice' }) readonly version!: number;
  @ApiProperty({
    type: [String],
    nullable: true,
    description: 'null before the first choice: no tag group is changed',
  })
  readonly chosen!: readonly string[] | null;
  @ApiProperty({ type: String, nullable: true }) readonly chosenBy!: string | null;
  @ApiProperty({ type: [DimensionResponse], maxItems: 1_000 })
  readonly dimensions!: readonly DimensionResponse[];
}

export class DimensionsRequest {
  @ApiProperty({ type: [String], maxItems: MAX_CODES, description: 'codes of active dimensions of the ERP' })
  @IsArray()
  @ArrayMaxSize(MAX_CODES)
  @ArrayUnique((code: unknown) => (typeof code === 'string' ? code.trim().toLowerCase() : code))
  @IsString({ each: true })
  @Length(1, 255, { each: true })
  readonly codes!: readonly string[];
}

export class ChosenDimensionsResponse {
  @ApiProperty() readonly version!: number;
  @ApiProperty({ type: [String] }) readonly chosen!: readonly string[];
}

export class VendorCandidateResponse {
  @ApiProperty() readonly number!: string;
  @ApiProperty() readonly name!: string;
  @ApiProperty({ type: String, nullable: true }) readonly country!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly taxNumber!: string | null;
  @ApiProperty({ description: 'false: blocked or archived in the ERP' }) readonly usable!: boolean;
}

export class VendorMatchResponse {
  @ApiProperty({ format: 'uuid' }) readonly platformVendorId!: string;
  @ApiProperty() readonly name!: string;
  @ApiProperty({ enum: WAITING_REASONS }) readonly reason!: string;
  @ApiProperty({ type: String, nullable: true, description: 'why the ERP refused the vendor' })
  readonly detail!: string | null;
  @ApiProperty({ type: [VendorCandidateResponse], description: 'candidates of the ERP' })
  readonly candidates!: readonly VendorCandidateResponse[];
  @ApiProperty({ format: 'date-time' }) readonly changedAt!: Date;
}

export class VendorMatchesResponse extends PageResponse {
  @ApiProperty({ type: [VendorMatchResponse] }) readonly data!: readonly VendorMatchResponse[];
}

export class VendorDecisionRequest {
  @ApiProperty({
    enum: DECISIONS,
    description:
      'link: it is this vendor of the ERP · create: a new one in the ERP · archive: it is not wanted on the platform',
  })
  @IsIn(DECISIONS)
  readonly decision!: (typeof DECISIONS)[number];

  @ApiPropertyOptional({ description: 'number of the ERP’s vendor; for "link" only' })
  @ValidateIf((body: VendorDecisionRequest) => body.decision === 'link' || body.erpVendorNumber !== undefined)
  @IsString()
  @Length(1, 255)
  readonly erpVendorNumber?: string;
}

export class CompaniesQuery {
  @ApiPropertyOptional({ description: 'part of the name or of the registration number', default: '' })
  @OptionalField()
  @IsString()
  @MaxLength(200)
  readonly search: string = '';

  @ApiPropertyOptional({ format: 'uuid', description: 'only companies of this organization' })
  @OptionalField()
  @IsUUID()
  readonly organizationId?: string;
}

export class CompanyResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty() readonly name!: string;
  @ApiProperty({ type: String, nullable: true }) readonly registrationNumber!: string | null;
  @ApiProperty({ type: String, nullable: true }) readonly country!: string | null;
}

export class CompaniesResponse {
  @ApiProperty({ type: [CompanyResponse], maxItems: 50 }) readonly data!: readonly CompanyResponse[];
}
