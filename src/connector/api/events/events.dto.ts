import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { OptionalField } from '../../../foundation/http/optional-field.js';

/** `<horizon>.<seconds>`, opaque to clients. */
export const EVENT_ID = /^(\d{1,19})\.(\d{1,10})$/;

const KINDS = [
  ...['job', 'issue', 'reexport', 'sync', 'reconciliation', 'discrepancies', 'certificate', 'alert', 'connection'],
];

export class EventsQuery {
  @ApiPropertyOptional({
    description: 'id of the last event that was seen, where the header Last-Event-ID cannot be sent',
    example: '81234.1764000000',
  })
  @OptionalField()
  @IsString()
  @MaxLength(40)
  @Matches(EVENT_ID)
  readonly since?: string;
}

export class EventResponse {
  @ApiProperty({ enum: KINDS }) readonly kind!: string;
  @ApiProperty({ description: 'id or key of what changed; empty where there may be many', example: 'account:6420' })
  readonly subject!: string;
  @ApiProperty({ type: String, nullable: true, description: 'present state, of what has one', example: 'open' })
  readonly state!: string | null;
  @ApiProperty({ format: 'date-time' }) readonly at!: string;
}

export class EventsResponse {
  @ApiProperty({ type: [EventResponse], description: 'what has changed since then, each subject once' })
  readonly data!: readonly EventResponse[];
  @ApiProperty({ description: 'whether there was more than can be told: read everything again' })
  readonly reset!: boolean;
  @ApiProperty({ description: '`since` of the next request', example: '81234.1764000000' })
  readonly lastEventId!: string;
}
