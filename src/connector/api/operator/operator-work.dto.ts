import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsUUID } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';
import { PageQuery, PageResponse } from '../http/page.dto.js';

export class DeadLettersQuery extends PageQuery {
  @ApiPropertyOptional({ format: 'uuid', description: 'id of an installation: only its dead letters' })
  @OptionalField()
  @IsUUID()
  readonly customer?: string;
}

export class DeadLetterResponse {
  @ApiProperty() readonly id!: string;
  @ApiProperty({
    enum: ['task', 'message'],
    description:
      'task: its attempts were used up · message: signed by the platform, but not understood or not assigned',
  })
  readonly kind!: string;
  @ApiProperty({ format: 'uuid' }) readonly installationId!: string;
  @ApiProperty() readonly companyName!: string;
  @ApiProperty({ description: 'kind of the task, or why the message was quarantined' }) readonly subject!: string;
  @ApiProperty({ type: String, nullable: true, description: 'what the last attempt of a task failed with' })
  readonly problem!: string | null;
  @ApiProperty({ description: 'how often attempts were used up, or the message came' }) readonly times!: number;
  @ApiProperty({ format: 'date-time' }) readonly at!: Date;
}

export class DeadLettersResponse extends PageResponse {
  @ApiProperty({ type: [DeadLetterResponse], description: 'newest first' })
  readonly data!: readonly DeadLetterResponse[];
}

export class DeadLetterReplayResponse {
  @ApiProperty({
    enum: ['sent', 'stored', 'duplicate', 'requeued', 'quarantined'],
    description:
      'sent: the task is in the queue · stored: the message is accepted · duplicate: it was accepted before · quarantined: it is quarantined again',
  })
  readonly outcome!: string;
}

export class WorkerResponse {
  @ApiProperty({ format: 'uuid' }) readonly id!: string;
  @ApiProperty() readonly host!: string;
  @ApiProperty() readonly pid!: number;
  @ApiProperty({ format: 'date-time' }) readonly startedAt!: Date;
  @ApiProperty({ format: 'date-time' }) readonly lastBeatAt!: Date;
  @ApiProperty({ description: 'tasks that it does now' }) readonly running!: number;
  @ApiProperty({
    enum: ['working', 'draining', 'drained', 'gone'],
    description: 'draining: takes nothing more · drained: can be stopped · gone: has said nothing for half a minute',
  })
  readonly state!: string;
  @ApiProperty({ type: String, nullable: true }) readonly drainRequestedBy!: string | null;
  @ApiProperty({ type: String, format: 'date-time', nullable: true }) readonly drainRequestedAt!: Date | null;
}

export class WorkersResponse {
  @ApiProperty({ type: [WorkerResponse], description: 'of the last seven days, at most 200' })
  readonly data!: readonly WorkerResponse[];
}
