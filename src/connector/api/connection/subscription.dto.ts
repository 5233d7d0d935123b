import { ApiProperty } from '@nestjs/swagger';
import { IsIn } from 'class-validator';

const STATUSES = ['ACTIVE', 'INACTIVE'] as const;

export class SubscriptionRequest {
  @ApiProperty({
    enum: STATUSES,
    description: 'INACTIVE: the platform sends nothing; new jobs are then found by polling, within minutes',
  })
  @IsIn(STATUSES)
  readonly status!: (typeof STATUSES)[number];
}

export class SubscriptionResponse {
  @ApiProperty({ type: String, format: 'uuid', nullable: true, description: 'null before it is created' })
  readonly platformSubscriptionId!: string | null;
  @ApiProperty({ enum: STATUSES }) readonly wantedStatus!: string;
  @ApiProperty({ type: String, nullable: true, description: 'as the platform last said' })
  readonly confirmedStatus!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly confirmedAt!: Date | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true })
  readonly secretSince!: Date | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'until then messages signed with the previous secret are accepted as well',
  })
  readonly previousSecretUntil!: Date | null;
  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'while a rotation is in progress',
  })
  readonly rotationRequestedAt!: Date | null;
}
