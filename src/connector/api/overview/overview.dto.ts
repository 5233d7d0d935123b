import { ApiProperty } from '@nestjs/swagger';
import { PausedResponse } from '../connection/connection.dto.js';
import { IssueResponse } from '../issues/issues.dto.js';
import { JobResponse } from '../jobs/jobs.dto.js';
import { MoneyResponse } from '../http/money.dto.js';

export const BADGES = ['proved', 'differs', 'not-verifiable', 'waiting'] as const;
const HEALTH = ['ok', 'limited', 'action-needed', 'not-connected'] as const;

export class OpenWorkResponse {
  @ApiProperty({ example: 3 }) readonly count!: number;
  @ApiProperty({ type: [MoneyResponse], description: 'sums by currency; unknown amounts are in none' })
  readonly amounts!: readonly MoneyResponse[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'since when the oldest is open' })
  readonly oldest!: Date | null;
}

export class OpenIssuesResponse extends OpenWorkResponse {
  @ApiProperty({ description: 'entries that are blocked, each once', example: 5 }) readonly entries!: number;
  @ApiProperty({ type: [IssueResponse], description: 'the five with the greatest sums, the greatest first' })
  readonly first!: readonly IssueResponse[];
}

export class RunningJobResponse extends JobResponse {
  @ApiProperty({ description: 'until it expires; 0 when that is over', example: 2_940 })
  readonly secondsLeft!: number;
}

export class CertificateBadgeResponse {
  @ApiProperty({
    enum: BADGES,
    description:
      'proved: the ERP showed what was planned, digest by digest · differs: it did not, or discrepancies were open · not-verifiable: the ERP cannot be searched · waiting: no certificate yet',
  })
  readonly state!: (typeof BADGES)[number];
  @ApiProperty({ type: String, nullable: true, description: 'of the certificate' })
  readonly sequence!: string | null;
  @ApiProperty({ type: Number, nullable: true, description: 'journal entries that were planned', example: 142 })
  readonly planned!: number | null;
  @ApiProperty({ type: Number, nullable: true, description: 'journal entries that were read back', example: 142 })
  readonly readBack!: number | null;
  @ApiProperty({ type: Number, nullable: true, description: 'open discrepancies when it was made', example: 0 })
  readonly discrepancies!: number | null;
  @ApiProperty({
    type: [MoneyResponse],
    description: 'debits planned less debits read back, by currency; empty where nothing was read back',
  })
  readonly difference!: readonly MoneyResponse[];
}

export class EndedJobResponse extends JobResponse {
  @ApiProperty({ type: CertificateBadgeResponse }) readonly certificate!: CertificateBadgeResponse;
}

export class HealthResponse {
  @ApiProperty({ enum: HEALTH }) readonly state!: (typeof HEALTH)[number];
  @ApiProperty({ type: String, nullable: true, description: 'as people call it' }) readonly name!: string | null;
  @ApiProperty({ type: String, nullable: true, description: 'what is wrong, and who does what about it' })
  readonly problem!: string | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'of the last call that worked, where known',
  })
  readonly lastSuccessAt!: Date | null;
}

export class NextRunsResponse {
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly sync!: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly reconciliation!: Date | null;
}

export class OverviewResponse {
  @ApiProperty({ format: 'date-time', description: 'when it was read' }) readonly at!: Date;
  @ApiProperty({
    type: PausedResponse,
    nullable: true,
    description: 'while the operator of the service has paused exports; null: they are not paused',
  })
  readonly paused!: PausedResponse | null;
  @ApiProperty({ description: 'issues, postings, discrepancies and connections that need a person', example: 3 })
  readonly needsAttention!: number;
  @ApiProperty({ type: OpenIssuesResponse }) readonly issues!: OpenIssuesResponse;
  @ApiProperty({ type: OpenWorkResponse, description: 'amounts: sums of the debits' })
  readonly inDoubtPostings!: OpenWorkResponse;
  @ApiProperty({ type: OpenWorkResponse }) readonly discrepancies!: OpenWorkResponse;
  @ApiProperty({ type: [RunningJobResponse], description: 'of the newest 20 jobs, nearest deadline first' })
  readonly runningJobs!: readonly RunningJobResponse[];
  @ApiProperty({ type: [EndedJobResponse], description: 'the last five, newest first' })
  readonly lastExports!: readonly EndedJobResponse[];
  @ApiProperty({ type: NextRunsResponse, description: 'null: not planned yet' })
  readonly nextRuns!: NextRunsResponse;
  @ApiProperty({ type: HealthResponse }) readonly platform!: HealthResponse;
  @ApiProperty({ type: HealthResponse }) readonly erp!: HealthResponse;
}
